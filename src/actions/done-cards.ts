import type { Catalog } from '../catalog/catalog.ts'
import { toTimestamp } from '../clock.ts'
import type { ActionCard, CardOutcome } from '../domain/action-card.ts'
import type { Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'
import { CARD_WINDOW_DAYS } from '../limits.ts'
import { measureCard } from './measure.ts'
import { type MeasuredOutcome, toMeasuring, toResult } from './outcome.ts'
import type { ReportRows } from './report-rows.ts'
import { type DayRange, dueMs, outcomeWindows, overlaps } from './windows.ts'

/** The outcome with which a card is marked done at a moment: the measurement before. */
export async function toFirstOutcome(
  reports: ReportRows,
  card: ActionCard,
  nowMs: number,
): Promise<Omit<CardOutcome, 'after' | 'verdict'>> {
  const markedDoneAt = toTimestamp(nowMs)
  const resultDue = toTimestamp(dueMs(nowMs))
  const before = await measureCard(reports, card, outcomeWindows(markedDoneAt).before)
  const { before: counts, summary } = toMeasuring(card.targetMetric, before, resultDue.slice(0, 10))
  return { markedDoneAt, resultDue, windowDays: CARD_WINDOW_DAYS, before: counts, summary }
}

/** Measures a done card as of a moment: both windows when its result is due, the one before until then. */
export async function measureOutcome(
  reports: ReportRows,
  card: ActionCard,
  { markedDoneAt, resultDue }: CardOutcome,
  nowMs: number,
): Promise<MeasuredOutcome> {
  const windows = outcomeWindows(markedDoneAt)
  const before = await measureCard(reports, card, windows.before)
  if (nowMs < Date.parse(resultDue)) return toMeasuring(card.targetMetric, before, resultDue.slice(0, 10))
  return toResult(card.targetMetric, before, await measureCard(reports, card, windows.after))
}

/** Whether a card's result is due and not yet reached. */
export function isDue({ outcome }: ActionCard, nowMs: number): boolean {
  return outcome !== null && outcome.verdict === null && nowMs >= Date.parse(outcome.resultDue)
}

/** Whether new answers, or answers that are gone, lie in a window that the card's outcome stands on. */
export function isTouched({ outcome }: ActionCard, touched: readonly DayRange[], nowMs: number): boolean {
  if (outcome === null) return false
  const { before, after } = outcomeWindows(outcome.markedDoneAt)
  const isClosed = nowMs >= Date.parse(outcome.resultDue)
  return touched.some((range) => overlaps(range, before) || (isClosed && overlaps(range, after)))
}

/** Days whose answers may differ between two snapshots of a site: those of the files added or removed. */
export function listTouchedDays(
  { manifest }: Pick<Catalog, 'manifest'>,
  siteId: string,
  from: Snapshot,
  to: Snapshot,
): readonly DayRange[] {
  const listAnswerFiles = (snapshot: Snapshot): Map<string, LakeFile> =>
    new Map(
      manifest
        .listFiles(siteId, snapshot)
        .flatMap((file) => (ANSWER_DATASETS.has(file.dataset) ? [[file.fileId, file]] : [])),
    )
  const before = listAnswerFiles(from)
  const after = listAnswerFiles(to)
  const removed = [...before.values()].filter(({ fileId }) => !after.has(fileId))
  const added = [...after.values()].filter(({ fileId }) => !before.has(fileId))
  return [...removed, ...added].flatMap(({ minDay: first, maxDay: last }) =>
    first === null || last === null ? [] : [{ first, last }],
  )
}

const ANSWER_DATASETS: ReadonlySet<Dataset> = new Set(['answers', 'mentions', 'citations'])
