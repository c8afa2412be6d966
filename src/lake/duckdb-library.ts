/**
 * Gets DuckDB's library ready for being loaded: nothing to do where npm has installed it. The executable has its own
 * `bin/executable/duckdb-library.mts`, which unpacks and checks it.
 */
export async function prepareDuckdbLibrary(): Promise<void> {}
