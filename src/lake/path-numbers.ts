import type { DuckDBConnection } from '@duckdb/node-api'
import { readCells } from './cells.ts'
import { openTableAppender } from './table-appender.ts'

/** A path of a log. */
export interface RequestedPath {
  readonly path: string
  /** What the site's rules make of it today, from 1; a path that the site has already keeps the type it was stored with. */
  readonly pageTypeNo: number
}

/** Paths of a log, each at its place. */
export interface NumberedPaths {
  /** Their numbers in the site's dictionary; the same for texts that are the same path in UTF-8. */
  readonly pathNos: Uint32Array
  readonly pageTypeNos: Uint32Array
}

/** Where the number of each path stands among all the numbers. */
export interface PathOrder {
  readonly places: Uint32Array
  /** The numbers in their order. */
  readonly inOrder: Uint32Array
}

export function orderPaths({ pathNos }: NumberedPaths): PathOrder {
  const places = new Uint32Array(pathNos.length)
  const inOrder = new Uint32Array(pathNos.length)
  let last = -1
  // A number and its place in one, of fewer than 53 bits, is sorted without a function that compares.
  for (const numbered of Float64Array.from(pathNos, (pathNo, seq) => pathNo * SEQS + seq).sort()) {
    const pathNo = Math.floor(numbered / SEQS)
    if (pathNo !== inOrder[last]) last += 1
    inOrder[last] = pathNo
    places[numbered % SEQS] = last
  }
  return { places, inOrder }
}

/** More than the paths of a chunk. */
const SEQS = 2 ** 20

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

/** Copies paths to `chunk_paths`. */
export async function fillChunkPaths(connection: DuckDBConnection, paths: Iterable<RequestedPath>): Promise<void> {
  const table = await openTableAppender(connection, 'chunk_paths', {
    path_seq: 'integer',
    path: 'text',
    page_type_no: 'integer',
  })
  let pathSeq = 0
  for (const { path, pageTypeNo } of paths) {
    table.cells.path_seq.push(pathSeq)
    table.cells.path.push(path)
    table.cells.page_type_no.push(pageTypeNo)
    table.endRow()
    pathSeq += 1
  }
  table.close()
}

/** Gives each path of `chunk_paths` its number and type; those that the site doesn't have get new numbers. */
export async function numberPaths(connection: DuckDBConnection): Promise<NumberedPaths> {
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
  const numbered = await connection.runAndReadAll(`
    SELECT path_no, known_paths.page_type_no
    FROM known_paths JOIN chunk_paths USING (path)
    ORDER BY path_seq`)
  const [pathNos, pageTypeNos] = numbered.getColumnsJS()
  return { pathNos: Uint32Array.from(pathNos ?? [], Number), pageTypeNos: Uint32Array.from(pageTypeNos ?? [], Number) }
}
