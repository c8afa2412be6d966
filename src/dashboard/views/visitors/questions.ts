import { type Asking, toReport } from '../../report-questions.ts'
import { type LogFilterField, toLogFilter, toPathSearch } from '../logs/log-filter.ts'
import { toPageTypeName } from '../logs/page-types.ts'
import { toSourceName } from './source-names.ts'

/** What the URL may hold of visitors. */
export const VISITOR_FILTERS: readonly LogFilterField[] = [
  { parameter: 'source', field: 'referral_source', title: 'Source', nameOf: toSourceName },
  { parameter: 'page_type', field: 'page_type', title: 'Pages', nameOf: toPageTypeName },
  { parameter: 'path', field: 'path', title: 'Page' },
]

const PATHS_MAX = 500

/** The questions that the view is made of. */
export function toQuestions({ state, site, range }: Asking) {
  const ask = (body: object, further: Parameters<typeof toLogFilter>[2] = []) =>
    toReport('referrals', { site_id: site.id, ...range, ...body, ...toLogFilter(state, VISITOR_FILTERS, further) })
  return {
    total: ask({}),
    byDay: ask({ group_by: ['date', 'referral_source'], metrics: ['visits'] }),
    bySource: ask({ group_by: ['referral_source'] }),
    byPageType: ask({ group_by: ['page_type'], metrics: ['visits', 'landing_pages'] }),
    byHour: ask({ group_by: ['hour'], metrics: ['visits'] }),
    paths: ask(
      { group_by: ['path', 'page_type'], metrics: ['visits', 'last_visit'], limit: PATHS_MAX },
      toPathSearch(state.more['q']),
    ),
  }
}
