import type { Dataset, LakeFile } from '../../domain/manifest.ts'
import { shiftDay, toMonthStart } from '../../domain/day.ts'
import { mentionsField } from '../filter.ts'
import { TIMES } from '../request.ts'
import { isUtcName } from '../log-time.ts'
import type { BotsRequest } from './contract.ts'

/** UTC days of whole months, inclusive. */
export interface WholeMonths {
  readonly first: string
  readonly last: string
}

/**
 * The data set that answers a request with the fewest rows: sums without paths where no path is asked for, sums of whole
 * months where no day is, otherwise the hits themselves.
 */
export type BotSource =
  | { readonly dataset: 'bot_rollup' | 'bot_page_types' | 'bot_hits' }
  /** Whole months of `bot_months`, and `bot_hits` for the days around them. */
  | { readonly dataset: 'bot_months'; readonly months: WholeMonths }

export function chooseBotSource(request: BotsRequest): BotSource {
  const { group_by, metrics, filter } = request
  const names = (field: 'path' | 'page_type'): boolean => group_by.includes(field) || mentionsField(filter, field)
  if (!names('path') && !metrics.includes('pages'))
    return { dataset: names('page_type') ? 'bot_page_types' : 'bot_rollup' }
  const months = group_by.some((name) => TIMES.includes(name)) ? undefined : findWholeMonths(request)
  return months ? { dataset: 'bot_months', months } : { dataset: 'bot_hits' }
}

/** Whether the source's rows name paths. */
export function hasPaths({ dataset }: BotSource): boolean {
  return dataset === 'bot_hits' || dataset === 'bot_months'
}

/** Data sets that a source reads. */
export function listBotDatasets(source: BotSource): readonly Dataset[] {
  return source.dataset === 'bot_months' ? ['bot_months', 'bot_hits'] : [source.dataset]
}

/** Hits of whole months are read as the months' sums. */
export function needsFile(source: BotSource, { dataset, minDay, maxDay }: LakeFile): boolean {
  if (source.dataset !== 'bot_months' || minDay === null || maxDay === null) return true
  const { first, last } = source.months
  const isWithin = minDay >= first && maxDay <= last
  if (dataset === 'bot_months') return minDay <= last && maxDay >= first
  return dataset !== 'bot_hits' || !isWithin
}

/** Months of UTC that lie in the range for certain: of another zone's range, those with a day to spare on both sides. */
function findWholeMonths({ start_date, end_date, timezone }: BotsRequest): WholeMonths | undefined {
  const spare = isUtcName(timezone) ? 0 : 1
  const first = toMonthStart(shiftDay(start_date, spare), 'or after')
  const last = shiftDay(toMonthStart(shiftDay(end_date, 1 - spare), 'or before'), -1)
  return first <= last ? { first, last } : undefined
}
