import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type Sentiment, SENTIMENTS } from '../domain/enums.ts'
import type { LakeFile } from '../domain/manifest.ts'
import { IMPORT_CHUNK_ROWS_MAX, IMPORT_CHUNK_TEXT_BYTES_MAX, IMPORT_MEMORY_MIB, SPILL_GIB_MAX } from '../limits.ts'
import { readFiles } from './files-relation.ts'
import { openInstance } from './instance.ts'
import { RowBuffer } from './row-buffer.ts'
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
  return createWriter(instance, connection, options)
}

const ANSWER_COLUMNS = {
  seq: 'integer',
  file_no: 'integer',
  id: 'text',
  day: 'integer',
  asked_at_ms: 'bigint',
  platform_no: 'integer',
  prompt_no: 'integer',
  market: 'text',
  text: 'text',
  sentiment_no: 'integer',
  provider: 'text',
  model: 'text',
  search_queries: 'text',
  given_mentions: 'text',
  consulted: 'text',
} as const
const MENTION_COLUMNS = { seq: 'integer', brand_no: 'integer', position: 'integer' } as const
const CITATION_COLUMNS = {
  seq: 'integer',
  position: 'integer',
  host: 'text',
  domain: 'text',
  page: 'text',
  first_of_domain: 'boolean',
  first_of_page: 'boolean',
  url: 'text',
  title: 'text',
  given_domain: 'text',
} as const

async function loadKnown(connection: DuckDBConnection, { lakeDir, liveFiles, counters }: AnswerWriterOptions): Promise<void> {
  const of = (dataset: LakeFile['dataset']): string => readFiles(lakeDir, dataset, liveFiles)
  await connection.run(`
    CREATE TEMP TABLE seen AS
    SELECT id FROM ${of('answers')}
    UNION ALL
    SELECT id FROM ${of('no_answers')}`)
  await connection.run(`CREATE TEMP TABLE hosts AS SELECT host_no, host, domain FROM ${of('hosts')}`)
  await connection.run(`CREATE TEMP TABLE pages AS SELECT page_no, host_no, page FROM ${of('pages')}`)
  await connection.run(`
    CREATE TEMP TABLE next_numbers AS
    SELECT ${counters.answer_no}::BIGINT AS answer_no, ${counters.host_no}::INTEGER AS host_no, ${counters.page_no}::INTEGER AS page_no`)
}

