import type { DuckDBConnection } from '@duckdb/node-api'
import { readCells } from './cells.ts'

/** A path of a log's chunk; its place in the chunk is its `path_seq`. */
export interface RequestedPath {
  readonly path: string
  /** What the site's rules make of it today, from 1; a path that the site has already keeps the type it was stored with. */
  readonly pageTypeNo: number
}

/**
 * Prepares the numbering of paths: `known_paths` holds those met so far, `next_path` the next free number, `live_paths`
 * reads the site's dictionary.
 */
export async function openPathNumbers(
  connection: DuckDBConnection,
  nextPathNo: number,
  livePaths: string | undefined,
): Promise<void> {
  await connection.run('CREATE TABLE known_paths (path VARCHAR, path_no INTEGER, page_type_no UTINYINT)')
  await connection.run(`CREATE TABLE next_path AS SELECT ${nextPathNo}::INTEGER AS path_no`)
  await connection.run(`CREATE VIEW live_paths AS SELECT * FROM ${livePaths ?? 'known_paths'}`)
}

/** Gives each path of `chunk_paths` its number and type in `numbered_paths`; those that the site doesn't have get new numbers. */
export async function numberPaths(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TABLE unknown_paths AS
    SELECT path, any_value(page_type_no) AS page_type_no
    FROM chunk_paths ANTI JOIN known_paths USING (path)
    GROUP BY path`)
  const [[unknown] = []] = await readCells(connection, 'SELECT count(*) FROM unknown_paths')
  if (unknown !== 0) {
    await connection.run(`
      INSERT INTO known_paths
      SELECT path, path_no, page_type_no
      FROM live_paths SEMI JOIN unknown_paths USING (path)`)
    await connection.run(`
      INSERT INTO known_paths
      SELECT path, (SELECT path_no FROM next_path) + row_number() OVER (ORDER BY path) - 1, page_type_no
      FROM unknown_paths ANTI JOIN known_paths USING (path)`)
    await connection.run(`
      UPDATE next_path
      SET path_no = greatest(path_no, (SELECT coalesce(max(path_no), 0) + 1 FROM known_paths))`)
  }
  await connection.run(`
    CREATE OR REPLACE TABLE numbered_paths AS
    SELECT path_seq, path_no, known_paths.page_type_no
    FROM known_paths JOIN chunk_paths USING (path)`)
}
