import { dirname } from 'node:path'
import { BusyError, type ChangeContext } from '../change/change-lake.ts'
import { readScanConfig } from '../collect/scan-config.ts'
import { shiftDay, toMonthStart } from '../domain/day.ts'
import type { Dataset, LakeFile } from '../domain/manifest.ts'
import { firstKeptDay } from '../domain/period.ts'
import { describeRetention, type Retention, type RetentionState } from '../domain/retention.ts'
import type { Site } from '../domain/site.ts'
import { ApiError, CommandError } from '../errors.ts'
import { DamagedFileError } from '../lake/maintain/ensure-sound.ts'
import { blankSiteAnswers } from './blank-answers.ts'
import { deleteAnswers } from './delete-answers.ts'
import { deleteLogs } from './delete-logs.ts'
import { retireReplies } from './forget-replies.ts'

export interface RetentionOptions {
  readonly retention: Retention
  /** Without it nothing is waited for: what another change holds up is left to the next time. */
  readonly waits?: boolean
  /** Begins no further step after this many milliseconds. */
  readonly budgetMs?: number
  readonly signal?: AbortSignal
  readonly onWait?: () => void
}

/** What one setting took from one site. */
export interface Retired {
  readonly site_id: string
  readonly setting: RetentionState['setting']
  /** Answers and no_answers that were deleted, or answers whose words went; bot hits and visits. */
  readonly answers: number
  readonly bot_hits: number
  readonly visits: number
}

export interface RetentionResult {
  readonly retired: readonly Retired[]
  /** What could not be done, each in a sentence. */
  readonly failures: readonly string[]
}

/** Data sets by whose days one tells whether a setting has something to do. */
const WATCHED: Readonly<Record<RetentionState['setting'], readonly Dataset[]>> = {
  retention_answers: ['answers', 'no_answers'],
  retention_logs: ['bot_hits', 'visits'],
  retention_raw: ['answers', 'citations'],
}

/** Live files with days that a setting doesn't keep; those of `retention_raw` may have lost their words already. */
export function listOverdue({ catalog }: ChangeContext, siteId: string, state: RetentionState): LakeFile[] {
  const { setting, first_day: firstDay } = state
  if (firstDay === null) return []
  return catalog.manifest
    .listFiles(siteId, catalog.manifest.currentSnapshot(siteId))
    .filter(({ dataset, minDay }) => WATCHED[setting].includes(dataset) && minDay !== null && minDay < firstDay)
}

/**
 * Deletes what the settings and `keep_raw` no longer keep, and blanks the words they no longer keep (contract/imports 3.5): a month a change,
 * the oldest first, for every site. Stopped, it goes on the next time; a damaged file leaves its month as it is. Throws what `changeLake` throws.
 */
export async function enforceRetention(context: ChangeContext, options: RetentionOptions): Promise<RetentionResult> {
  const { retention, budgetMs = Number.POSITIVE_INFINITY, waits = true, signal } = options
  const startedMs = performance.now()
  const retired: Retired[] = []
  const failures: string[] = []
  const firstDay = await findFirstReplies(context, retention).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    failures.push(error.message)
    return undefined
  })
  if (firstDay !== undefined) await retireReplies(context, firstDay)
  for (const state of describeRetention(retention, context.clock.now())) {
    for (const site of context.catalog.sites.list()) {
      if (context.catalog.moves.isStopped(site.id)) continue
      for (const month of await listMonths(context, site, state, options)) {
        signal?.throwIfAborted()
        if (performance.now() - startedMs > budgetMs) return { retired, failures }
        try {
          const done = await retire(context, { site, month, state }, options)
          if (done.answers + done.bot_hits + done.visits > 0) retired.push(done)
        } catch (error) {
          if (!waits && error instanceof BusyError) break
          if (!(error instanceof DamagedFileError) && !(error instanceof ApiError)) throw error
          failures.push(error.message)
        }
      }
    }
  }
  return { retired, failures }
}

/** The first day whose raw replies are kept: they hold an answer's words, so none is kept longer than those. */
async function findFirstReplies({ clock, lakeDir }: ChangeContext, retention: Retention): Promise<string | undefined> {
  const { retentionAnswers, retentionRaw } = retention
  const { keepRaw = 'keep' } = (await readScanConfig(dirname(lakeDir))) ?? {}
  return [keepRaw, retentionAnswers, retentionRaw]
    .map((period) => firstKeptDay(period, clock.now()))
    .filter((day) => day !== undefined)
    .sort()
    .at(-1)
}

/** Months with something to do. */
async function listMonths(
  context: ChangeContext,
  site: Site,
  state: RetentionState,
  { signal }: RetentionOptions,
): Promise<readonly string[]> {
  const { setting, period, first_day: firstDay } = state
  const months = [...new Set(listOverdue(context, site.id, state).map(({ month }) => month))].sort()
  if (setting !== 'retention_raw' || firstDay === null || months.length === 0) return months
  // Nearly always everything is blank already, which a count tells without waiting for anybody.
  const { answers, citations } = await blankSiteAnswers(context, {
    site,
    days: { to: shiftDay(firstDay, -1) },
    reason: { setting, period },
    dryRun: true,
    ...(signal ? { signal } : {}),
  })
  return answers + citations === 0 ? [] : months
}

async function retire(
  context: ChangeContext,
  { site, month, state }: { readonly site: Site; readonly month: string; readonly state: RetentionState },
  { waits = true, signal, onWait }: RetentionOptions,
): Promise<Retired> {
  const { setting, period, first_day: firstDay } = state
  const ends = [firstDay ?? '', toMonthStart(`${month}-02`, 'or after')].sort()
  const days = { from: `${month}-01`, to: shiftDay(ends[0] ?? '', -1) }
  const reason = { setting, period }
  const ways = { site, waits, ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) }
  const none = { site_id: site.id, setting, answers: 0, bot_hits: 0, visits: 0 }
  if (setting === 'retention_logs') {
    const { bot_hits, visits } = await deleteLogs(context, { ...ways, selection: days, dryRun: false, reason })
    return { ...none, bot_hits, visits }
  }
  if (setting === 'retention_answers') {
    const { answers, no_answers } = await deleteAnswers(context, { ...ways, selection: days, dryRun: false, reason })
    return { ...none, answers: answers + no_answers }
  }
  const { answers } = await blankSiteAnswers(context, { ...ways, days, reason, dryRun: false })
  return { ...none, answers }
}
