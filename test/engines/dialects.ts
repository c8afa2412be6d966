import type { Dialect } from './portable-sql.ts'

/** DuckDB's, which is Trino's too. */
export const STANDARD: Dialect = {
  text: 'VARCHAR',
  dayNumber: (column) => `date_diff('day', DATE '1970-01-01', ${column})`,
}

/** Sail's, which is Spark's too. */
const SPARK: Dialect = { text: 'STRING', dayNumber: (column) => `datediff(${column}, DATE '1970-01-01')` }

const CLICKHOUSE: Dialect = {
  text: 'Nullable(String)',
  dayNumber: (column) => `dateDiff('day', toDate32('1970-01-01'), ${column})`,
}

/** By the names that `engines.py` knows. */
export const ENGINES: Readonly<Record<string, Dialect>> = { duckdb: STANDARD, clickhouse: CLICKHOUSE, sail: SPARK }
