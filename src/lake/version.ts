import { version } from '@duckdb/node-api'

/** Version of the DuckDB library in use, `1.5.5`. */
export function duckdbVersion(): string {
  return version().replace(/^v/, '')
}
