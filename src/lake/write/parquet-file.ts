import type { DuckDBConnection } from '@duckdb/node-api'
import * as v from 'valibot'
import { type Sql, sql } from '../sql.ts'
import { runAndRead } from '../statement.ts'

export interface WrittenParquet {
  readonly rows: number
  readonly bytes: number
  /** Of the column `day`; null without one, or without rows. */
  readonly minDay: string | null
  readonly maxDay: string | null
}

/** Writes the rows of `select`, in its order, as one Parquet file. Rejects with DuckDB's own error. */
export async function writeParquet(
  connection: DuckDBConnection,
  path: string,
  { select, rowGroupRows }: { readonly select: Sql; readonly rowGroupRows: number },
): Promise<WrittenParquet> {
  const reader = await runAndRead(
    connection,
    sql`
    COPY (${select})
    TO ${sql.path(path)}
    (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${sql.count(rowGroupRows)}, PRESERVE_ORDER true, RETURN_STATS)`,
  )
  const [written] = v.parse(v.tuple([CopyStatistics]), reader.getRowObjectsJson())
  const { value: ofDay = [] } = written.column_statistics.find(({ key }) => key === '"day"') ?? {}
  const find = (name: string): string | null => ofDay.find(({ key }) => key === name)?.value ?? null
  return {
    rows: Number(written.count),
    bytes: Number(written.file_size_bytes),
    minDay: find('min'),
    maxDay: find('max'),
  }
}

const MapEntries = <const V extends v.GenericSchema>(value: V) => v.array(v.object({ key: v.string(), value }))

/** What DuckDB's RETURN_STATS tells of a file; a map is a list of its entries. */
const CopyStatistics = v.object({
  count: v.string(),
  file_size_bytes: v.string(),
  column_statistics: MapEntries(MapEntries(v.string())),
})
