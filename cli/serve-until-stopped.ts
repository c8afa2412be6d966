import { once } from 'node:events'
import type { App } from '../src/app.ts'
import type { ServedOrigins } from '../src/catalog/served-origins.ts'
import type { RunningServer } from '../src/http/server.ts'
import type { Context } from './command.ts'
import { printNote } from './io.ts'
import { findServedOrigin, isLoopback } from './link-origin.ts'
import { logScan, type ScheduledScans } from './scheduled-scans.ts'
import { maintainPeriodically } from './automatic-maintenance.ts'

/** What happens beside serving. */
interface Beside {
  readonly onListening?: (url: string) => void
  readonly startScans?: () => ScheduledScans
}

/**
 * Serves the API until the signal is aborted, then lets requests and scans under way end. `onListening` is called with the
 * server's address after it is printed, `startScans` then. Rejects with CommandError for a `sign-in.json` with faults.
 */
export async function serveUntilStopped(
  app: App,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
  { onListening, startScans }: Beside = {},
): Promise<void> {
  if (app.config.dashboard) await app.signIn.findProvider()
  const { startServer } = await import('../src/http/server.ts')
  const server = await startServer(app, { ...app.config, log: io.stderr })
  const icebergServer = await startIceberg(app, io).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  const shown = await showOrigin(app, io, server.url)
  printNote(io, `listening on ${server.url}`)
  if (icebergServer) printNote(io, `Iceberg catalog on ${icebergServer.url}`)
  if ([server, icebergServer].some((one) => one && !isLoopback(new URL(one.url).hostname))) {
    printNote(
      io,
      'warning: this address is reachable from other machines, and keys travel over it in clear text. Listen on 127.0.0.1 behind a proxy with TLS.',
    )
  }
  onListening?.(server.url)
  const scans = startScans?.()
  app.scans.watch((event) => logScan(app, io, event))
  const maintenance = maintainPeriodically(app, { io, signal })
  const stopped: Promise<unknown> = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  try {
    // A server that can't load what its reports need ends with the reason, instead of failing on each of them.
    await Promise.race([stopped, app.warmUp().then(() => stopped)])
  } finally {
    shown?.leave()
    const { shutdownGraceMs } = app.config
    await Promise.all([server.close(), icebergServer?.close(), scans?.stop(), app.scans.stop(shutdownGraceMs)])
    await maintenance.stop()
  }
}

async function startIceberg({ catalog, clock, config }: App, io: Context['io']): Promise<RunningServer | undefined> {
  if (config.icebergCatalog === '') return undefined
  const { startIcebergServer } = await import('../src/http/iceberg-server.ts')
  return startIcebergServer(
    { catalog, clock },
    { ...config, directory: config.icebergCatalog, host: config.icebergHost, port: config.icebergPort, log: io.stderr },
  )
}

/** For commands that print a link to the dashboard. A server that can't do it serves all the same. */
async function showOrigin(
  { catalog, config }: App,
  io: Context['io'],
  url: string,
): Promise<ReturnType<ServedOrigins['enter']> | undefined> {
  const origin = findServedOrigin(url, config)
  if (origin === undefined) return undefined
  try {
    return await catalog.whenFree(() => catalog.servedOrigins.enter(origin))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    printNote(io, `warning: \`users invite\` will not find this server. ${reason}`)
    return undefined
  }
}
