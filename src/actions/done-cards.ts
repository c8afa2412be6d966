import type { Catalog } from '../catalog/catalog.ts'
import { toTimestamp } from '../clock.ts'
import type { ActionCard, CardOutcome } from '../domain/action-card.ts'
import type { Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'
import { CARD_ANSWERS_MIN, CARD_WINDOW_DAYS } from '../limits.ts'
import { compareCard, measureCard, type Measuring } from './measure.ts'
import { type MeasuredOutcome, type MeasurementBefore, toMeasuring, toResult } from './outcome.ts'
import { type DayRange, dueMs, overlaps, windowAfter, windowsBefore } from './windows.ts'

/** The outcome of a card that was just marked done. */
export type FirstOutcome = Omit<CardOutcome, 'after' | 'verdict'>

/** The outcome with which a card is marked done at a moment: the measurement before. */
export async function toFirstOutcome(measuring: Measuring, card: ActionCard, nowMs: number): Promise<FirstOutcome> {
  const markedDoneAt = toTimestamp(nowMs)
  const resultDue = toTimestamp(dueMs(nowMs))
  const before = await measureBefore(measuring, card, markedDoneAt)
  const { before: counts, summary } = toMeasuring(card.targetMetric, before, resultDue.slice(0, 10))
  return { markedDoneAt, resultDue, windowDays: CARD_WINDOW_DAYS, before: counts, summary }
}

/** Measures a done card as of a moment: both windows when its result is due, the one before until then. */
export async function measureOutcome(
  measuring: Measuring,
  card: ActionCard,
  { markedDoneAt, resultDue }: CardOutcome,
  nowMs: number,
): Promise<MeasuredOutcome> {
  const before = await measureBefore(measuring, card, markedDoneAt)
  if (nowMs < Date.parse(resultDue)) return toMeasuring(card.targetMetric, before, resultDue.slice(0, 10))
  const window = windowAfter(markedDoneAt)
  const after = await measureCard(measuring, card, window)
  const comparison = await compareCard(measuring, card, { before: before.window, after: window })
  return toResult(card.targetMetric, { before, after, comparison })
}

/** What the card is held against: the days before those in which it was found, if they have enough answers. */
async function measureBefore(measuring: Measuring, card: ActionCard, markedDoneAt: string): Promise<MeasurementBefore> {
  const [untouched, last] = windowsBefore(toFound(card), markedDoneAt)
  const before = await measureCard(measuring, card, untouched)
  if (before.answers >= CARD_ANSWERS_MIN) return { ...before, window: untouched }
  return { ...(await measureCard(measuring, card, last)), window: last }
}

const toFound = ({ foundFrom: first, foundTo: last }: ActionCard): DayRange => ({ first, last })

/** Whether a card's result is due and not yet reached. */
export function isDue({ outcome }: ActionCard, nowMs: number): boolean {
  return outcome !== null && outcome.verdict === null && nowMs >= Date.parse(outcome.resultDue)
}

/** Whether new answers, or answers that are gone, lie in a window that the card's outcome stands on. */
export function isTouched(card: ActionCard, touched: readonly DayRange[], nowMs: number): boolean {
  if (card.outcome === null) return false
  const { markedDoneAt, resultDue } = card.outcome
  const before = windowsBefore(toFound(card), markedDoneAt)
  const windows = nowMs >= Date.parse(resultDue) ? [...before, windowAfter(markedDoneAt)] : before
  return touched.some((range) => windows.some((window) => overlaps(range, window)))
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
