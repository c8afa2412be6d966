import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../domain/manifest.ts'
import type { AnswerChunk } from './answer-chunk.ts'
import type { PageNumbers } from './page-numbers.ts'
import { readCells } from './cells.ts'
import { readFiles } from './files-relation.ts'
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
  await connection.run(
    `CREATE TABLE hosts AS SELECT host_no, host, domain FROM ${readFiles(lakeDir, 'hosts', liveFiles)}`,
  )
  await connection.run(
    `CREATE TABLE pages AS SELECT page_no, host_no, page FROM ${readFiles(lakeDir, 'pages', liveFiles)}`,
  )
  await connection.run(`
    CREATE TABLE next_numbers AS
    SELECT ${counters.host_no}::INTEGER AS host_no, ${counters.page_no}::INTEGER AS page_no`)
}

/** Stages what was added to the dictionaries since `counters`; returns the numbers that are free now. */
export async function writeDictionaries(
  connection: DuckDBConnection,
  staging: Staging,
  counters: DictionaryCounters,
): Promise<DictionaryCounters> {
  const { host_no, page_no } = counters
  await staging.write(connection, 'hosts', 'all', `SELECT * FROM hosts WHERE host_no >= ${host_no} ORDER BY host_no`)
  await staging.write(connection, 'pages', 'all', `SELECT * FROM pages WHERE page_no >= ${page_no} ORDER BY page_no`)
  const rows = await readCells(connection, 'SELECT host_no, page_no FROM next_numbers')
  const [nextHostNo, nextPageNo] = rows[0] ?? []
  return { host_no: Number(nextHostNo), page_no: Number(nextPageNo) }
}

/**
 * SQL of a chunk's mentions and citations in the columns of their data sets. `fresh` has a row for each answer (`seq`,
 * `answer_no`, `day`, `platform_no`, `prompt_no`), `numbered` the numbers of the chunk's pages.
 */
export function selectDerived(chunk: Pick<AnswerChunk, 'mentions' | 'citations'>): {
  mentions: string
  citations: string
} {
  return {
    mentions: `
      SELECT answer_no, day, platform_no, prompt_no, brand_no, position
      FROM ${chunk.mentions} JOIN fresh USING (seq)`,
    citations: `
      SELECT
        answer_no, day, platform_no, prompt_no, position,
        coalesce(chunk.host_no, numbered.host_no) AS host_no,
        coalesce(chunk.page_no, numbered.page_no) AS page_no,
        first_of_domain, first_of_page, url, title, given_domain
      FROM ${chunk.citations} AS chunk JOIN fresh USING (seq) LEFT JOIN numbered USING (page_seq)`,
  }
}

/** Extends the site's dictionaries by what the chunk's fresh answers cite anew; `numbered` gives each page its numbers. */
export async function numberHostsAndPages(
  connection: DuckDBConnection,
  chunk: Pick<AnswerChunk, 'citations' | 'pages'>,
  pageNumbers: PageNumbers,
): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TABLE fresh_pages AS
    SELECT chunk.*
    FROM ${chunk.pages} AS chunk
    SEMI JOIN (SELECT page_seq FROM ${chunk.citations} SEMI JOIN fresh USING (seq)) AS cited USING (page_seq)`)
  await connection.run(`
    INSERT INTO hosts
    SELECT (SELECT host_no FROM next_numbers) + row_number() OVER (ORDER BY host) - 1, host, domain
    FROM (SELECT host, any_value(domain) AS domain FROM fresh_pages GROUP BY host) ANTI JOIN hosts USING (host)`)
  await connection.run(`
    CREATE OR REPLACE TABLE numbered AS
    SELECT page_seq, page_no, host_no, page
    FROM pages JOIN fresh_pages USING (page)`)
  await connection.run(`
    INSERT INTO numbered
    SELECT page_seq, (SELECT page_no FROM next_numbers) + row_number() OVER (ORDER BY page) - 1, host_no, page
    FROM fresh_pages ANTI JOIN numbered USING (page_seq) JOIN hosts USING (host)`)
  await connection.run(`
    INSERT INTO pages
    SELECT page_no, host_no, page
    FROM numbered
    WHERE page_no >= (SELECT page_no FROM next_numbers)`)
  await connection.run(`
    UPDATE next_numbers
    SET host_no = greatest(host_no, (SELECT coalesce(max(host_no), 0) + 1 FROM hosts)),
        page_no = greatest(page_no, (SELECT coalesce(max(page_no), 0) + 1 FROM numbered))`)
  const rows = await readCells(connection, 'SELECT page, page_no, host_no FROM numbered')
  for (const [page, pageNo, hostNo] of rows) {
    pageNumbers.set(String(page), { pageNo: Number(pageNo), hostNo: Number(hostNo) })
  }
}
