import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { SHUTDOWN_ACCEPT_MS_MAX } from '../limits.ts'

/** Resolves when the server accepts connections; rejects when the address can't be listened on. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host, port }, () => {
    server.off('error', reject)
    resolve()
  })
  await promise
}

/** `http://HOST:PORT` */
export function toUrl(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Takes no more connections and lets requests under way end within the grace period; then closes what is left. */
export async function drain(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return
  const startedMs = performance.now()
  await acceptWaiting(server)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs - (performance.now() - startedMs))
  await promise
  clearTimeout(timer)
}

/**
 * Accepts connections, and reads requests, that came while the process was busy: closing at once would reset clients who
 * have sent theirs already.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const startedMs = performance.now()
  let accepted = 0
  const count = () => void (accepted += 1)
  server.on('connection', count)
  for (let before = -1; before < accepted && performance.now() - startedMs < SHUTDOWN_ACCEPT_MS_MAX;) {
    before = accepted
    for (let turn = 0; turn < TURNS_TO_READ; turn++) await setImmediate()
  }
  server.off('connection', count)
}

/** Turns of the event loop after which a request that waits is read: this one's rest, one that accepts, one that reads. */
const TURNS_TO_READ = 3
