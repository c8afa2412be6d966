import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { Snapshot } from '../domain/manifest.ts'
import type { Site } from '../domain/site.ts'
import type { Bot } from '../reference/bots.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { removeLogRows } from '../lake/maintain/log-removal.ts'
import { type DayBounds, onDays } from '../lake/maintain/row-removal.ts'
import { integer, type Sql, sql, text } from '../lake/sql.ts'

/** Which hits and visits are meant: those that fit everything that is given. */
export interface LogSelection extends DayBounds {
  /** A requested path, or with a `*` at its end all that begin so. */
  readonly path?: string | undefined
  /** Then hits alone are meant. */
  readonly bot?: Bot | undefined
}

export interface DeleteLogsOptions {
  readonly site: Site
  readonly selection: LogSelection
  /** Counts, and changes nothing. */
  readonly dryRun: boolean
  /** What retention records beside the counts; without it an operator asked for the deletion. */
  readonly reason?: object
  readonly waits?: boolean
  readonly signal?: AbortSignal
  readonly onWait?: () => void
}

/** The result as `--json` prints it; `snapshot` is null for a dry run. */
export interface DeleteLogsResult {
  readonly site_id: string
  /** What was asked for; null where nothing was. */
  readonly from: string | null
  readonly to: string | null
  readonly path: string | null
  readonly bot_name: string | null
  readonly bot_hits: number
  readonly visits: number
  readonly snapshot: Snapshot | null
}

/**
 * Deletes a site's bot hits and visits in one change, and makes the sums over them anew. The logs still count as read, so
 * that importing them again brings nothing back. Where none is meant there is no new snapshot. Throws what `changeLake` throws.
 */
export async function deleteLogs(context: ChangeContext, options: DeleteLogsOptions): Promise<DeleteLogsResult> {
  const { site, selection, dryRun, reason, signal } = options
  const kind = reason ? 'retention' : 'delete_logs'
  const { catalog, lakeDir } = context
  return changeLake(context, { ...options, group: 'logs', kind }, async (change) => {
    const { staging, files } = change
    using database = await openChangeDatabase(staging.spillDir)
    const { removed, replaced } = await removeLogRows(await database.connect(), {
      staging,
      lakeDir,
      files,
      where: toConditions(selection),
      ofPaths: selection.path === undefined ? undefined : toPathCondition(selection.path),
      days: selection,
      isDryRun: dryRun,
      ...(signal ? { signal } : {}),
    })
    const result = { site_id: site.id, ...describe(selection), ...removed, snapshot: null }
    if (dryRun) return result
    if (replaced.length === 0) return { ...result, snapshot: catalog.manifest.currentSnapshot(site.id) }
    const snapshot = await change.commit(
      (committed) =>
        catalog.recordedChanges.record({
          siteId: site.id,
          kind,
          snapshot: committed,
          result: { ...reason, ...result },
        }),
      replaced.map(({ fileId }) => fileId),
    )
    return { ...result, snapshot }
  })
}

function describe({ from, to, path, bot }: LogSelection) {
  return { from: from ?? null, to: to ?? null, path: path ?? null, bot_name: bot?.name ?? null }
}

function toConditions({ bot, ...days }: LogSelection): { bot_hits: Sql; visits?: Sql } {
  const where = onDays(days)
  if (bot === undefined) return { bot_hits: where, visits: where }
  return { bot_hits: sql`${where} AND bot_no = ${integer(bot.botNo)}` }
}

function toPathCondition(path: string): Sql {
  return path.endsWith('*') ? sql`starts_with(path, ${text(path.slice(0, -1))})` : sql`path = ${text(path)}`
}
