import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api'
import { type Row, toCell } from '../cells.ts'
import type { Sql } from '../sql.ts'
import { compile } from '../statement.ts'
import type { RowBatches } from './row-batches.ts'

/** Runs one SELECT and gives its rows; refuses any other statement. */
export async function runSelect(connection: DuckDBConnection, query: Sql): Promise<Row[]> {
  const prepared = await prepareSelect(connection, query)
  try {
    const reader = await prepared.runAndReadAll()
    return toRows(reader.deduplicatedColumnNames(), reader.getRowsJS())
  } finally {
    prepared.destroySync()
  }
}

/** Runs one SELECT to its end; its rows stay in DuckDB, which must stay open, until they are asked for. */
export async function runKept(connection: DuckDBConnection, query: Sql): Promise<Pick<RowBatches, 'next'>> {
  const prepared = await prepareSelect(connection, query)
  try {
    const result = await prepared.run()
    const names = result.deduplicatedColumnNames()
    const chunks = result.yieldRowsJs()
    return {
      async next() {
        const { value } = await chunks.next()
        return value === undefined ? [] : toRows(names, value)
      },
    }
  } finally {
    prepared.destroySync()
  }
}

async function prepareSelect(connection: DuckDBConnection, query: Sql): Promise<DuckDBPreparedStatement> {
  const { text, values, types } = compile(query)
  const prepared = await connection.prepare(text)
  try {
    if (prepared.statementType !== StatementType.SELECT) throw new Error('only SELECT may run in the server')
    prepared.bind(values, types)
    return prepared
  } catch (error) {
    prepared.destroySync()
    throw error
  }
}

function toRows(names: readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', toCell(cell)])))
}
