import { changeUrl } from '../../navigation.ts'
import { Chip, Chips } from '../../parts/chip.tsx'
import type { ViewState } from '../../url-state.ts'
import { type LogFilterField, listLogFilters } from './log-filter.ts'

/** The filters that are on, each with a way to take it off. */
export function LogChips({ state, fields }: { readonly state: ViewState; readonly fields: readonly LogFilterField[] }) {
  const filters = listLogFilters(state, fields)
  if (filters.length === 0) return null
  return (
    <div class="filter-bar">
      <Chips>
        {filters.map(({ parameter, label }) => (
          <Chip key={parameter} label={label} onRemove={() => changeUrl({ more: { [parameter]: '' } })} />
        ))}
      </Chips>
    </div>
  )
}
