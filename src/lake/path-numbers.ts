import type { DuckDBConnection } from '@duckdb/node-api'
import { readCells } from './cells.ts'
import { openTableAppender } from './table-appender.ts'

/** Paths of a log in their order. */
export interface NamedPaths {
  readonly count: number
  /**
   * An object of two lists of that length. `path`, and `page_type_no`: what the site's rules make of each path today,
   * from 1; a path that the site has already keeps the type it was stored with.
   */
  readonly json: string
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
    if (last === PLACES) throw new Error('a list of paths is longer than the keys of hits allow')
    inOrder[last] = pathNo
    places[numbered % SEQS] = last
  }
  return { places, inOrder }
}

/** More than the paths of a list. */
const SEQS = 2 ** 20
/** What 18 bits hold (hit-keys.ts). */
const PLACES = 2 ** 18

/**
 * Prepares the numbering of paths: `known_paths` holds those met so far, new ones in the order of their numbers; `next_path`
 * the next free number; `live_paths` reads the site's dictionary.
 */
export async function openPathNumbers(
  connection: DuckDBConnection,
  nextPathNo: number,
  livePaths: string | undefined,
): Promise<void> {
  await connection.run('CREATE TABLE known_paths (path VARCHAR, path_no INTEGER, page_type_no UTINYINT)')
  await connection.run(`CREATE TABLE next_path AS SELECT ${nextPathNo}::INTEGER AS path_no`)
  await connection.run(`CREATE VIEW live_paths AS SELECT * FROM ${livePaths ?? '(FROM known_paths WHERE false)'}`)
}

/** Copies paths to `path_texts`. */
export async function fillPathTexts(connection: DuckDBConnection, paths: readonly NamedPaths[]): Promise<void> {
  const table = await openTableAppender(connection, 'path_texts', { first_seq: 'integer', json: 'text' })
  let firstSeq = 0
  for (const { count, json } of paths) {
    table.cells.first_seq.push(firstSeq)
    table.cells.json.push(json)
    table.endRow()
    firstSeq += count
  }
  table.close()
}

/**
 * Gives each path of `path_texts` its number and type; those that the site doesn't have get new numbers. `known_paths` is
 * read once: it may be large.
 */
export async function numberPaths(connection: DuckDBConnection): Promise<NumberedPaths> {
  await connection.run(`
    CREATE OR REPLACE TABLE chunk_paths AS
    SELECT first_seq + unnest(range(len(named.path))) AS path_seq, unnest(named.path) AS path,
      unnest(named.page_type_no) AS page_type_no
    FROM (
      SELECT first_seq, from_json(json, '{"path": ["VARCHAR"], "page_type_no": ["UTINYINT"]}') AS named
      FROM path_texts);
    DROP TABLE path_texts;
    CREATE OR REPLACE TABLE numbered_paths AS
    SELECT path, path_no, page_type_no
    FROM known_paths SEMI JOIN chunk_paths USING (path);
    CREATE OR REPLACE TABLE unknown_paths AS
    SELECT path, any_value(page_type_no) AS page_type_no
    FROM chunk_paths ANTI JOIN numbered_paths USING (path)
    GROUP BY path`)
  const [[unknown] = []] = await readCells(connection, 'SELECT count(*) FROM unknown_paths')
  if (unknown !== 0) await numberUnknown(connection)
  const numbered = await connection.runAndReadAll(`
    SELECT path_no, numbered_paths.page_type_no
    FROM numbered_paths JOIN chunk_paths USING (path)
    ORDER BY path_seq`)
  const [pathNos, pageTypeNos] = numbered.getColumnsJS()
  return { pathNos: Uint32Array.from(pathNos ?? [], Number), pageTypeNos: Uint32Array.from(pageTypeNos ?? [], Number) }
}

async function numberUnknown(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TABLE added_paths AS
    SELECT path, path_no, page_type_no
    FROM live_paths SEMI JOIN unknown_paths USING (path);
    INSERT INTO added_paths
    SELECT path, (SELECT path_no FROM next_path) + row_number() OVER (ORDER BY path) - 1, page_type_no
    FROM unknown_paths ANTI JOIN added_paths USING (path);
    INSERT INTO known_paths FROM added_paths ORDER BY path_no;
    INSERT INTO numbered_paths FROM added_paths;
    UPDATE next_path SET path_no = greatest(path_no, (SELECT max(path_no) + 1 FROM added_paths));
    DROP TABLE added_paths`)
}
