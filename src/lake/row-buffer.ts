import {
  BIGINT,
  BOOLEAN,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api'

const TYPES = { integer: INTEGER, bigint: BIGINT, text: VARCHAR, boolean: BOOLEAN } as const
const SQL_TYPES = { integer: 'INTEGER', bigint: 'BIGINT', text: 'VARCHAR', boolean: 'BOOLEAN' } as const
/** Rows in one of DuckDB's vectors. */
const CHUNK_ROWS = 2_048

export type BufferColumns = Readonly<Record<string, keyof typeof TYPES>>

/** Rows gathered column by column in memory, then appended to a table of DuckDB in whole vectors. */
export class RowBuffer {
  readonly #columns: BufferColumns
  readonly #types: DuckDBType[]
  readonly #values: DuckDBValue[][]
  #rows = 0

  constructor(columns: BufferColumns) {
    this.#columns = columns
    this.#types = Object.values(columns).map((type) => TYPES[type])
    this.#values = this.#types.map(() => [])
  }

  get rows(): number {
    return this.#rows
  }

  /** One row, its cells in the order of the columns. */
  push(...cells: readonly DuckDBValue[]): void {
    for (let i = 0; i < cells.length; i++) this.#values[i]?.push(cells[i] ?? null)
    this.#rows += 1
  }

  /** Makes (or replaces) the temporary table `name` with the rows, and empties the buffer. */
  async moveTo(connection: DuckDBConnection, name: string): Promise<void> {
    const columns = Object.entries(this.#columns).map(([column, type]) => `${column} ${SQL_TYPES[type]}`)
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${columns.join(', ')})`)
    const appender = await connection.createAppender(name)
    const chunk = DuckDBDataChunk.create(this.#types)
    for (let start = 0; start < this.#rows; start += CHUNK_ROWS) {
      chunk.reset()
      chunk.setColumns(this.#values.map((column) => column.slice(start, start + CHUNK_ROWS)))
      appender.appendDataChunk(chunk)
    }
    appender.closeSync()
    for (const column of this.#values) column.length = 0
    this.#rows = 0
  }
}
