import { join, type Sql, sql, texts } from './sql.ts'

/**
 * SQL that reads Parquet files. A directory on the way to them named `day=2026-01-01` is no column of theirs. Paths with
 * `*`, `?` and `[` never come here: DuckDB would take them for patterns (config.ts refuses such a data directory).
 */
export function readParquet(paths: readonly string[]): Sql {
  return sql`read_parquet([${join(paths.map(sql.path), sql`, `)}], hive_partitioning = false)`
}

/** The same with the paths as a value. */
export function readParquetBound(paths: readonly string[]): Sql {
  return sql`read_parquet(${texts(paths)}, hive_partitioning = false)`
}
