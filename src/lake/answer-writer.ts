import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Sentiment } from '../domain/enums.ts'
import type { LakeFile } from '../domain/manifest.ts'
import { IMPORT_CHUNK_ROWS_MAX, IMPORT_CHUNK_TEXT_BYTES_MAX, IMPORT_MEMORY_MIB, SPILL_GIB_MAX } from '../limits.ts'
import { type AnswerChunk, appendChunk, createPageNumbers, type PageNumbers } from './answer-chunk.ts'
import { readFiles } from './files-relation.ts'
import { openInstance } from './instance.ts'
import type { Staging } from './staging.ts'

/** A link of an answer with what is derived from it. Positions count from 1 over the links that were kept. */
export interface DerivedCitation {
  readonly url: string
  readonly title: string
  readonly givenDomain: string | null
  readonly host: string
  readonly domain: string
  readonly page: string
}

/** One answer (or, with `text` empty, a no_answer) ready for the lake. */
export interface DerivedAnswer {
  /** Index of the input file it came from; results are counted by it. */
  readonly fileNo: number
  readonly id: string
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly askedAtMs: number | null
  readonly platformNo: number
  readonly promptNo: number
  readonly market: string | null
  readonly text: string
  readonly sentiment: Sentiment | null
  readonly provider: string | null
  readonly model: string | null
  /** JSON arrays as text, null when the record had none. */
  readonly searchQueries: string | null
  readonly givenMentions: string | null
  readonly consulted: string | null
  /** Brand numbers in order of first appearance. */
  readonly mentions: readonly number[]
  readonly citations: readonly DerivedCitation[]
}

/** Next free numbers of a site; the manifest's commit must store what `finish` returns. */
export interface AnswerCounters {
  readonly answer_no: number
  readonly host_no: number
  readonly page_no: number
}

export interface FileCounts {
  imported: number
  duplicates: number
  no_answer: number
}

export interface AnswerWriterResult {
  readonly counts: readonly FileCounts[]
  readonly counters: AnswerCounters
}

/**
 * Takes answers one by one, drops those whose id the site already has (the first import of an id wins, formats.md 2.1),
 * numbers hosts and pages, and stages Parquet files month by month. Memory is bounded by a chunk of answers.
 */
export interface AnswerWriter {
  add(answer: DerivedAnswer): void
  /** True when `flush` must be awaited before the next `add`. */
  readonly full: boolean
  /** Hands the gathered chunk to DuckDB; resolves when the chunk before it is staged. */
  flush(): Promise<void>
  finish(): Promise<AnswerWriterResult>
  close(): Promise<void>
}

export interface AnswerWriterOptions {
  readonly staging: Staging
  readonly lakeDir: string
  readonly spillDir: string
  /** The site's live files of `answers`, `no_answers`, `hosts` and `pages`. */
  readonly liveFiles: readonly LakeFile[]
  readonly counters: AnswerCounters
  readonly fileCount: number
}

export async function openAnswerWriter(options: AnswerWriterOptions): Promise<AnswerWriter> {
  const instance = await openInstance({ threads: 2, memoryMib: IMPORT_MEMORY_MIB, spillGib: SPILL_GIB_MAX, spillDir: options.spillDir })
  const connection = await instance.connect()
  await loadKnown(connection, options)
  return createWriter(instance, connection, await instance.connect(), options)
}

async function loadKnown(connection: DuckDBConnection, { lakeDir, liveFiles, counters }: AnswerWriterOptions): Promise<void> {
  const of = (dataset: LakeFile['dataset']): string => readFiles(lakeDir, dataset, liveFiles)
  await connection.run(`
    CREATE TABLE seen AS
    SELECT id FROM ${of('answers')}
    UNION ALL
    SELECT id FROM ${of('no_answers')}`)
  await connection.run(`CREATE TABLE hosts AS SELECT host_no, host, domain FROM ${of('hosts')}`)
  await connection.run(`CREATE TABLE pages AS SELECT page_no, host_no, page FROM ${of('pages')}`)
  await connection.run(`
    CREATE TABLE next_numbers AS
    SELECT ${counters.answer_no}::BIGINT AS answer_no, ${counters.host_no}::INTEGER AS host_no, ${counters.page_no}::INTEGER AS page_no`)
}

