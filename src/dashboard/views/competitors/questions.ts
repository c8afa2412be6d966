import type { Question } from '../../api.ts'
import { toAnswerFilter } from '../../filters.ts'
import { toRequested } from '../../metrics.ts'
import type { ViewProps } from '../index.ts'

/** What the view of the competitors asks. */
export function toQuestions({ state, site, range, compared }: ViewProps) {
  const filter = toAnswerFilter(state)
  const about = { site_id: site.id, ...range, ...(filter === undefined ? {} : { filter }) }
  const visibility = (body: object): Question => ({
    method: 'POST',
    path: '/reports/visibility',
    body: { ...about, ...body },
  })
  const changes: Question | undefined = compared && {
    method: 'POST',
    path: '/reports/changes',
    body: {
      ...about,
      compare_start_date: compared.start_date,
      compare_end_date: compared.end_date,
      brands: 'all',
      metric: 'mention_rate',
    },
  }
  return {
    ranked: visibility({
      brands: 'all',
      metrics: [
        ...toRequested(['mention_rate', 'citation_rate', 'share_of_voice']),
        'reliability',
        'rank_low',
        'rank_high',
      ],
    }),
    days: visibility({ brands: 'all', group_by: ['date'], metrics: ['mention_rate', 'answers'] }),
    changes,
    /** How often brands are named that aren't ranked. */
    ofBrands: (names: readonly string[]): Question =>
      visibility({ brands: names, metrics: toRequested(['mention_rate']) }),
  }
}
