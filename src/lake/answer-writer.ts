import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type Sentiment, SENTIMENTS } from '../domain/enums.ts'
import type { LakeFile } from '../domain/manifest.ts'
import { IMPORT_CHUNK_ROWS_MAX, IMPORT_CHUNK_TEXT_BYTES_MAX, IMPORT_MEMORY_MIB, SPILL_GIB_MAX } from '../limits.ts'
import { readFiles } from './files-relation.ts'
import { openInstance } from './instance.ts'
import type { Staging } from './staging.ts'
import { openTableAppender } from './table-appender.ts'

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
  const counts: FileCounts[] = Array.from({ length: fileCount }, () => ({ imported: 0, duplicates: 0, no_answer: 0 }))
  let answers: DerivedAnswer[] = []
  let textLength = 0
  let pending: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    await pending
    if (answers.length === 0) return
    const chunk = answers
    answers = []
    textLength = 0
    await appendChunk(connection, chunk)
    pending = stageChunk(connection, staging, counts)
    // A failure is met at the next flush; until then nobody waits for it.
    pending.catch(() => undefined)
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
      await pending
      await staging.write(connection, 'hosts', 'all', `SELECT * FROM hosts WHERE host_no >= ${counters.host_no} ORDER BY host_no`)
      await staging.write(connection, 'pages', 'all', `SELECT * FROM pages WHERE page_no >= ${counters.page_no} ORDER BY page_no`)
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

/**
 * Fills the chunk's tables. `seq` is an answer's place in the input. Rows are laid down in the order of the files
 * (DATASET.sortedBy), which joins then keep: sorting here moves references, sorting in DuckDB would move texts.
 */
async function appendChunk(connection: DuckDBConnection, chunk: readonly DerivedAnswer[]): Promise<void> {
  const order = chunk.map((answer, seq) => ({ answer, seq })).sort(byDayAndSlice)
  const answers = await openTableAppender(connection, 'chunk_answers', {
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
  })
  for (const { answer, seq } of order) {
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
  }
  answers.close()
  await appendMentions(connection, order)
  await appendCitations(connection, order)
}

interface Placed {
  readonly answer: DerivedAnswer
  readonly seq: number
}

function byDayAndSlice(a: Placed, b: Placed): number {
  return (
    a.answer.day - b.answer.day ||
    a.answer.platformNo - b.answer.platformNo ||
    a.answer.promptNo - b.answer.promptNo ||
    a.seq - b.seq
  )
}

async function appendMentions(connection: DuckDBConnection, order: readonly Placed[]): Promise<void> {
  const mentions = await openTableAppender(connection, 'chunk_mentions', {
    seq: 'integer',
    brand_no: 'integer',
    position: 'integer',
  })
  for (const { answer, seq } of order) {
    for (let i = 0; i < answer.mentions.length; i++) mentions.push(seq, answer.mentions[i] ?? 0, i + 1)
  }
  mentions.close()
}

/** Citations name their page by its place among the chunk's distinct pages, so that each page is looked up once. */
async function appendCitations(connection: DuckDBConnection, order: readonly Placed[]): Promise<void> {
  const chunkPages = new Map<string, { readonly pageSeq: number; readonly citation: DerivedCitation }>()
  const citations = await openTableAppender(connection, 'chunk_citations', {
    seq: 'integer',
    position: 'integer',
    page_seq: 'integer',
    first_of_domain: 'boolean',
    first_of_page: 'boolean',
    url: 'text',
    title: 'text',
    given_domain: 'text',
  })
  for (const { answer, seq } of order) {
    for (let i = 0; i < answer.citations.length; i++) {
      const citation = answer.citations[i]
      if (!citation) continue
      let known = chunkPages.get(citation.page)
      if (!known) chunkPages.set(citation.page, (known = { pageSeq: chunkPages.size, citation }))
      const isFirst = (key: 'domain' | 'page'): boolean =>
        answer.citations.findIndex((other) => other[key] === citation[key]) === i
      const { url, title, givenDomain } = citation
      citations.push(seq, i + 1, known.pageSeq, isFirst('domain'), isFirst('page'), url, title, givenDomain)
    }
  }
  citations.close()
  const pages = await openTableAppender(connection, 'chunk_pages', {
    page_seq: 'integer',
    page: 'text',
    host: 'text',
    domain: 'text',
  })
  for (const [page, { pageSeq, citation }] of chunkPages) pages.push(pageSeq, page, citation.host, citation.domain)
  pages.close()
}

