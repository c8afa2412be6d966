import type { App } from '../src/app.ts'
import { toTimestamp } from '../src/clock.ts'
import type { Site } from '../src/domain/site.ts'
import { MAINTENANCE_INTERVAL_MS } from '../src/limits.ts'
import type { Context } from './command.ts'
import { printNote } from './io.ts'
import { refreshCardsAfterImport } from './refresh-cards.ts'

/** Looks after the lake and the cards when an import is done and told; nothing of it changes the import's outcome. */
export async function maintainAfterImport(
  app: App,
  site: Site,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
): Promise<void> {
  for (const problem of await app.maintain({ siteId: site.id, signal })) printNote(io, `note: ${problem}`)
  await refreshCardsAfterImport(app, site, { io, signal })
}

/** Deletes now and then, while the server serves, what nobody needs any more; a log line tells what went wrong. */
export function maintainPeriodically(
  app: App,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const warn = (problem: string): void => {
    const time = toTimestamp(app.clock.now())
    io.stderr.write(`${JSON.stringify({ level: 'warn', time, msg: 'maintenance', problem })}\n`)
  }
  const run = async (): Promise<void> => {
    try {
      for (const problem of await app.maintain({ signal })) warn(problem)
    } catch (error) {
      // The program's own files may have been replaced under a server that had not needed these yet.
      warn(error instanceof Error ? error.message : String(error))
    }
  }
  const timer = setInterval(() => {
    running = run()
  }, MAINTENANCE_INTERVAL_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
