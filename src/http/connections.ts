import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { REST_BYTES_MAX, REST_MS_MAX } from '../limits.ts'

export interface ConnectionBounds {
  readonly connections: number
  readonly connectionsPerAddress: number
}

/** A connection with its requests under way; it idles while it has none, half-sent headers among them. */
interface Connection {
  readonly socket: Socket
  readonly address: string
  requests: number
}

/**
 * Bounds a server's connections, in all and by address: beyond a bound the one that has idled longest is closed, or the
 * new one when all are busy.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): void {
  /** In the order in which they became idle, or were opened. */
  const open = new Map<Socket, Connection>()

  const makeRoom = (among: readonly Connection[], max: number, fresh: Connection): void => {
    if (among.length <= max) return
    const idle = among.find((connection) => connection !== fresh && connection.requests === 0)
    const closed = idle ?? fresh
    open.delete(closed.socket)
    closed.socket.destroy()
  }

  server.on('connection', (socket: Socket) => {
    const connection: Connection = { socket, address: socket.remoteAddress ?? '', requests: 0 }
    open.set(socket, connection)
    socket.once('close', () => open.delete(socket))
    const ofAddress = [...open.values()].filter(({ address }) => address === connection.address)
    makeRoom(ofAddress, bounds.connectionsPerAddress, connection)
    makeRoom([...open.values()], bounds.connections, connection)
  })
  const begin = (request: IncomingMessage): void => {
    const connection = open.get(request.socket)
    if (connection !== undefined) connection.requests += 1
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request, response) => {
      begin(request)
      response.once('close', () => {
        const connection = open.get(request.socket)
        if (connection === undefined) return
        connection.requests -= 1
        open.delete(request.socket)
        open.set(request.socket, connection)
      })
      response.once('finish', () => boundRest(request))
    })
  }
}

/** A body that was answered before it was read whole is read on a little, for its client to read the answer, then cut off. */
function boundRest(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  const bytesBefore = socket.bytesRead
  const startedMs = performance.now()
  const watch = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(watch)
    else if (socket.bytesRead - bytesBefore > REST_BYTES_MAX || performance.now() - startedMs > REST_MS_MAX)
      socket.destroy()
  }, REST_WATCH_MS)
}

const REST_WATCH_MS = 25
