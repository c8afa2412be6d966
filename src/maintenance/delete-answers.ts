import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { EngineId } from '../domain/enums.ts'
import type { Snapshot } from '../domain/manifest.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Site } from '../domain/site.ts'
import { CommandError } from '../errors.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { removeAnswers, type RemovedAnswers } from '../lake/maintain/answer-removal.ts'
import { readWithdrawal } from '../lake/maintain/named-brands.ts'
import { type DayBounds, listWithin, onDays } from '../lake/maintain/row-removal.ts'
import { integer, integers, join, type Sql, sql } from '../lake/sql.ts'
import { engineNo } from '../reference/engines.ts'
import { readScanWithout } from '../change/newest-scan.ts'

/** Which answers and no_answers are meant: those that fit everything that is given. */
export interface AnswerSelection extends DayBounds {
  /** Active or not. */
  readonly prompts?: readonly Prompt[] | undefined
  readonly platform?: EngineId | undefined
}

export interface DeleteAnswersOptions {
  readonly site: Site
  readonly selection: AnswerSelection
  /** Counts, and changes nothing. */
  readonly dryRun: boolean
  /** What retention records beside the counts; without it an operator asked for the deletion. */
  readonly reason?: object
  readonly waits?: boolean
  readonly signal?: AbortSignal
  readonly onWait?: () => void
}

/** The result as `--json` prints it; `snapshot` is null for a dry run. */
export interface DeleteAnswersResult extends RemovedAnswers {
  readonly site_id: string
  /** What was asked for; null where nothing was. */
  readonly from: string | null
  readonly to: string | null
  readonly prompts: readonly string[] | null
  readonly platform: EngineId | null
  readonly snapshot: Snapshot | null
}

/**
 * Deletes a site's answers and no_answers with everything that hangs on them, in one change. Where none is meant there is
 * no new snapshot. Prompts stay; a discovered competitor goes with the last answer that named it. Throws what `changeLake` throws.
 */
export async function deleteAnswers(
  context: ChangeContext,
  options: DeleteAnswersOptions,
): Promise<DeleteAnswersResult> {
  const { site, selection, dryRun, reason, signal } = options
  const kind = reason ? 'retention' : 'delete_answers'
  const { catalog, lakeDir } = context
  if (!reason && !dryRun) refuseScanning(context, site)
  return changeLake(context, { ...options, group: 'answers', kind }, async (change) => {
    const { staging, files } = change
    using database = await openChangeDatabase(staging.spillDir)
    const where = toCondition(selection)
    const connection = await database.connect()
    const { removed, replaced } = await removeAnswers(connection, {
      staging,
      lakeDir,
      files,
      where: { answers: where, no_answers: where },
      days: selection,
      isDryRun: dryRun,
      ...(signal ? { signal } : {}),
    })
    const result = { site_id: site.id, ...describe(selection), ...removed, snapshot: null }
    if (dryRun) return result
    const { from, to, prompts, platform } = selection
    const forget = (): void =>
      catalog.forgottenReplies.add(site.id, { from, to, prompts: prompts?.map(({ id }) => id), platform })
    if (replaced.length === 0) {
      // Raw replies may say more than the lake: of shadow targets, and what couldn't be read.
      forget()
      return { ...result, snapshot: catalog.manifest.currentSnapshot(site.id) }
    }
    const ids = replaced.map(({ fileId }) => fileId)
    const scan = await readScanWithout(context, change, new Set(ids))
    const { listings, unnamed } = await readWithdrawal(connection, {
      lakeDir,
      before: listWithin({ files, days: selection }),
      after: change.filesWithout(new Set(ids)),
      where,
      among: listDiscovered(context, site.id),
    })
    const snapshot = await change.commit((committed) => {
      catalog.scans.replace(site.id, scan)
      catalog.competitors.takeEvidence(site.id, listings)
      catalog.competitors.removeUnfounded(site.id, unnamed)
      forget()
      catalog.recordedChanges.record({
        siteId: site.id,
        kind,
        snapshot: committed,
        result: { ...reason, ...result },
      })
    }, ids)
    return { ...result, snapshot }
  })
}

/** Numbers of the competitors that imports discovered; most sites have none. */
function listDiscovered({ catalog }: ChangeContext, siteId: string): ReadonlySet<number> {
  const discovered = catalog.competitors.list(siteId).filter(({ source }) => source === 'discovered')
  return new Set(discovered.map(({ brandNo }) => brandNo))
}

function describe({ from, to, prompts, platform }: AnswerSelection) {
  const ids = prompts?.map(({ id }) => id)
  return { from: from ?? null, to: to ?? null, prompts: ids ?? null, platform: platform ?? null }
}

/** Over the columns that answers and no_answers share. */
function toCondition({ prompts, platform, ...days }: AnswerSelection): Sql {
  const promptNos = prompts?.map(({ promptNo }) => promptNo)
  const conditions = [
    onDays(days),
    ...(promptNos === undefined ? [] : [sql`list_contains(${integers(promptNos)}, prompt_no)`]),
    ...(platform === undefined ? [] : [sql`platform_no = ${integer(engineNo(platform))}`]),
  ]
  return join(conditions, sql` AND `)
}

/** What a run has asked before the deletion, and not yet imported, would come into the lake after it. */
function refuseScanning({ catalog }: ChangeContext, { id, domain }: Site): void {
  const run = catalog.scanRuns.findAlive(id, 'answer')
  if (!run) return
  throw new CommandError(
    `${run.id} asks for ${domain} at this moment, and may have answers that would come into the lake after the deletion. Nothing was changed. Repeat the command when it is done.`,
  )
}
