import { toDays } from '../../format.ts'
import { Empty } from '../../parts/empty.tsx'
import type { ViewProps } from '../view-props.ts'
import { LogChips } from './log-chips.tsx'
import { type LogFilterField, listLogFilters } from './log-filter.ts'

export interface NoneCountedProps extends Pick<ViewProps, 'state' | 'range'> {
  readonly fields: readonly LogFilterField[]
  readonly title: string
  /** What the log has none of: `hit of a known robot`. */
  readonly what: string
}

/** In the place of crawlers and visitors where a log has none of them in these days, or none that the filters leave. */
export function NoneCounted({ state, range, fields, title, what }: NoneCountedProps) {
  const isFiltered = listLogFilters(state, fields).length > 0
  return (
    <>
      <LogChips state={state} fields={fields} />
      <Empty kind={isFiltered ? 'filtered' : 'none'} title={title}>
        <p>
          The log has no {what}, {toDays(range.start_date, range.end_date)} (UTC)
          {isFiltered ? ', that fits the filters' : ''}.
        </p>
      </Empty>
    </>
  )
}
