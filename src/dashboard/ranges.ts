import type { Schemas } from '../client/client.ts'
import { REPORT_DAYS_MAX } from './bounds.ts'
import { today } from './clock.ts'
import { addDays, type DayRange } from './days.ts'
import type { ViewName, ViewState } from './url-state.ts'

/** The last day that has data: of the last scan, else yesterday. */
export function findLatestDay(site: Schemas['Site']): string {
  return site.last_answer_scan?.date ?? addDays(today(), -1)
}

const DEFAULT_DAYS = 28

/** How many days a view shows at most: what one report takes. */
export function findDaysMax(view: ViewName): number {
  return REPORT_DAYS_MAX[view === 'crawlers' || view === 'visitors' ? 'logs' : 'answers']
}

/** The days that a state means; what it leaves out is the last 28 days that have data, and of too many it means the last. */
export function toRange({ from, to, view }: ViewState, latest: string): DayRange {
  const end = to || (from > latest ? from : latest)
  const first = addDays(end, 1 - findDaysMax(view))
  const start = from || addDays(end, 1 - DEFAULT_DAYS)
  return { start_date: start < first ? first : start, end_date: end }
}

export interface Preset {
  readonly title: string
  readonly range: DayRange
  /** What a URL without days means. */
  readonly isDefault?: boolean
}

/** The ranges that are one click away. The last is the month before that of the latest day. */
export function listPresets(latest: string): readonly Preset[] {
  const last = (days: number): DayRange => ({ start_date: addDays(latest, 1 - days), end_date: latest })
  const monthStart = `${latest.slice(0, 7)}-01`
  const beforeMonth = addDays(monthStart, -1)
  return [
    { title: 'Last 7 days', range: last(7) },
    { title: 'Last 28 days', range: last(DEFAULT_DAYS), isDefault: true },
    { title: 'Last 90 days', range: last(90) },
    { title: 'This month', range: { start_date: monthStart, end_date: latest } },
    { title: 'Last month', range: { start_date: `${beforeMonth.slice(0, 7)}-01`, end_date: beforeMonth } },
  ]
}
