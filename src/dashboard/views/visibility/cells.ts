import { compareTexts } from '../../format.ts'
import type { Schemas } from '../../../client/client.ts'
import { toMeasured } from '../../metrics.ts'
import type { CellsOf, Choices } from './choices.ts'

type VisibilityRow = Schemas['VisibilityRow']

/** A row of the heat table: a prompt or a category, with its row over all engines. */
export interface CellsRow {
  readonly key: string
  readonly label: string
  readonly total: VisibilityRow
  readonly byEngine: ReadonlyMap<Schemas['EngineId'], VisibilityRow>
}

/** `totals` by prompt or category and `cells` of these by `platform`, as rows of a table in the order of the totals. */
export function toCellsRows(
  totals: readonly VisibilityRow[],
  cells: readonly VisibilityRow[],
  of: CellsOf,
): CellsRow[] {
  const byRow = new Map<string, Map<Schemas['EngineId'], VisibilityRow>>()
  for (const cell of cells) {
    if (cell.platform === undefined) continue
    const key = toKey(cell, of)
    const row = byRow.get(key) ?? new Map<Schemas['EngineId'], VisibilityRow>()
    byRow.set(key, row.set(cell.platform, cell))
  }
  return totals.map((total) => {
    const key = toKey(total, of)
    const label = of === 'prompt' ? (total.prompt?.text ?? '') : (total.category ?? '')
    return { key, label, total, byEngine: byRow.get(key) ?? new Map<Schemas['EngineId'], VisibilityRow>() }
  })
}

const toKey = ({ prompt, category }: VisibilityRow, of: CellsOf): string =>
  (of === 'prompt' ? prompt?.id : category) ?? ''

/** Rows whose label has the text, without case, in order; rows without answers stand last. */
export function arrangeRows(
  rows: readonly CellsRow[],
  { search, order, metric }: Pick<Choices, 'search' | 'order' | 'metric'>,
): CellsRow[] {
  const wanted = search.trim().toLocaleLowerCase()
  const kept = rows.filter(({ label }) => wanted === '' || label.toLocaleLowerCase().includes(wanted))
  if (order === 'name') return kept.sort((a, b) => compareTexts(a.label, b.label))
  const sign = order === 'low' ? 1 : -1
  return kept.sort((a, b) => {
    const [first, second] = [toMeasured(a.total, metric).value, toMeasured(b.total, metric).value]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return (first - second) * sign || compareTexts(a.label, b.label)
  })
}
