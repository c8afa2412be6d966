import type { Catalog } from '../catalog/catalog.ts'
import type { ActionCard, CardCount, CardMetric } from '../domain/action-card.ts'
import { weekOf } from '../domain/day.ts'
import type { Cell, Sums } from '../reports/changes/change.ts'
import type { OwnAnswersRow } from '../reports/own-slices.ts'
import type { Interval } from '../statistics/interval.ts'
import { type ClusterCount, toRate, toWilsonInterval } from '../statistics/rate.ts'
import { loadStudentT, type StudentT } from '../statistics/student-t.ts'
import { toHits } from './own-answers.ts'
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
export async function measureCard(
  { reports, studentT }: Measuring,
  card: Measured,
  range: DayRange,
): Promise<Measurement> {
  const targets = new Set(card.targetPrompts.map(({ id }) => id))
  const rows = (await listRows(reports, card, range)).filter(({ prompt_id }) => targets.has(prompt_id))
  const prompts = [...Map.groupBy(rows, ({ prompt_id }) => prompt_id).values()].map((ofPrompt) => {
    const sums = ofPrompt.map((row) => toSums(card.targetMetric, row))
    return { answers: sums.reduce((sum, { n }) => sum + n, 0), hits: sums.reduce((sum, { s }) => sum + s, 0) }
  })
  const { hits, answers, interval } = toRate(prompts, [], studentT)
  if (card.targetMetric !== 'coverage') {
    const ofOne = prompts.length === 1 ? toRate(await listWeeks(reports, card, range), [], studentT).interval : interval
    return { count: { hits, total: answers }, answers, interval: ofOne }
  }
  const count = { hits: prompts.filter((prompt) => prompt.hits > 0).length, total: prompts.length }
  return { count, answers, interval: count.total < 2 ? null : toWilsonInterval(count.hits / count.total, count.total) }
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

/** The answers of a card with one prompt by ISO week and engine: the clusters of a single prompt (docs/methods.md 2). */
async function listWeeks(
  reports: ReportRows,
  { targetMetric, targetPrompts, targetPlatforms }: Measured,
  range: DayRange,
): Promise<readonly ClusterCount[]> {
  const rows = await reports.visibility(range, {
    group_by: ['date', 'platform', 'prompt'],
    brands: 'owned',
    metrics: ['mention_rate', 'citation_rate', 'answers'],
    filter: {
      and: [
        { field: 'prompt', op: 'in', value: targetPrompts.map(({ id }) => id) },
        { field: 'platform', op: 'in', value: targetPlatforms },
      ],
    },
  })
  const weeks = new Map<string, ClusterCount>()
  for (const { date = '', platform = '', prompt, answers = 0, mention_rate = 0, citation_rate = 0 } of rows) {
    // The filter takes an id for a prompt's text, too; a prompt whose text is another's id must not come in.
    if (!targetPrompts.some(({ id }) => id === prompt?.id)) continue
    const week = `${platform} ${weekOf(date)}`
    const sum = weeks.get(week) ?? { answers: 0, hits: 0 }
    const hits = toHits(targetMetric === 'citation' ? citation_rate : mention_rate, answers)
    weeks.set(week, { answers: sum.answers + answers, hits: sum.hits + hits })
  }
  return [...weeks.values()]
}

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
