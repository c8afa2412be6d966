import { toRequested } from '../../metrics.ts'
import { toAbout, toChanges, toReport } from '../../report-questions.ts'
import type { ViewProps } from '../view-props.ts'

/** What the view of the competitors asks. */
export function toQuestions(props: ViewProps) {
  const about = toAbout(props)
  const visibility = (body: object) => toReport('visibility', { ...about, ...body })
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
    changes: toChanges(props, { brands: 'all', metric: 'mention_rate' }),
    /** How often brands are named that aren't ranked. */
    ofBrands: (names: readonly string[]) => visibility({ brands: names, metrics: toRequested(['mention_rate']) }),
  }
}
