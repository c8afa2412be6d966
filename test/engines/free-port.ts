import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of this machine that nobody listens on, for a process that can't be told to take any. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
