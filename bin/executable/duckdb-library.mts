import { checkAhead } from './unpack.mts'

/** Stands in for `src/lake/duckdb-library.ts`: the library is large, and a server checks it while it serves. */
export function prepareDuckdbLibrary(): Promise<void> {
  return checkAhead('duckdb')
}
