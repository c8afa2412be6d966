import { DuckDBDataChunk, type DuckDBConnection, UINTEGER } from '@duckdb/node-api'
import { join, sql } from '../sql.ts'
import { runStatement } from '../statement.ts'
import { VECTOR_ROWS } from './table-appender.ts'

/** Columns of whole numbers from 0 to 2^32 - 1, all of one length. */
export type NumberColumns = Readonly<Record<string, Uint32Array>>

/** Makes, or replaces, the table `name` of these columns. Names come from the program alone. */
export async function makeNumberTable(
  connection: DuckDBConnection,
  name: string,
  columns: NumberColumns,
): Promise<void> {
  const definitions = Object.keys(columns).map((column) => sql`${sql.identifier(column)} UINTEGER`)
  await runStatement(connection, sql`CREATE OR REPLACE TABLE ${sql.identifier(name)} (${join(definitions, sql`, `)})`)
  const appender = await connection.createAppender(name)
  const inOrder = Object.values(columns)
  const chunk = DuckDBDataChunk.create(inOrder.map(() => UINTEGER))
  const rows = inOrder[0]?.length ?? 0
  for (let start = 0; start < rows; start += VECTOR_ROWS) {
    const count = Math.min(VECTOR_ROWS, rows - start)
    // Setting it makes the vectors anew, which takes as long as filling them.
    if (chunk.rowCount !== count) chunk.rowCount = count
    for (const [no, column] of inOrder.entries()) {
      const vector = chunk.getColumnVector(no)
      for (let row = 0; row < count; row++) vector.setItem(row, column[start + row] ?? 0)
      vector.flush()
    }
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}
