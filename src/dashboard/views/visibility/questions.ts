import type { Question } from '../../api.ts'
import { toAnswerFilter } from '../../filters.ts'
import { METRICS, toRequested } from '../../metrics.ts'
import type { ViewProps } from '../index.ts'
import type { Settings } from './settings.ts'

/** What the view asks before it knows which brands to draw. */
export function toQuestions({ state, site, range, compared }: ViewProps, { metric, cells }: Settings) {
  const filter = toAnswerFilter(state)
  const about = { site_id: site.id, ...range, ...(filter === undefined ? {} : { filter }) }
  const visibility = (body: object): Question => ({
    method: 'POST',
    path: '/reports/visibility',
    body: { ...about, ...body },
  })
  const metrics = [...toRequested([metric]), 'reliability']
  const changes: Question | undefined = compared && {
    method: 'POST',
    path: '/reports/changes',
    body: {
      ...about,
      compare_start_date: compared.start_date,
      compare_end_date: compared.end_date,
      metric,
      brands: 'all',
    },
  }
  return {
    brands: visibility({ brands: 'all', metrics: [...toRequested(METRICS), 'rank_low', 'rank_high', 'reliability'] }),
    changes,
    engines: visibility({ group_by: ['platform'], metrics }),
    totals: visibility({ group_by: [cells], metrics }),
    cells: visibility({ group_by: [cells, 'platform'], metrics }),
  }
}

export type Questions = ReturnType<typeof toQuestions>

/** The days of the chart's lines; undefined while the brands aren't known. */
export function toLinesQuestion(
  { state, site, range }: ViewProps,
  { by, metric }: Settings,
  brands: readonly string[] | undefined,
): Question | undefined {
  const filter = toAnswerFilter(state)
  if (by === 'brand' && (brands === undefined || brands.length === 0)) return undefined
  return {
    method: 'POST',
    path: '/reports/visibility',
    body: {
      site_id: site.id,
      ...range,
      ...(filter === undefined ? {} : { filter }),
      group_by: by === 'brand' ? ['date'] : ['date', by],
      ...(by === 'brand' ? { brands } : {}),
      metrics: toRequested([metric]),
    },
  }
}
