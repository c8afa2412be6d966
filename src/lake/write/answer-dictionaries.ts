import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { integer, type Sql, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import type { Staging } from './staging.ts'

/** Next free numbers of a site's dictionaries. */
export interface DictionaryCounters {
  readonly host_no: number
  readonly page_no: number
}

/** Loads the site's hosts and pages into tables of those names; `next_numbers` holds what to number new ones by. */
export async function loadDictionaries(
  connection: DuckDBConnection,
  lakeDir: string,
  liveFiles: readonly LakeFile[],
  counters: DictionaryCounters,
): Promise<void> {
  await runStatement(
    connection,
    sql`CREATE TABLE hosts AS SELECT host_no, host, domain FROM ${readFiles(lakeDir, 'hosts', liveFiles)}`,
  )
  await runStatement(
    connection,
    sql`CREATE TABLE pages AS SELECT page_no, host_no, page FROM ${readFiles(lakeDir, 'pages', liveFiles)}`,
  )
  await runStatement(
    connection,
    sql`
    CREATE TABLE next_numbers AS
    SELECT ${integer(counters.host_no)} AS host_no, ${integer(counters.page_no)} AS page_no`,
  )
}

/** Stages what was added to the dictionaries since `counters`; returns the numbers that are free now. */
export async function writeDictionaries(
  connection: DuckDBConnection,
  staging: Staging,
  counters: DictionaryCounters,
): Promise<DictionaryCounters> {
  const hostNo = integer(counters.host_no)
  const pageNo = integer(counters.page_no)
  await staging.write(connection, 'hosts', 'all', sql`SELECT * FROM hosts WHERE host_no >= ${hostNo} ORDER BY host_no`)
  await staging.write(connection, 'pages', 'all', sql`SELECT * FROM pages WHERE page_no >= ${pageNo} ORDER BY page_no`)
  const rows = await readCells(connection, sql`SELECT host_no, page_no FROM next_numbers`)
  const [nextHostNo, nextPageNo] = rows[0] ?? []
  return { host_no: Number(nextHostNo), page_no: Number(nextPageNo) }
}

/**
 * SQL that makes the tables `mentioned` and `cited` of a chunk's fresh answers, in the columns of their data sets but for
 * the numbers of hosts and pages, and extends the site's dictionaries by what is cited anew. `chunk` has the columns of
 * DerivedJson beside `seq`; `fresh` has a row for each answer to keep (`seq`, `answer_no`, `day`, `platform_no`,
 * `prompt_no`). Afterwards `numbered` gives the number of each page cited and `numbered_hosts` that of each host.
 */
export function deriveTables(chunk: Sql): Sql {
  return sql`
    CREATE OR REPLACE TABLE mentioned AS
    SELECT
      answer_no, day, platform_no, prompt_no,
      unnest(brand_nos) AS brand_no,
      generate_subscripts(brand_nos, 1) AS position
    FROM (SELECT seq, from_json(mentions, '["INTEGER"]') AS brand_nos FROM ${chunk} WHERE mentions IS NOT NULL)
    JOIN fresh USING (seq);

    CREATE OR REPLACE TABLE cited AS
    SELECT answer_no, day, platform_no, prompt_no, unnest(from_json(citations, ${CITATIONS_SHAPE}), recursive := true)
    FROM (SELECT seq, citations FROM ${chunk} WHERE citations IS NOT NULL) JOIN fresh USING (seq);

    CREATE OR REPLACE TABLE cited_pages AS
    SELECT page, any_value(host) AS host
    FROM cited
    WHERE page IS NOT NULL
    GROUP BY page;

    INSERT INTO hosts
    SELECT (SELECT host_no FROM next_numbers) + row_number() OVER (ORDER BY host) - 1, host, domain
    FROM (SELECT host, any_value(domain) AS domain FROM cited GROUP BY host) ANTI JOIN hosts USING (host);

    CREATE OR REPLACE TABLE numbered_hosts AS
    SELECT host_no, host
    FROM hosts SEMI JOIN cited USING (host);

    CREATE OR REPLACE TABLE numbered AS
    SELECT page_no, host_no, page
    FROM pages SEMI JOIN cited_pages USING (page);

    INSERT INTO numbered
    SELECT (SELECT page_no FROM next_numbers) + row_number() OVER (ORDER BY page) - 1, host_no, page
    FROM cited_pages ANTI JOIN numbered USING (page) JOIN hosts USING (host);

    INSERT INTO pages
    SELECT page_no, host_no, page
    FROM numbered
    WHERE page_no >= (SELECT page_no FROM next_numbers);

    UPDATE next_numbers
    SET host_no = greatest(host_no, (SELECT coalesce(max(host_no), 0) + 1 FROM hosts)),
        page_no = greatest(page_no, (SELECT coalesce(max(page_no), 0) + 1 FROM numbered));`
}

/** JSON texts of DerivedJson's citations, for `from_json`. */
export const CITATIONS_SHAPE = sql`'[{
  "position": "INTEGER",
  "url": "VARCHAR",
  "title": "VARCHAR",
  "given_domain": "VARCHAR",
  "page": "VARCHAR",
  "host": "VARCHAR",
  "domain": "VARCHAR",
  "first_of_domain": "BOOLEAN",
  "first_of_page": "BOOLEAN"
}]'`

/** SQL of the chunk's citations with all columns of their data set, once `deriveTables` was run. */
export const SELECT_CITED = sql`
  SELECT cited.*, numbered_hosts.host_no, numbered.page_no
  FROM cited JOIN numbered_hosts ON cited.host = numbered_hosts.host LEFT JOIN numbered ON cited.page = numbered.page`
