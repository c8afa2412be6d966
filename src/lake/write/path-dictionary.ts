import type { DuckDBConnection } from '@duckdb/node-api'
import { integer, type Sql, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { openTableAppender } from './table-appender.ts'

/**
 * Prepares the numbering of paths: `known_paths` holds those met so far, new ones in the order of their numbers; `next_path`
 * the next free number; `live_paths` reads the site's dictionary.
 */
export async function openPathDictionary(
  connection: DuckDBConnection,
  nextPathNo: number,
  livePaths: Sql | undefined,
): Promise<void> {
  await runStatement(connection, sql`CREATE TABLE known_paths (path VARCHAR, path_no INTEGER, page_type_no SMALLINT)`)
  await runStatement(connection, sql`CREATE TABLE next_path AS SELECT ${integer(nextPathNo)} AS path_no`)
  await runStatement(
    connection,
    sql`CREATE VIEW live_paths AS SELECT * FROM ${livePaths ?? sql`(FROM known_paths WHERE false)`}`,
  )
}

/**
 * Makes the table `numbered_paths` of distinct paths: `path_id` is a path's index in the list, `path_no` its number in the
 * site's dictionary, a new one where the site doesn't have it. A path keeps the type that it was stored with; `pageTypeNos`
 * are those of new ones. The dictionary is read once: it may be large.
 */
export async function numberPaths(
  connection: DuckDBConnection,
  paths: readonly string[],
  pageTypeNos: readonly number[],
): Promise<void> {
  const table = await openTableAppender(connection, 'chunk_paths', {
    path_id: 'integer',
    path: 'text',
    page_type_no: 'integer',
  })
  for (const [pathId, path] of paths.entries()) {
    table.cells.path_id.push(pathId)
    table.cells.path.push(path)
    table.cells.page_type_no.push(pageTypeNos[pathId] ?? 0)
    table.endRow()
  }
  table.close()
  await runStatement(
    connection,
    sql`
    CREATE OR REPLACE TABLE met_paths AS
    SELECT path, path_no, page_type_no
    FROM known_paths SEMI JOIN chunk_paths USING (path);
    CREATE OR REPLACE TABLE unmet_paths AS
    SELECT path, page_type_no
    FROM chunk_paths ANTI JOIN met_paths USING (path)`,
  )
  const [[unmet] = []] = await readCells(connection, sql`SELECT count(*) FROM unmet_paths`)
  if (unmet !== 0) await numberUnmet(connection)
  await runStatement(
    connection,
    sql`
    CREATE OR REPLACE TABLE numbered_paths AS
    SELECT path_id, path_no, met_paths.page_type_no
    FROM chunk_paths JOIN met_paths USING (path)`,
  )
}

async function numberUnmet(connection: DuckDBConnection): Promise<void> {
  await runStatement(
    connection,
    sql`
    CREATE OR REPLACE TABLE added_paths AS
    SELECT path, path_no, page_type_no
    FROM live_paths SEMI JOIN unmet_paths USING (path);
    INSERT INTO added_paths
    SELECT path, (SELECT path_no FROM next_path) + row_number() OVER (ORDER BY path) - 1, page_type_no
    FROM unmet_paths ANTI JOIN added_paths USING (path);
    INSERT INTO known_paths FROM added_paths ORDER BY path_no;
    INSERT INTO met_paths FROM added_paths;
    UPDATE next_path SET path_no = greatest(path_no, (SELECT max(path_no) + 1 FROM added_paths));
    DROP TABLE added_paths`,
  )
}
