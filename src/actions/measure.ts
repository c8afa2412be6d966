import type { ActionCard, CardCount } from '../domain/action-card.ts'
import type { Filter } from '../reports/request.ts'
import { toHits } from './own-answers.ts'
import type { ReportRows } from './report-rows.ts'
import type { DayRange } from './windows.ts'

/** A card's metric in one window. */
export interface Measurement {
  /** Answers that name the brand or cite the site, of the answers; for coverage prompts with a mention, of the prompts. */
  readonly count: CardCount
  readonly answers: number
}

/** Measures the card's target metric on its target prompts and engines only. */
export async function measureCard(
  reports: ReportRows,
  {
    targetMetric,
    targetPrompts,
    targetPlatforms,
  }: Pick<ActionCard, 'targetMetric' | 'targetPrompts' | 'targetPlatforms'>,
  range: DayRange,
): Promise<Measurement> {
  const ids = new Set(targetPrompts.map(({ id }) => id))
  if (ids.size === 0 || targetPlatforms.length === 0) return { count: { hits: 0, total: 0 }, answers: 0 }
  const filter: Filter = {
    and: [
      { field: 'prompt', op: 'in', value: [...ids] },
      { field: 'platform', op: 'in', value: targetPlatforms },
    ],
  }
  const rows = await reports.visibility(range, {
    group_by: ['prompt'],
    brands: 'owned',
    metrics: ['mention_rate', 'citation_rate', 'answers'],
    filter,
  })
  let hits = 0
  let total = 0
  let answers = 0
  for (const { prompt, mention_rate = 0, citation_rate = 0, answers: ofPrompt = 0 } of rows) {
    // The filter takes an id for a prompt's text, too; a prompt whose text is another's id must not come in.
    if (!ids.has(prompt?.id ?? '')) continue
    answers += ofPrompt
    total += targetMetric === 'coverage' ? 1 : ofPrompt
    if (targetMetric === 'coverage') hits += mention_rate > 0 ? 1 : 0
    else hits += toHits(targetMetric === 'citation' ? citation_rate : mention_rate, ofPrompt)
  }
  return { count: { hits, total }, answers }
}
