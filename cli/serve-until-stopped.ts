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
  const stopped: Promise<unknown> = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  try {
    // A server that can't load what its reports need ends with the reason, instead of failing on each of them.
    await Promise.race([stopped, app.warmUp().then(() => stopped)])
  } finally {
    await server.close()
    await upkeep.stop()
  }
}