/** One connection stages a chunk while the other takes in the next one. */
function createWriter(
  instance: DuckDBInstance,
  connection: DuckDBConnection,
  appending: DuckDBConnection,
  { staging, fileCount, counters }: AnswerWriterOptions,
): AnswerWriter {
  const counts: FileCounts[] = Array.from({ length: fileCount }, () => ({ imported: 0, duplicates: 0, no_answer: 0 }))
  const pageNumbers = createPageNumbers()
  let answers: DerivedAnswer[] = []
  let textLength = 0
  let chunks = 0
  let staged: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    if (answers.length === 0) return
    const taken = answers
    answers = []
    textLength = 0
    const chunk = await appendChunk(appending, `chunk_${chunks++ % 2}`, taken, pageNumbers)
    await staged
    staged = stageChunk(connection, staging, chunk, counts, pageNumbers)
    // A failure is met at the next flush; until then nobody waits for it.
    staged.catch(() => undefined)
  }

  return {
    add(answer) {
      answers.push(answer)
      textLength += answer.text.length
    },
    get full() {
      return answers.length >= IMPORT_CHUNK_ROWS_MAX || textLength >= IMPORT_CHUNK_TEXT_BYTES_MAX
    },
    flush,
    async finish() {
      await flush()
      await staged
      await staging.write(connection, 'hosts', 'all', `SELECT * FROM hosts WHERE host_no >= ${counters.host_no} ORDER BY host_no`)
      await staging.write(connection, 'pages', 'all', `SELECT * FROM pages WHERE page_no >= ${counters.page_no} ORDER BY page_no`)
      const reader = await connection.runAndReadAll('SELECT answer_no::DOUBLE AS answer_no, host_no, page_no FROM next_numbers')
      const [answer_no, host_no, page_no] = (reader.getRowsJS()[0] ?? []).map(Number)
      return {
        counts,
        counters: {
          answer_no: answer_no ?? counters.answer_no,
          host_no: host_no ?? counters.host_no,
          page_no: page_no ?? counters.page_no,
        },
      }
    },
    async close() {
      await staged.catch(() => undefined)
      connection.closeSync()
      appending.closeSync()
      instance.closeSync()
    },
  }
}

async function stageChunk(
  connection: DuckDBConnection,
  staging: Staging,
  chunk: AnswerChunk,
  counts: FileCounts[],
  pageNumbers: PageNumbers,
): Promise<void> {
  await keepFresh(connection, chunk, counts)
  await numberHostsAndPages(connection, chunk, pageNumbers)
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT strftime(day, '%Y-%m') AS month FROM fresh ORDER BY month`,
  )
  for (const [value] of reader.getRowsJS()) {
    const month = String(value)
    const inMonth = `strftime(fresh.day, '%Y-%m') = '${month}'`
    const answers = `SELECT chunk.* EXCLUDE (day), fresh.day, answer_no FROM ${chunk.answers} AS chunk JOIN fresh USING (seq)`
    await staging.write(connection, 'answers', month, `${answers} WHERE is_answer AND ${inMonth}`)
    await staging.write(connection, 'no_answers', month, `${answers} WHERE NOT is_answer AND ${inMonth}`)
    await staging.write(
      connection,
      'mentions',
      month,
      `SELECT * FROM ${chunk.mentions} JOIN fresh USING (seq) WHERE ${inMonth} ORDER BY day, brand_no, platform_no, prompt_no, answer_no`,
    )
    await staging.write(
      connection,
      'citations',
      month,
      `SELECT chunk.* EXCLUDE (page_no, host_no), fresh.*,
         coalesce(chunk.page_no, numbered.page_no) AS page_no, coalesce(chunk.host_no, numbered.host_no) AS host_no
       FROM ${chunk.citations} AS chunk JOIN fresh USING (seq) LEFT JOIN numbered USING (page_seq)
       WHERE ${inMonth}`,
    )
  }
}

/** `fresh`: the chunk's records whose id the site doesn't have yet, the first of each id, numbered. */
async function keepFresh(connection: DuckDBConnection, chunk: AnswerChunk, counts: FileCounts[]): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TABLE fresh AS
    WITH
      firsts AS (
        SELECT id, min(seq) AS seq
        FROM ${chunk.answers}
        GROUP BY id
      ),
      known AS (
        SELECT id
        FROM seen SEMI JOIN firsts USING (id)
      ),
      kept AS (
        SELECT seq
        FROM firsts ANTI JOIN known USING (id)
      )
    SELECT
      (SELECT answer_no FROM next_numbers) + row_number() OVER (ORDER BY seq) - 1 AS answer_no,
      seq,
      DATE '1970-01-01' + day AS day,
      platform_no,
      prompt_no,
      text <> '' AS is_answer
    FROM ${chunk.answers} JOIN kept USING (seq)`)
  await connection.run(`INSERT INTO seen SELECT id FROM ${chunk.answers} SEMI JOIN fresh USING (seq)`)
  await connection.run('UPDATE next_numbers SET answer_no = answer_no + (SELECT count(*) FROM fresh)')
  const reader = await connection.runAndReadAll(`
    SELECT file_no, count(*)::INTEGER, count(fresh.seq)::INTEGER, count_if(NOT is_answer)::INTEGER
    FROM ${chunk.answers} LEFT JOIN fresh USING (seq)
    GROUP BY file_no`)
  for (const cells of reader.getRowsJS()) {
    const [fileNo = 0, records = 0, kept = 0, noAnswer = 0] = cells.map(Number)
    const count = counts[fileNo]
    if (!count) continue
    count.duplicates += records - kept
    count.no_answer += noAnswer
    count.imported += kept - noAnswer
  }
}

/** Extends the site's dictionaries by what the chunk's fresh answers cite anew; `numbered` gives each page its numbers. */
async function numberHostsAndPages(
  connection: DuckDBConnection,
  chunk: AnswerChunk,
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
  const reader = await connection.runAndReadAll('SELECT page, page_no, host_no FROM numbered')
  for (const [page, pageNo, hostNo] of reader.getRowsJS()) {
    pageNumbers.set(String(page), { pageNo: Number(pageNo), hostNo: Number(hostNo) })
  }
}
