import { once } from 'node:events'
import type { App } from '../src/app.ts'
import type { Context } from './command.ts'
import { printNote } from './io.ts'
import { keepUpNowAndThen } from './keep-up.ts'

/**
 * Serves the API until the signal is aborted, then lets requests under way end. `onListening` is called with the
 * server's address after it is printed.
 */
export async function serveUntilStopped(
  app: App,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
  onListening: (url: string) => void = () => {},
): Promise<void> {
  const { startServer } = await import('../src/http/server.ts')
  const { host, port, logLevel, shutdownGraceMs } = app.config
  const server = await startServer(app, { host, port, log: io.stderr, logLevel, shutdownGraceMs })
  printNote(io, `listening on ${server.url}`)
  onListening(server.url)
  const upkeep = keepUpNowAndThen(app, { io, signal })
  if (!signal.aborted) await once(signal, 'abort')
  await server.close()
  await upkeep.stop()
}
