import { pickKey } from '../../pick-key.ts'
import { type Asking, toReport } from '../../report-questions.ts'
import type { ViewState } from '../../url-state.ts'
import { type LogFilterField, toLogFilter, toPathSearch } from '../logs/log-filter.ts'
import { toPageTypeName } from '../logs/page-types.ts'
import { toBotTypeName, toProviderName } from './names.ts'

/** What the URL may hold of crawlers. */
export const CRAWLER_FILTERS: readonly LogFilterField[] = [
  { parameter: 'bot', field: 'bot_name', title: 'Crawler' },
  { parameter: 'provider', field: 'bot_provider', title: 'Provider', nameOf: toProviderName },
  { parameter: 'purpose', field: 'bot_type', title: 'Purpose', nameOf: toBotTypeName },
  { parameter: 'page_type', field: 'page_type', title: 'Pages', nameOf: toPageTypeName },
  { parameter: 'path', field: 'path', title: 'Page' },
]

/** By what the lines of the chart are told apart. */
export const LINES_BY = { bot: 'bot_name', purpose: 'bot_type', provider: 'bot_provider' } as const
export type LinesBy = keyof typeof LINES_BY

export const toLinesBy = ({ more }: Pick<ViewState, 'more'>): LinesBy => pickKey(more['by'], LINES_BY) ?? 'bot'

const PATHS_MAX = 500
const ERRORS_MAX = 10

/** The questions that the view is made of. Spoofed hits are left out but where `verified` is asked for. */
export function toQuestions({ state, site, range }: Asking) {
  const ask = (body: object, further: Parameters<typeof toLogFilter>[2] = []) =>
    toReport('bots', { site_id: site.id, ...range, ...body, ...toLogFilter(state, CRAWLER_FILTERS, further) })
  const byVerified = (value: boolean) =>
    ask({ group_by: ['bot_name'], metrics: ['hits'] }, [{ field: 'verified', op: 'is', value }])
  const metrics = ['hits', 'pages', 'verified_share', 'error_hits', 'last_visit']
  return {
    total: ask({ metrics }),
    byDay: ask({ group_by: ['date', LINES_BY[toLinesBy(state)]], metrics: ['hits'] }),
    byBot: ask({ group_by: ['bot_name', 'bot_provider', 'bot_type'], metrics }),
    verified: byVerified(true),
    others: byVerified(false),
    byPageType: ask({ group_by: ['page_type'], metrics: ['hits', 'pages', 'error_hits'] }),
    errors: ask({
      group_by: ['path'],
      metrics: ['error_hits', 'hits', 'last_visit'],
      sort: { field: 'error_hits', dir: 'desc' },
      limit: ERRORS_MAX,
    }),
    paths: ask(
      { group_by: ['path', 'page_type'], metrics: ['hits', 'error_hits', 'last_visit'], limit: PATHS_MAX },
      toPathSearch(state.more['q']),
    ),
  }
}
