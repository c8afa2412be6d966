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

const TYPES = { integer: INTEGER, bigint: BIGINT, text: VARCHAR, boolean: BOOLEAN } as const
const SQL_TYPES = { integer: 'INTEGER', bigint: 'BIGINT', text: 'VARCHAR', boolean: 'BOOLEAN' } as const
/** Rows in one of DuckDB's vectors: what is handed over at a time. */
const VECTOR_ROWS = 2_048

export type TableColumns = Readonly<Record<string, keyof typeof TYPES>>

/** Fills a new temporary table from JavaScript, whole vectors at a time. */
export class TableAppender {
  /** Values of the rows not yet handed over, column by column. */
  readonly #cells: DuckDBValue[][]
  readonly #appender: DuckDBAppender
  readonly #chunk: DuckDBDataChunk

  /** Use `openTableAppender`. */
  constructor(appender: DuckDBAppender, columns: TableColumns) {
    const types = Object.values(columns).map((type) => TYPES[type])
    this.#cells = types.map(() => [])
    this.#appender = appender
    this.#chunk = DuckDBDataChunk.create(types)
  }

  /** One row; its cells in the order of the columns. */
  push(...row: readonly DuckDBValue[]): void {
    for (let i = 0; i < row.length; i++) this.#cells[i]?.push(row[i] ?? null)
    if ((this.#cells[0]?.length ?? 0) >= VECTOR_ROWS) this.#handOver()
  }

  close(): void {
    if ((this.#cells[0]?.length ?? 0) > 0) this.#handOver()
    this.#appender.closeSync()
  }

  #handOver(): void {
    this.#chunk.reset()
    this.#chunk.setColumns(this.#cells)
    this.#appender.appendDataChunk(this.#chunk)
    for (const column of this.#cells) column.length = 0
  }
}

/** Makes, or replaces, the temporary table `name`. Names come from the program alone. */
export async function openTableAppender(
  connection: DuckDBConnection,
  name: string,
  columns: TableColumns,
): Promise<TableAppender> {
  const definitions = Object.entries(columns).map(([column, type]) => `${column} ${SQL_TYPES[type]}`)
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${definitions.join(', ')})`)
  return new TableAppender(await connection.createAppender(name), columns)
}
