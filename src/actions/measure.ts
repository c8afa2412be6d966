import type { Catalog } from '../catalog/catalog.ts'
import type { ActionCard, CardCount, CardMetric } from '../domain/action-card.ts'
import type { Cell, Sums } from '../reports/changes/change.ts'
import type { OwnAnswersRow } from '../reports/own-slices.ts'
import type { Interval } from '../statistics/interval.ts'
import { loadStudentT, type StudentT } from '../statistics/student-t.ts'
import type { ReportRows } from './report-rows.ts'
import { type CardComparison, toComparison } from './verdict.ts'
import type { DayRange } from './windows.ts'

/** What done cards of a site are measured with. */
export interface Measuring {
  readonly reports: ReportRows
  /** Ids of prompts that are asked today. */
  readonly activePrompts: ReadonlySet<string>
  readonly studentT: StudentT
}

export async function openMeasuring(
  { prompts }: Pick<Catalog, 'prompts'>,
  siteId: string,
  reports: ReportRows,
): Promise<Measuring> {
  const active = prompts.list(siteId).prompts.filter(({ status }) => status === 'active')
  return { reports, activePrompts: new Set(active.map(({ id }) => id)), studentT: await loadStudentT() }
}

/** A card's metric in one window. */
export interface Measurement {
  /** Answers that name the brand or cite the site, of the answers; for coverage prompts with a mention, of the prompts. */
  readonly count: CardCount
  readonly answers: number
  /** Of the share, 95 %; null where the answers can't tell. */
  readonly interval: Interval | null
}

/** What of a card says where to measure and what. */
type Measured = Pick<ActionCard, 'targetMetric' | 'targetPrompts' | 'targetPlatforms'>

/** Measures the card's target metric on its target prompts and engines only. */
export async function measureCard({ reports }: Measuring, card: Measured, range: DayRange): Promise<Measurement> {
  const targets = new Set(card.targetPrompts.map(({ id }) => id))
  const rows = (await listRows(reports, card, range)).filter(({ prompt_id }) => targets.has(prompt_id))
  const answers = rows.reduce((sum, row) => sum + row.answers, 0)
  if (answers === 0) return { count: { hits: 0, total: 0 }, answers, interval: null }
  const interval = await askInterval(reports, card, range)
  if (card.targetMetric !== 'coverage') {
    const hits = rows.reduce((sum, row) => sum + toSums(card.targetMetric, row).s, 0)
    return { count: { hits, total: answers }, answers, interval }
  }
  const covered = new Set(rows.flatMap(({ prompt_id, named }) => (named > 0 ? [prompt_id] : [])))
  const asked = new Set(rows.map(({ prompt_id }) => prompt_id))
  return { count: { hits: covered.size, total: asked.size }, answers, interval }
}

/** Holds a card's target prompts against the other active ones on its engines, in two windows. */
export async function compareCard(
  { reports, activePrompts, studentT }: Measuring,
  card: Measured,
  { before, after }: { readonly before: DayRange; readonly after: DayRange },
): Promise<CardComparison> {
  const rows = [await listRows(reports, card, before), await listRows(reports, card, after)] as const
  const targets = new Set(card.targetPrompts.map(({ id }) => id))
  const toCells = (isOf: (promptId: string) => boolean): readonly Cell[] => listCells(card.targetMetric, rows, isOf)
  return toComparison(
    card.targetMetric,
    {
      targets: toCells((id) => targets.has(id)),
      untouched: toCells((id) => !targets.has(id) && activePrompts.has(id)),
    },
    studentT,
  )
}

/** The interval of the card's metric as the visibility report has it: a single prompt's answers are clustered by week and engine. */
async function askInterval(
  reports: ReportRows,
  { targetMetric, targetPrompts, targetPlatforms }: Measured,
  range: DayRange,
): Promise<Interval | null> {
  const ids = targetPrompts.map(({ id }) => id)
  const [lowName, highName] = ENDS[targetMetric]
  const rows = await reports.visibility(range, {
    group_by: ids.length === 1 ? ['prompt'] : [],
    brands: 'owned',
    metrics: [lowName, highName],
    filter: {
      and: [
        { field: 'prompt', op: 'in', value: ids },
        { field: 'platform', op: 'in', value: targetPlatforms },
      ],
    },
  })
  // The filter takes an id for a prompt's text, too; a prompt whose text is another's id must not stand for it.
  const row = rows.find(({ prompt }) => prompt === undefined || prompt.id === ids[0])
  const [low, high] = [row?.[lowName] ?? null, row?.[highName] ?? null]
  return low === null || high === null ? null : { low, high }
}

const ENDS = {
  mention: ['mention_rate_low', 'mention_rate_high'],
  citation: ['citation_rate_low', 'citation_rate_high'],
  coverage: ['prompt_coverage_low', 'prompt_coverage_high'],
} as const

/** The answers of all prompts on the card's engines. */
async function listRows(
  reports: ReportRows,
  { targetPlatforms }: Measured,
  range: DayRange,
): Promise<readonly OwnAnswersRow[]> {
  const platforms = new Set<string>(targetPlatforms)
  return (await reports.ownAnswers(range, {})).filter(({ platform }) => platforms.has(platform))
}

function listCells(
  metric: CardMetric,
  [before, after]: readonly [readonly OwnAnswersRow[], readonly OwnAnswersRow[]],
  isOf: (promptId: string) => boolean,
): readonly Cell[] {
  const toKey = ({ prompt_id, platform }: OwnAnswersRow): string => `${platform} ${prompt_id}`
  const current = new Map(after.map((row) => [toKey(row), toSums(metric, row)]))
  const cells = before.map((row) => ({
    prompt: row.prompt_id,
    previous: toSums(metric, row),
    current: current.get(toKey(row)) ?? { n: 0, s: 0 },
  }))
  const known = new Set(before.map(toKey))
  const added = after.filter((row) => !known.has(toKey(row)))
  return [
    ...cells,
    ...added.map((row) => ({ prompt: row.prompt_id, previous: { n: 0, s: 0 }, current: toSums(metric, row) })),
  ].filter(({ prompt }) => isOf(prompt))
}

function toSums(metric: CardMetric, { answers, named, cited }: OwnAnswersRow): Sums {
  return { n: answers, s: metric === 'citation' ? cited : named }
}