function createWriter(
  instance: DuckDBInstance,
  connection: DuckDBConnection,
  { staging, fileCount, counters }: AnswerWriterOptions,
): AnswerWriter {
  const answers = new RowBuffer(ANSWER_COLUMNS)
  const mentions = new RowBuffer(MENTION_COLUMNS)
  const citations = new RowBuffer(CITATION_COLUMNS)
  const counts: FileCounts[] = Array.from({ length: fileCount }, () => ({ imported: 0, duplicates: 0, no_answer: 0 }))
  let textBytes = 0
  let pending: Promise<void> = Promise.resolve()

  function add(answer: DerivedAnswer): void {
    const seq = answers.rows
    answers.push(
      seq,
      answer.fileNo,
      answer.id,
      answer.day,
      answer.askedAtMs === null ? null : BigInt(answer.askedAtMs),
      answer.platformNo,
      answer.promptNo,
      answer.market,
      answer.text,
      answer.sentiment === null ? 0 : SENTIMENTS.indexOf(answer.sentiment) + 1,
      answer.provider,
      answer.model,
      answer.searchQueries,
      answer.givenMentions,
      answer.consulted,
    )
    textBytes += answer.text.length
    answer.mentions.forEach((brandNo, index) => mentions.push(seq, brandNo, index + 1))
    const domains = new Set<string>()
    const pages = new Set<string>()
    answer.citations.forEach((citation, index) => {
      const { host, domain, page, url, title, givenDomain } = citation
      citations.push(seq, index + 1, host, domain, page, !domains.has(domain), !pages.has(page), url, title, givenDomain)
      domains.add(domain)
      pages.add(page)
    })
  }

  async function flush(): Promise<void> {
    await pending
    if (answers.rows === 0) return
    await answers.moveTo(connection, 'chunk_answers')
    await mentions.moveTo(connection, 'chunk_mentions')
    await citations.moveTo(connection, 'chunk_citations')
    textBytes = 0
    pending = stageChunk(connection, staging, counts)
    pending.catch(() => undefined)
  }

  return {
    add,
    get full() {
      return answers.rows >= IMPORT_CHUNK_ROWS_MAX || textBytes >= IMPORT_CHUNK_TEXT_BYTES_MAX
    },
    flush,
    async finish() {
      await flush()
      await pending
      await staging.write(connection, 'hosts', 'all', `SELECT * FROM hosts WHERE host_no >= ${counters.host_no}`)
      await staging.write(connection, 'pages', 'all', `SELECT * FROM pages WHERE page_no >= ${counters.page_no}`)
      const reader = await connection.runAndReadAll(
        'SELECT answer_no::DOUBLE AS answer_no, host_no, page_no FROM next_numbers',
      )
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
      await pending.catch(() => undefined)
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function stageChunk(connection: DuckDBConnection, staging: Staging, counts: FileCounts[]): Promise<void> {
  await keepFresh(connection, counts)
  await numberHostsAndPages(connection)
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT strftime(day, '%Y-%m') AS month FROM fresh ORDER BY month`,
  )
  for (const [value] of reader.getRowsJS()) {
    const month = String(value)
    const inMonth = `strftime(day, '%Y-%m') = '${month}'`
    await staging.write(connection, 'answers', month, `SELECT * FROM fresh WHERE text <> '' AND ${inMonth}`)
    await staging.write(connection, 'no_answers', month, `SELECT * FROM fresh WHERE text = '' AND ${inMonth}`)
    await staging.write(
      connection,
      'mentions',
      month,
      `SELECT * FROM chunk_mentions JOIN fresh USING (seq) WHERE text <> '' AND ${inMonth}`,
    )
    await staging.write(
      connection,
      'citations',
      month,
      `SELECT * FROM chunk_citations JOIN pages USING (page) JOIN fresh USING (seq) WHERE text <> '' AND ${inMonth}`,
    )
  }
}

/** `fresh`: the chunk's records whose id the site doesn't have yet, the first of each id, numbered. */
async function keepFresh(connection: DuckDBConnection, counts: FileCounts[]): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE fresh AS
    WITH
      firsts AS (
        SELECT id, min(seq) AS seq
        FROM chunk_answers
        GROUP BY id
      ),
      known AS (
        SELECT id
        FROM seen SEMI JOIN firsts USING (id)
      ),
      numbered AS (
        SELECT seq, (SELECT answer_no FROM next_numbers) + row_number() OVER (ORDER BY seq) - 1 AS answer_no
        FROM firsts ANTI JOIN known USING (id)
      )
    SELECT answer_no, chunk_answers.* REPLACE (DATE '1970-01-01' + day AS day)
    FROM chunk_answers JOIN numbered USING (seq)`)
  await connection.run('INSERT INTO seen SELECT id FROM fresh')
  await connection.run('UPDATE next_numbers SET answer_no = answer_no + (SELECT count(*) FROM fresh)')
  const reader = await connection.runAndReadAll(`
    SELECT file_no, count(*)::INTEGER, count(fresh.seq)::INTEGER, count_if(fresh.text = '')::INTEGER
    FROM chunk_answers LEFT JOIN fresh USING (seq, file_no)
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

/** Extends the site's dictionaries by the hosts and pages of the chunk's fresh answers. */
async function numberHostsAndPages(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE chunk_pages AS
    SELECT page, any_value(host) AS host, any_value(domain) AS domain
    FROM chunk_citations SEMI JOIN fresh USING (seq)
    GROUP BY page`)
  await connection.run(`
    INSERT INTO hosts
    SELECT (SELECT host_no FROM next_numbers) + row_number() OVER (ORDER BY host) - 1, host, domain
    FROM (SELECT host, any_value(domain) AS domain FROM chunk_pages GROUP BY host) ANTI JOIN hosts USING (host)`)
  await connection.run(`
    INSERT INTO pages
    WITH known AS (SELECT page FROM pages SEMI JOIN chunk_pages USING (page))
    SELECT (SELECT page_no FROM next_numbers) + row_number() OVER (ORDER BY page) - 1, host_no, page
    FROM chunk_pages ANTI JOIN known USING (page) JOIN hosts USING (host)`)
  await connection.run(`
    UPDATE next_numbers
    SET host_no = greatest(host_no, (SELECT coalesce(max(host_no), 0) + 1 FROM hosts)),
        page_no = greatest(page_no, (SELECT coalesce(max(page_no), 0) + 1 FROM pages))`)
}
