import { useState } from 'preact/hooks'
import type { Schemas } from '../../client/client.ts'
import { countDays, type DayRange } from '../days.ts'
import { toDays, toLongDay } from '../format.ts'
import { CATEGORIES, ENGINE_NAMES } from '../names.ts'
import { changeUrl } from '../navigation.ts'
import { findDaysMax, findLatestDay, listPresets } from '../ranges.ts'
import type { ViewName, ViewState } from '../url-state.ts'
import { Button } from './button.tsx'
import { Chip, Chips } from './chip.tsx'
import { Field } from './field.tsx'
import { Menu } from './menu.tsx'

/** Which filters a view takes. */
interface Takes {
  readonly compare: boolean
  readonly answers: boolean
}

const OF_ANSWERS: Takes = { compare: true, answers: true }
const OF_LOGS: Takes = { compare: true, answers: false }

const TAKES: Readonly<Record<ViewName, Takes | undefined>> = {
  overview: OF_ANSWERS,
  visibility: OF_ANSWERS,
  prompts: OF_ANSWERS,
  answers: { ...OF_ANSWERS, compare: false },
  sources: OF_ANSWERS,
  competitors: OF_ANSWERS,
  tone: OF_ANSWERS,
  crawlers: OF_LOGS,
  visitors: OF_LOGS,
  actions: undefined,
  scan: undefined,
}

export interface FilterBarProps {
  readonly state: ViewState
  readonly site: Schemas['Site']
  readonly range: DayRange
  readonly compared: DayRange | undefined
}

/** The days and filters of a view, all kept in the URL; nothing where the view takes none. */
export function FilterBar({ state, site, range, compared }: FilterBarProps) {
  const takes = TAKES[state.view]
  if (takes === undefined) return null
  const { from, engines, categories } = state
  const filters = [...engines.map((engine) => ENGINE_NAMES[engine]), ...categories]
  const printed = [site.domain, toDays(range.start_date, range.end_date), ...filters].join(' · ')
  return (
    <div class="filter-bar" role="group" aria-label="Days and filters" data-print={`${printed} (UTC)`}>
      <RangeMenu site={site} range={range} daysMax={findDaysMax(state.view)} />
      {takes.compare && (
        <label class="check">
          <input
            type="checkbox"
            checked={state.compare === 'previous'}
            onChange={(event) => changeUrl({ compare: event.currentTarget.checked ? 'previous' : 'none' })}
          />
          {compared === undefined ? 'Compare' : `Compare with ${toDays(compared.start_date, compared.end_date)}`}
        </label>
      )}
      {takes.answers && (
        <>
          <PickMenu
            title="Engines"
            options={site.platforms.map((engine) => ({ value: engine, title: ENGINE_NAMES[engine] }))}
            picked={engines}
            onPick={(picked) => changeUrl({ engines: picked })}
          />
          <PickMenu
            title="Categories"
            options={CATEGORIES.map((category) => ({ value: category, title: category }))}
            picked={categories}
            onPick={(picked) => changeUrl({ categories: picked })}
          />
          <Chips>
            {engines.map((engine) => (
              <Chip
                key={engine}
                label={ENGINE_NAMES[engine]}
                onRemove={() => changeUrl({ engines: engines.filter((one) => one !== engine) })}
              />
            ))}
            {categories.map((category) => (
              <Chip
                key={category}
                label={category}
                onRemove={() => changeUrl({ categories: categories.filter((one) => one !== category) })}
              />
            ))}
          </Chips>
        </>
      )}
      {from !== '' && from < range.start_date && (
        <p class="quiet">
          Since {toLongDay(from)} are more days than this view takes: these are the last {countDays(range)}.
        </p>
      )}
    </div>
  )
}

interface PickMenuProps<Value extends string> {
  readonly title: string
  readonly options: readonly { readonly value: Value; readonly title: string }[]
  readonly picked: readonly Value[]
  readonly onPick: (picked: readonly Value[]) => void
}

function PickMenu<Value extends string>({ title, options, picked, onPick }: PickMenuProps<Value>) {
  return (
    <Menu title={picked.length === 0 ? title : `${title}: ${picked.length}`}>
      {() => (
        <fieldset class="pick-list">
          <legend class="unseen">{title}</legend>
          {options.map(({ value, title }) => (
            <label key={value} class="check">
              <input
                type="checkbox"
                checked={picked.includes(value)}
                onChange={(event) =>
                  onPick(event.currentTarget.checked ? [...picked, value] : picked.filter((one) => one !== value))
                }
              />
              {title}
            </label>
          ))}
        </fieldset>
      )}
    </Menu>
  )
}

interface RangeMenuProps extends Pick<FilterBarProps, 'site' | 'range'> {
  readonly daysMax: number
}

function RangeMenu({ site, range, daysMax }: RangeMenuProps) {
  const presets = listPresets(findLatestDay(site))
  const isShown = (preset: DayRange): boolean =>
    preset.start_date === range.start_date && preset.end_date === range.end_date
  const shown = presets.find((preset) => isShown(preset.range))
  const days = toDays(range.start_date, range.end_date)
  const title = shown === undefined ? days : `${shown.title}: ${days}`
  return (
    <Menu title={title} label={`Days: ${title}`}>
      {(close) => (
        <>
          <ul class="menu-list">
            {presets.map((preset) => (
              <li key={preset.title}>
                <button
                  type="button"
                  aria-pressed={isShown(preset.range)}
                  onClick={() => {
                    const { start_date, end_date } = preset.range
                    changeUrl(preset.isDefault ? { from: '', to: '' } : { from: start_date, to: end_date })
                    close()
                  }}
                >
                  {preset.title}
                </button>
              </li>
            ))}
          </ul>
          <OwnDays range={range} daysMax={daysMax} onDone={close} />
        </>
      )}
    </Menu>
  )
}

interface OwnDaysProps {
  readonly range: DayRange
  readonly daysMax: number
  readonly onDone: () => void
}

function OwnDays({ range, daysMax, onDone }: OwnDaysProps) {
  const [from, setFrom] = useState(range.start_date)
  const [to, setTo] = useState(range.end_date)
  const days = countDays({ start_date: from, end_date: to })
  const fault = days < 1 ? 'The first day is after the last.' : days > daysMax ? `At most ${daysMax} days.` : undefined
  return (
    <form
      class="own-days"
      onSubmit={(event) => {
        event.preventDefault()
        if (fault !== undefined || Number.isNaN(days)) return
        changeUrl({ from, to })
        onDone()
      }}
    >
      <Field label="From" type="date" name="from" value={from} onInput={setFrom} isRequired />
      <Field label="To" type="date" name="to" value={to} onInput={setTo} isRequired fault={fault} />
      <Button type="submit">Show</Button>
    </form>
  )
}
