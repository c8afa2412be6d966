import { type DuckDBConnection, StatementType } from '@duckdb/node-api'
import { type Row, toCell } from '../cells.ts'
import type { Sql } from '../sql.ts'
import { compile } from '../statement.ts'

/** Runs one SELECT and gives its rows; refuses any other statement. */
export async function runSelect(connection: DuckDBConnection, query: Sql): Promise<Row[]> {
  const { text, values, types } = compile(query)
  const prepared = await connection.prepare(text)
  try {
    if (prepared.statementType !== StatementType.SELECT) throw new Error('only SELECT may run in the server')
    prepared.bind(values, types)
    const reader = await prepared.runAndReadAll()
    const names = reader.deduplicatedColumnNames()
    return reader.getRowsJS().map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', toCell(cell)])))
  } finally {
    prepared.destroySync()
  }
}
