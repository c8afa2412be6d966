import type { ChangeContext } from '../change/change-lake.ts'
import { toTimestamp } from '../clock.ts'
import { COLLECTION_MARGIN_MS, MAINTENANCE_BUDGET_MS } from '../limits.ts'
import { collectGarbage } from './garbage-collection.ts'
import { compactLake } from './compaction.ts'
import type { Retention } from '../domain/retention.ts'
import { enforceRetention } from './retention.ts'

export interface UpkeepOptions {
  /** The site whose files are merged where there are too many; none without it. */
  readonly siteId?: string
  readonly snapshotGraceMs: number
  readonly retention: Retention
  /** What undos of older log imports need is given up. */
  readonly undoWindowMs: number
  readonly signal?: AbortSignal
}

/**
 * What the lake needs after an import: deletes what the settings no longer keep, merges what has become too much, each for a
 * bounded time, and deletes the files that nobody needs any more. The import is done whatever comes of it, so nothing is thrown: what went wrong comes back, a sentence each.
 */
export async function maintain(context: ChangeContext, options: UpkeepOptions): Promise<string[]> {
  const { siteId, snapshotGraceMs, undoWindowMs, retention, signal } = options
  const stop = signal ? { signal } : {}
  const problems: string[] = []
  const attempt = async (work: () => Promise<readonly string[]>): Promise<void> => {
    try {
      problems.push(...(await work()))
    } catch (error) {
      if (signal?.aborted !== true) problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  await attempt(
    async () =>
      (await enforceRetention(context, { retention, waits: false, budgetMs: MAINTENANCE_BUDGET_MS, ...stop })).failures,
  )
  await attempt(() => {
    context.catalog.recordedChanges.forgetLogUndos(toTimestamp(context.clock.now() - undoWindowMs))
    return Promise.resolve([])
  })
  if (siteId !== undefined) {
    await attempt(
      async () =>
        (await compactLake(context, { siteId, isThorough: false, budgetMs: MAINTENANCE_BUDGET_MS, ...stop })).failures,
    )
  }
  await attempt(
    async () => (await collectGarbage(context, { graceMs: snapshotGraceMs + COLLECTION_MARGIN_MS, ...stop })).warnings,
  )
  return problems
}
