import type { Schemas } from '../client/client.ts'
import type { paths } from '../client/openapi.d.ts'
import type { Question } from './api.ts'
import type { DayRange } from './days.ts'
import { toAnswerFilter } from './answer-filter.ts'
import type { ViewProps } from './views/view-props.ts'

/** What a report is asked with before anything else: the site, the days, and the filters of the view. */
export interface About extends DayRange {
  readonly site_id: string
  readonly filter?: Schemas['CitationFilter']
}

/** As much of a view's properties as its questions need. */
export interface Asking extends Pick<ViewProps, 'state' | 'range'> {
  readonly site: Pick<ViewProps['site'], 'id'>
}

type Reports = {
  [Path in keyof paths as Path extends `/v1/reports/${infer Name}` ? Name : never]: paths[Path]['post']
}
type ReportRow<Name extends keyof Reports> =
  Reports[Name]['responses'][200]['content']['application/json']['data'][number]

/** A question whose body a view adds to. */
export interface ReportQuestion<Row> extends Question<Row> {
  readonly body: object
}

/** A report of the API, such as `visibility`. */
export const toReport = <Name extends keyof Reports>(name: Name, body: object): ReportQuestion<ReportRow<Name>> => ({
  method: 'POST',
  path: `/reports/${name}`,
  body,
})

/** For a report over answers; `further` is a condition that the view adds to its filters. */
export function toAbout({ state, site, range }: Asking, further?: Schemas['CitationFilter']): About {
  const own = toAnswerFilter(state)
  const filter = own && further ? { and: [own, further] } : (own ?? further)
  return { site_id: site.id, ...range, ...(filter && { filter }) }
}

/** What changed since the days that are compared with; undefined where there are none. */
export const toChanges = (props: ViewProps, body: object): Question<Schemas['ChangeRow']> | undefined =>
  props.compared &&
  toReport('changes', {
    ...toAbout(props),
    compare_start_date: props.compared.start_date,
    compare_end_date: props.compared.end_date,
    ...body,
  })
