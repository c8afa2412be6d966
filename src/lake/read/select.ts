import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  JSDuckDBValueConverter,
  StatementType,
} from '@duckdb/node-api'
import { WHOLE_BATCH_ROWS } from '../../limits.ts'
import { type Cell, type Row, toCell } from '../cells.ts'
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

/**
 * The same for `count` rows with long texts, in slices. They stay in DuckDB until their slice is asked for, and what DuckDB
 * holds of them goes as they are read: of another result it stays until Node's next collection of garbage, which doesn't see it.
 */
export async function runTexts(
  connection: DuckDBConnection,
  query: Sql,
  count: number,
): Promise<Iterable<readonly Row[]>> {
  const prepared = await prepareSelect(connection, query)
  try {
    const result = await prepared.stream()
    const names = result.deduplicatedColumnNames()
    const chunks = await result.fetchAllChunks()
    // A stream that fails ends like any other: only the repetition says why.
    const isWhole = chunks.reduce((rows, chunk) => rows + chunk.rowCount, 0) === count
    return isWhole ? readSlices(names, chunks) : [await runSelect(connection, query)]
  } finally {
    prepared.destroySync()
  }
}

function* readSlices(names: readonly string[], chunks: readonly DuckDBDataChunk[]): Generator<readonly Row[], void> {
  for (const chunk of chunks) {
    try {
      const { rowCount, columnCount } = chunk
      const columns = Array.from({ length: columnCount }, (_, column) => chunk.getColumnVector(column))
      for (let from = 0; from < rowCount; from += WHOLE_BATCH_ROWS.long) {
        const length = Math.min(WHOLE_BATCH_ROWS.long, rowCount - from)
        // A column keeps the texts that were read of it, a part of it only as long as the part itself.
        const parts = columns.map((column) => column.slice(from, length))
        yield toRows(
          names,
          Array.from({ length }, (_, at) =>
            parts.map((part) => JSDuckDBValueConverter(part.getItem(at), part.type, JSDuckDBValueConverter)),
          ),
        )
      }
    } finally {
      chunk.reset()
    }
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
  return rows.map((cells) => {
    const row: Record<string, Cell> = {}
    names.forEach((name, i) => (row[name] = toCell(cells[i])))
    return row
  })
}
