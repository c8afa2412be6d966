import type { Schemas } from '../../../client/client.ts'
import { toCountOf } from '../../format.ts'
import { MEANINGS, toBasis, toMeasured, toWritten } from '../../metrics.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { textColumn, wideColumn } from '../../parts/columns.tsx'
import { DataTable, Pages } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SearchField, Select } from '../../parts/field.tsx'
import { type HeatCell, HeatTable } from '../../parts/heat-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Pick } from '../../parts/pick.tsx'
import { Segments } from '../../parts/segments.tsx'
import { toUrl, toView } from '../../url-state.ts'
import { useRows } from '../../use-reply.ts'
import { arrangeRows, type CellsRow, toCellsRows } from './cells.ts'
import type { PartProps } from './part-props.ts'
import type { CellsOf, Order } from './choices.ts'

type EngineId = Schemas['EngineId']
/** An engine, or all of them together. */
type Of = EngineId | 'all'

const ROWS = 20
const OF: readonly { readonly value: CellsOf; readonly title: string }[] = [
  { value: 'prompt', title: 'Prompts' },
  { value: 'category', title: 'Categories' },
]
const ORDERS: readonly { readonly value: Order; readonly title: string }[] = [
  { value: 'high', title: 'highest first' },
  { value: 'low', title: 'lowest first' },
  { value: 'name', title: 'by name' },
]
/** Prompts or categories down, engines across: where the brand is strong and where it is not. */
export function CellsTable({ state, site, choices, questions, brands }: PartProps) {
  const engines = useRows(questions.engines)
  const totals = useRows(questions.totals)
  const cells = useRows(questions.cells)
  const { metric, cells: of, page } = choices
  const own = brands.value?.find(({ brand }) => brand.owned)
  const all = toCellsRows(totals.value ?? [], cells.value ?? [], of)
  const found = arrangeRows(all, choices)
  const start = Math.min(page, Math.max(0, Math.ceil(found.length / ROWS) - 1)) * ROWS
  const byEngine = new Map((engines.value ?? []).map((row) => [row.platform, row]))
  const whole: CellsRow[] =
    own === undefined
      ? []
      : [
          {
            key: '',
            label: of === 'prompt' ? 'All prompts' : 'All categories',
            total: own,
            byEngine: byEngine as CellsRow['byEngine'],
          },
        ]
  const columns: Of[] = [
    'all',
    ...site.platforms.filter((engine) => cells.value?.some(({ platform }) => platform === engine)),
  ]
  const rows =
    choices.search === '' && start === 0 ? [...whole, ...found.slice(0, ROWS)] : found.slice(start, start + ROWS)
  const sentence = `${MEANINGS[metric].title} of ${own?.brand.name ?? 'the brand'} and, small, the answers it stands on. Hatched cells have too few for a number of their own.`
  const more = (changed: Record<string, string>, options?: { readonly replace: boolean }): void =>
    changeUrl({ more: { page: '', ...changed } }, options)
  return (
    <Panel
      title={of === 'prompt' ? 'Prompts by engine' : 'Categories by engine'}
      sentence={sentence}
      questions={[questions.cells, questions.totals, questions.engines, questions.brands]}
      method={MEANINGS[metric].method}
      loading={[engines, totals, cells, brands]}
      controls={
        <div class="view-ways">
          {of === 'prompt' && (
            <SearchField label="Search" value={choices.search} onSearch={(q) => more({ q }, { replace: true })} />
          )}
          <Select
            label="Order"
            value={choices.order}
            options={ORDERS}
            onPick={(order) => more({ order: order === 'high' ? '' : order })}
          />
          <Segments
            label="A row is"
            value={of}
            options={OF}
            onPick={(value) => more({ cells: value === 'prompt' ? '' : value, q: '' })}
          />
        </div>
      }
      numbers={
        <DataTable<Schemas['VisibilityRow']>
          caption={sentence}
          rows={(cells.value ?? []).filter(({ answers = 0 }) => answers > 0)}
          keyOf={({ prompt, category, platform }) => `${prompt?.id ?? category} ${platform}`}
          columns={[
            wideColumn(
              of === 'prompt' ? 'Prompt' : 'Category',
              ({ prompt, category }) => prompt?.text ?? category ?? '',
            ),
            textColumn(
              'Engine',
              ({ platform = '' }) => platform,
              ({ platform }) => platform && ENGINE_NAMES[platform],
            ),
            {
              title: MEANINGS[metric].title,
              isNumber: true,
              cell: (row) => {
                const measured = toMeasured(row, metric)
                return (
                  <span data-metric={metric} data-value={measured.value}>
                    {measured.value === null ? '–' : toWritten(metric)(measured.value)}{' '}
                    <small class="basis">{toBasis(measured, metric)}</small>
                  </span>
                )
              },
              sortBy: (row) => toMeasured(row, metric).value,
            },
          ]}
        />
      }
    >
      {found.length === 0 ? (
        <Empty kind="filtered" title={`Nothing has “${choices.search}” in it.`} />
      ) : (
        <HeatTable<CellsRow, Of>
          metric={metric}
          caption={sentence}
          rowTitle={of === 'prompt' ? toCountOf(all.length, 'prompt') : 'Category'}
          rows={rows}
          columns={columns}
          keyOf={({ key }) => key}
          rowLabel={(row) => <RowLabel row={row} of={of} state={state} />}
          columnLabel={(column) => (column === 'all' ? 'All engines' : ENGINE_NAMES[column])}
          onColumn={(column) => (column === 'all' ? undefined : () => changeUrl({ engines: [column] }))}
          cell={(row, column) => toCell(row, column, { state, choices })}
          format={toWritten(metric)}
          max={MEANINGS[metric].max}
        />
      )}
      <Pages page={start / ROWS} size={ROWS} total={found.length} onTurn={(turned) => more({ page: String(turned) })} />
    </Panel>
  )
}

interface RowLabelProps extends Pick<PartProps, 'state'> {
  readonly row: CellsRow
  readonly of: CellsOf
}

/** A click on a prompt leads to its answers, one on a category makes it the filter. */
function RowLabel({ row: { key, label }, of, state }: RowLabelProps) {
  if (key === '') return <b>{label}</b>
  const answers = toUrl(toView(state, 'answers', { prompt: key }))
  const filter = (): void => changeUrl({ categories: [key as Schemas['Category']] })
  return (
    <Pick to={of === 'prompt' ? answers : filter}>
      <span dir="auto">{label}</span>
    </Pick>
  )
}

function toCell(
  row: CellsRow,
  column: Of,
  { state, choices }: Pick<PartProps, 'state' | 'choices'>,
): HeatCell | undefined {
  const measured = column === 'all' ? row.total : row.byEngine.get(column)
  if (measured === undefined || (measured.answers ?? 0) === 0) return undefined
  const { metric, cells } = choices
  const value = toMeasured(measured, metric)
  if (value.value === null) return undefined
  const narrowed = column === 'all' ? state : { ...state, engines: [column] }
  return {
    value: value.value,
    n: measured.answers ?? 0,
    isUnreliable: measured.reliability !== 'ok',
    basis: toBasis(value, metric),
    to: cells === 'prompt' && row.key !== '' ? toUrl(toView(narrowed, 'answers', { prompt: row.key })) : undefined,
  }
}
