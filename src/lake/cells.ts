import type { DuckDBConnection } from '@duckdb/node-api'

/** A value that leaves DuckDB: integers as numbers; days and other types are made text in the SQL. */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>

export function toCell(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value)
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new Error(`a query may not return a ${typeof value}; make it text in the SQL`)
}

/** Runs a statement of this program's own and gives its rows, cell by cell. */
export async function readCells(connection: DuckDBConnection, sql: string): Promise<Cell[][]> {
  const reader = await connection.runAndReadAll(sql)
  return reader.getRowsJS().map((row) => row.map(toCell))
}
