import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { METRICS, toRequested } from '../../metrics.ts'
import { toAbout, toChanges, toReport } from '../../report-questions.ts'
import type { ViewProps } from '../view-props.ts'
import type { Choices } from './choices.ts'

/** What the view asks before it knows which brands to draw. */
export function toQuestions(props: ViewProps, { metric, cells }: Choices) {
  const about = toAbout(props)
  const visibility = (body: object) => toReport('visibility', { ...about, ...body })
  const metrics = [...toRequested([metric]), 'reliability']
  return {
    brands: visibility({ brands: 'all', metrics: [...toRequested(METRICS), 'rank_low', 'rank_high', 'reliability'] }),
    changes: toChanges(props, { metric, brands: 'all' }),
    engines: visibility({ group_by: ['platform'], metrics }),
    totals: visibility({ group_by: [cells], metrics }),
    cells: visibility({ group_by: [cells, 'platform'], metrics }),
  }
}

export type Questions = ReturnType<typeof toQuestions>

/** The days of the chart's lines; undefined while the brands aren't known. */
export function toLinesQuestion(
  props: ViewProps,
  { by, metric }: Choices,
  brands: readonly string[] | undefined,
): Question<Schemas['VisibilityRow']> | undefined {
  if (by === 'brand' && (brands === undefined || brands.length === 0)) return undefined
  return toReport('visibility', {
    ...toAbout(props),
    ...(by === 'brand' ? { group_by: ['date'], brands } : { group_by: ['date', by] }),
    metrics: toRequested([metric]),
  })
}
