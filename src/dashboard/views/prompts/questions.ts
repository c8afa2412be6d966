import type { Question, Schemas } from '../../api.ts'
import { toAnswerFilter } from '../../filters.ts'
import { toRequested } from '../../metrics.ts'
import type { ViewProps } from '../index.ts'

/** What the view asks of all prompts: the list, what was measured of each, and what the plan leaves. */
export function toQuestions({ state, site, range }: ViewProps) {
  const filter = toAnswerFilter(state)
  return {
    prompts: { method: 'GET', path: `/sites/${site.id}/prompts` },
    measured: {
      method: 'POST',
      path: '/reports/visibility',
      body: {
        site_id: site.id,
        ...range,
        ...(filter === undefined ? {} : { filter }),
        group_by: ['prompt'],
        metrics: [...toRequested(['mention_rate']), 'reliability'],
      },
    },
    usage: { method: 'GET', path: '/prompt-usage' },
  } satisfies Record<string, Question>
}

/** What it asks of the prompts of one page: their rates by engine and their days; nothing without prompts. */
export function toPageQuestions({ state, site, range }: ViewProps, ids: readonly string[]) {
  if (ids.length === 0) return undefined
  const filter = toAnswerFilter(state)
  const ofPage: Schemas['AnswerFilter'] = { field: 'prompt', op: 'in', value: [...ids] }
  const about = {
    site_id: site.id,
    ...range,
    filter: filter === undefined ? ofPage : { and: [filter, ofPage] },
  }
  return {
    cells: {
      method: 'POST',
      path: '/reports/visibility',
      body: {
        ...about,
        group_by: ['prompt', 'platform'],
        metrics: [...toRequested(['mention_rate']), 'reliability'],
      },
    },
    days: {
      method: 'POST',
      path: '/reports/visibility',
      body: { ...about, group_by: ['prompt', 'date'], metrics: ['answers'] },
    },
  } satisfies Record<string, Question>
}