async function stageChunk(connection: DuckDBConnection, staging: Staging, counts: FileCounts[]): Promise<void> {
  await keepFresh(connection, counts)
  await numberHostsAndPages(connection)
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT strftime(day, '%Y-%m') AS month FROM fresh ORDER BY month`,
  )
  for (const [value] of reader.getRowsJS()) {
    const month = String(value)
    const inMonth = `strftime(fresh.day, '%Y-%m') = '${month}'`
    const answers = 'SELECT chunk_answers.* EXCLUDE (day), fresh.day, answer_no FROM chunk_answers JOIN fresh USING (seq)'
    await staging.write(connection, 'answers', month, `${answers} WHERE is_answer AND ${inMonth}`)
    await staging.write(connection, 'no_answers', month, `${answers} WHERE NOT is_answer AND ${inMonth}`)
    await staging.write(
      connection,
      'mentions',
      month,
      `SELECT * FROM chunk_mentions JOIN fresh USING (seq) WHERE ${inMonth} ORDER BY day, brand_no, platform_no, prompt_no, answer_no`,
    )
    await staging.write(
      connection,
      'citations',
      month,
      `SELECT * FROM chunk_citations JOIN numbered_pages USING (page_seq) JOIN fresh USING (seq) WHERE ${inMonth}`,
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
    FROM chunk_answers JOIN kept USING (seq)`)
  await connection.run('INSERT INTO seen SELECT id FROM chunk_answers SEMI JOIN fresh USING (seq)')
  await connection.run('UPDATE next_numbers SET answer_no = answer_no + (SELECT count(*) FROM fresh)')
  const reader = await connection.runAndReadAll(`
    SELECT file_no, count(*)::INTEGER, count(fresh.seq)::INTEGER, count_if(NOT is_answer)::INTEGER
    FROM chunk_answers LEFT JOIN fresh USING (seq)
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

/** Extends the site's dictionaries by the hosts and pages of the chunk's fresh answers; `numbered_pages` is the result. */
async function numberHostsAndPages(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE fresh_pages AS
    SELECT chunk_pages.*
    FROM chunk_pages
    SEMI JOIN (SELECT page_seq FROM chunk_citations SEMI JOIN fresh USING (seq)) AS cited USING (page_seq)`)
  await connection.run(`
    INSERT INTO hosts
    SELECT (SELECT host_no FROM next_numbers) + row_number() OVER (ORDER BY host) - 1, host, domain
    FROM (SELECT host, any_value(domain) AS domain FROM fresh_pages GROUP BY host) ANTI JOIN hosts USING (host)`)
  await connection.run(`
    INSERT INTO pages
    WITH known AS (SELECT page FROM pages SEMI JOIN fresh_pages USING (page))
    SELECT (SELECT page_no FROM next_numbers) + row_number() OVER (ORDER BY page) - 1, host_no, page
    FROM fresh_pages ANTI JOIN known USING (page) JOIN hosts USING (host)`)
  await connection.run(`
    UPDATE next_numbers
    SET host_no = greatest(host_no, (SELECT coalesce(max(host_no), 0) + 1 FROM hosts)),
        page_no = greatest(page_no, (SELECT coalesce(max(page_no), 0) + 1 FROM pages))`)
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE numbered_pages AS
    SELECT page_seq, page_no, host_no
    FROM pages JOIN fresh_pages USING (page)`)
}
