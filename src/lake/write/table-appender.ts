import {
  BIGINT,
  BOOLEAN,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api'
import { join, sql } from '../sql.ts'
import { runStatement } from '../statement.ts'

const TYPES = { integer: INTEGER, bigint: BIGINT, text: VARCHAR, boolean: BOOLEAN } as const
const SQL_TYPES = { integer: sql`INTEGER`, bigint: sql`BIGINT`, text: sql`VARCHAR`, boolean: sql`BOOLEAN` } as const
/** Rows in one of DuckDB's vectors: what is handed over at a time. */
export const VECTOR_ROWS = 2_048

interface CellTypes {
  integer: number | null
  bigint: bigint | null
  text: string | null
  boolean: boolean | null
}
export type TableColumns = Readonly<Record<string, keyof CellTypes>>

/** Fills a new table from JavaScript, whole vectors at a time: push one cell to each of `cells`, then call `endRow`. */
export interface TableAppender<C extends TableColumns> {
  readonly cells: { readonly [K in keyof C]: CellTypes[C[K]][] }
  endRow(): void
  close(): void
}

/** Makes, or replaces, the table `name`. Names come from the program alone. */
export async function openTableAppender<C extends TableColumns>(
  connection: DuckDBConnection,
  name: string,
  columns: C,
): Promise<TableAppender<C>> {
  const definitions = Object.entries(columns).map(([column, type]) => sql`${sql.identifier(column)} ${SQL_TYPES[type]}`)
  await runStatement(connection, sql`CREATE OR REPLACE TABLE ${sql.identifier(name)} (${join(definitions, sql`, `)})`)
  return createAppender(await connection.createAppender(name), columns)
}

function createAppender<C extends TableColumns>(appender: DuckDBAppender, columns: C): TableAppender<C> {
  const chunk = DuckDBDataChunk.create(Object.values(columns).map((type) => TYPES[type]))
  const cells = {} as { [K in keyof C]: CellTypes[C[K]][] }
  for (const column of Object.keys(columns) as (keyof C)[]) cells[column] = []
  const inOrder: DuckDBValue[][] = Object.values(cells)
  let rows = 0

  function handOver(): void {
    chunk.reset()
    chunk.setColumns(inOrder)
    appender.appendDataChunk(chunk)
    for (const column of inOrder) column.length = 0
    rows = 0
  }

  return {
    cells,
    endRow() {
      rows += 1
      if (rows === VECTOR_ROWS) handOver()
    },
    close() {
      if (rows > 0) handOver()
      appender.closeSync()
    },
  }
}
