import type { Schemas } from '../../../client/client.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toPercent, toShortDay } from '../../format.ts'
import { toBasis, toMeasured } from '../../metrics.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { type HeatCell, HeatTableCell } from '../../parts/heat-table.tsx'
import { Pick } from '../../parts/pick.tsx'
import { toUrl, toView, type ViewState } from '../../url-state.ts'
import type { ViewProps } from '../view-props.ts'
import { StatusSwitch } from './status-switch.tsx'
import { type PromptRow, type Sort, type TableState, toLastDays } from './table.ts'

type VisibilityRow = Schemas['VisibilityRow']
type EngineId = Schemas['EngineId']

interface PromptTableProps extends ViewProps {
  readonly table: TableState
  readonly rows: readonly PromptRow[]
  /** By `prompt` and `platform`, of the rows. */
  readonly cells: readonly VisibilityRow[]
  /** By `prompt` and `date`, of the rows. */
  readonly days: readonly VisibilityRow[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

/** A page of prompts, each with its rate over all engines and on each. */
export function PromptTable(props: PromptTableProps) {
  const { state, site, table, rows, cells, days, selected, onSelect } = props
  const engines = site.platforms.filter((engine) => state.engines.length === 0 || state.engines.includes(engine))
  const byCell = new Map(cells.map((cell) => [`${cell.prompt?.id} ${cell.platform}`, cell]))
  const lastDays = toLastDays(days)
  const ids = rows.map(({ prompt }) => prompt.id)
  const areAll = ids.every((id) => selected.has(id))
  const toggle = (changed: readonly string[], isOn: boolean): void => {
    const next = new Set(selected)
    for (const id of changed)
      if (isOn) next.add(id)
      else next.delete(id)
    onSelect(next)
  }
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label="Prompts">
      <table class="heat prompts">
        <caption class="unseen">
          Prompts with the share of answers that name the brand, over all engines and on each
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={areAll}
                onChange={(event) => toggle(ids, event.currentTarget.checked)}
              />
            </th>
            <Head sort="text" title="Prompt" table={table} />
            <Head sort="category" title="Category" table={table} />
            <Head sort="status" title="Asked" table={table} />
            <Head sort="rate" title="Named" table={table} isNumber />
            {engines.map((engine) => (
              <th key={engine} scope="col" class="number">
                {ENGINE_NAMES[engine]}
              </th>
            ))}
            <th scope="col" class="number">
              Last answer
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ prompt, measured }) => (
            <tr key={prompt.id} data-key={prompt.id} class={selected.has(prompt.id) ? 'chosen' : undefined}>
              <td class="plain">
                <input
                  type="checkbox"
                  aria-label={`Select ${showHidden(prompt.text)}`}
                  checked={selected.has(prompt.id)}
                  onChange={(event) => toggle([prompt.id], event.currentTarget.checked)}
                />
              </td>
              <th scope="row">
                <a dir="auto" class="prompt-text" href={toUrl(toView(state, 'answers', { prompt: prompt.id }))}>
                  {showHidden(prompt.text)}
                </a>
                <small class="quiet">
                  <span class="small-category">{prompt.category} </span>
                  {prompt.market !== null && <span dir="auto">{showHidden(prompt.market)}</span>}
                </small>
              </th>
              <td class="plain category">
                <Pick to={() => changeUrl({ categories: [prompt.category] })}>{prompt.category}</Pick>
              </td>
              <td class="plain">
                <StatusSwitch site={site} prompt={prompt} />
              </td>
              <HeatTableCell metric="mention_rate" cell={toCell(measured)} format={toPercent} max={1} />
              {engines.map((engine) => (
                <HeatTableCell
                  key={engine}
                  metric="mention_rate"
                  cell={toCell(byCell.get(`${prompt.id} ${engine}`), toAnswers(state, prompt.id, engine))}
                  format={toPercent}
                  max={1}
                />
              ))}
              <td class="plain number">{toLast(lastDays.get(prompt.id))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const toAnswers = (state: ViewState, prompt: string, engine: EngineId): string =>
  toUrl(toView({ ...state, engines: [engine] }, 'answers', { prompt }))

function toCell(row: VisibilityRow | undefined, to?: string): HeatCell | undefined {
  if (row === undefined || (row.answers ?? 0) === 0) return undefined
  const measured = toMeasured(row, 'mention_rate')
  if (measured.value === null) return undefined
  return {
    value: measured.value,
    n: row.answers ?? 0,
    isUnreliable: row.reliability !== 'ok',
    basis: toBasis(measured, 'mention_rate'),
    to,
  }
}

const toLast = (day: string | undefined) =>
  day === undefined ? <span class="quiet">none in these days</span> : toShortDay(day)

interface HeadProps {
  readonly sort: Sort
  readonly title: string
  readonly table: TableState
  readonly isNumber?: boolean
}

/** A column's title; a click sorts all pages by it, and a second one the other way. */
function Head({ sort, title, table, isNumber }: HeadProps) {
  const isSorted = table.sort === sort
  const isDescending = isSorted ? !table.isDescending : isNumber === true
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : sort}
      aria-sort={isSorted ? (table.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        class="sort"
        onClick={() => changeUrl({ more: { sort: `${isDescending ? '-' : ''}${sort}`, page: '' } })}
      >
        {title}
      </button>
    </th>
  )
}
