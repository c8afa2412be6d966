import type { Schemas } from '../../api.ts'
import type { CellsOf } from './settings.ts'

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

/** Rows whose label has the text, without case. */
export function searchRows(rows: readonly CellsRow[], text: string): CellsRow[] {
  const wanted = text.trim().toLocaleLowerCase()
  return wanted === '' ? [...rows] : rows.filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
}
