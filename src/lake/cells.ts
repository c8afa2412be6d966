/** A value that leaves DuckDB: integers as numbers; days and other types are made text in the SQL. */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>

/** A value of DuckDB's as a cell. Throws for a type that no cell can hold. */
export function toCell(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value)
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new Error(`a query may not return a ${typeof value}; make it text in the SQL`)
}
