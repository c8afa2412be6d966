import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Dataset, LakeFile, PartitionMonth } from '../domain/manifest.ts'
import { IMPORT_CHUNK_ROWS_MAX, IMPORT_CHUNK_TEXT_BYTES_MAX } from '../limits.ts'
import type { DerivedAnswer } from './derived-answer.ts'
import { type AnswerRow, appendChunk, toAnswerRow } from './answer-chunk.ts'
import type { NewestScan } from './answer-repair.ts'
import {
  deriveTables,
  type DictionaryCounters,
  loadDictionaries,
  SELECT_CITED,
  writeDictionaries,
} from './derived-files.ts'
import { readCells } from './cells.ts'
import { DATASET } from './datasets.ts'
import { readFiles } from './files-relation.ts'
import { openChangeInstance } from './instance.ts'
import type { Staging } from './staging.ts'

/** Next free numbers of a site; the manifest's commit must store what `finish` returns. */
export interface AnswerCounters extends DictionaryCounters {
  readonly answer_no: number
}

export interface FileCounts {
  imported: number
  duplicates: number
  no_answer: number
}

export interface AnswerWriterResult {
  readonly counts: readonly FileCounts[]
  readonly counters: AnswerCounters
  /** What was asked on the newest day of what was kept, an entry an engine. */
  readonly newestScan: readonly NewestScan[]
  /** How many of the kept answers list each brand in their own `mentions`. */
  readonly listings: readonly { readonly brandNo: number; readonly answers: number }[]
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
  const instance = await openChangeInstance(options.spillDir)
  const connection = await instance.connect()
  await loadKnown(connection, options)
  const stagers = [connection, await instance.connect()] as const
  return createWriter(instance, { stagers, taker: await instance.connect() }, options)
}

async function loadKnown(
  connection: DuckDBConnection,
  { lakeDir, liveFiles, counters }: AnswerWriterOptions,
): Promise<void> {
  await connection.run(`
    CREATE TABLE seen AS
    SELECT id FROM ${readFiles(lakeDir, 'answers', liveFiles)}
    UNION ALL
    SELECT id FROM ${readFiles(lakeDir, 'no_answers', liveFiles)}`)
  await connection.run(`CREATE TABLE next_answer AS SELECT ${counters.answer_no}::BIGINT AS answer_no`)
  await connection.run(
    'CREATE TABLE asked (day DATE, platform_no INTEGER, prompt_no INTEGER, is_answer BOOLEAN, times BIGINT)',
  )
  await connection.run('CREATE TABLE listings (brand_no INTEGER, answers BIGINT)')
  await loadDictionaries(connection, lakeDir, liveFiles, counters)
}

type Stagers = readonly [DuckDBConnection, DuckDBConnection]

/** The stagers write a chunk to files while the taker takes in the next one. */
function createWriter(
  instance: DuckDBInstance,
  { stagers, taker }: { readonly stagers: Stagers; readonly taker: DuckDBConnection },
  { staging, fileCount, counters }: AnswerWriterOptions,
): AnswerWriter {
  const [connection] = stagers
  const counts: FileCounts[] = Array.from({ length: fileCount }, () => ({ imported: 0, duplicates: 0, no_answer: 0 }))
  let answers: AnswerRow[] = []
  let textLength = 0
  let chunks = 0
  let staged: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    if (answers.length === 0) return
    const taken = answers
    answers = []
    textLength = 0
    const chunk = `chunk_${chunks++ % 2}`
    const months = listMonths(taken)
    await appendChunk(taker, chunk, taken)
    await staged
    staged = stageChunk(stagers, staging, { chunk, months, counts })
    // A failure is met at the next flush; until then nobody waits for it.
    staged.catch(() => undefined)
  }

  return {
    add(answer) {
      const row = toAnswerRow(answer)
      answers.push(row)
      textLength += measure(row)
    },
    get full() {
      return answers.length >= IMPORT_CHUNK_ROWS_MAX || textLength >= IMPORT_CHUNK_TEXT_BYTES_MAX
    },
    flush,
    async finish() {
      await flush()
      await staged
      const dictionaries = await writeDictionaries(connection, staging, counters)
      const rows = await readCells(connection, 'SELECT answer_no::DOUBLE FROM next_answer')
      return {
        counts,
        counters: { ...dictionaries, answer_no: Number(rows[0]?.[0]) },
        newestScan: await readNewestAsked(connection),
        listings: await readListings(connection),
      }
    },
    async close() {
      await staged.catch(() => undefined)
      for (const one of [...stagers, taker]) one.closeSync()
      instance.closeSync()
    },
  }
}

/** Characters that the answer keeps in memory. */
function measure({ text, searchQueries, givenMentions, consulted, mentions, citations }: AnswerRow): number {
  const texts = [text, searchQueries, givenMentions, consulted, mentions, citations]
  return texts.reduce((sum, part) => sum + (part?.length ?? 0), 0)
}

function listMonths(answers: readonly AnswerRow[]): string[] {
  const days = new Set(answers.map(({ day }) => day))
  return [...new Set(Array.from(days, (day) => new Date(day * DAY_MS).toISOString().slice(0, 7)))].sort()
}

interface TakenChunk {
  /** The table that holds it. */
  readonly chunk: string
  readonly months: readonly string[]
  readonly counts: FileCounts[]
}

/** Few calls, of many statements each: after every call DuckDB waits for this thread, which is busy reading. */
async function stageChunk(
  [first, second]: Stagers,
  staging: Staging,
  { chunk, months, counts }: TakenChunk,
): Promise<void> {
  await first.run(keepFresh(chunk) + deriveTables(chunk) + noteFresh(chunk))
  await countFresh(first, chunk, counts)
  for (const month of months) {
    const ofMonth = `day BETWEEN DATE '${month}-01' AND last_day(DATE '${month}-01')`
    const answers = `
      SELECT chunk.* EXCLUDE (day, mentions, citations), fresh.day, answer_no
      FROM ${chunk} AS chunk JOIN fresh USING (seq)
      WHERE fresh.${ofMonth}`
    const mentions = `SELECT * FROM mentioned WHERE ${ofMonth} ORDER BY ${DATASET.mentions.sortedBy}`
    await allSettled([
      writeInTurn(staging, first, month, {
        answers: `${answers} AND is_answer`,
        no_answers: `${answers} AND NOT is_answer`,
      }),
      writeInTurn(staging, second, month, { citations: `${SELECT_CITED} WHERE ${ofMonth}`, mentions }),
    ])
  }
}

async function writeInTurn(
  staging: Staging,
  connection: DuckDBConnection,
  month: PartitionMonth,
  selects: Partial<Record<Dataset, string>>,
): Promise<void> {
  for (const [dataset, select] of Object.entries(selects)) {
    await staging.write(connection, dataset as Dataset, month, select)
  }
}

/** Rejects as the first that rejects does, but not before all are done: a connection must be idle when it is closed. */
async function allSettled(works: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}

/** `fresh`: the chunk's records whose id the site doesn't have yet, the first of each id, numbered. */
function keepFresh(chunk: string): string {
  return `
    CREATE OR REPLACE TABLE fresh AS
    WITH
      firsts AS (
        SELECT id, min(seq) AS seq
        FROM ${chunk}
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
      (SELECT answer_no FROM next_answer) + row_number() OVER (ORDER BY seq) - 1 AS answer_no,
      seq,
      DATE '1970-01-01' + day AS day,
      platform_no,
      prompt_no,
      text <> '' AS is_answer
    FROM ${chunk} JOIN kept USING (seq);

    INSERT INTO seen SELECT id FROM ${chunk} SEMI JOIN fresh USING (seq);

    UPDATE next_answer SET answer_no = answer_no + (SELECT count(*) FROM fresh);`
}

/** Adds what \`finish\` tells of the kept records: those dropped as duplicates were neither asked nor heard again. */
function noteFresh(chunk: string): string {
  return `
    INSERT INTO asked
    SELECT day, platform_no, prompt_no, is_answer, count(*)
    FROM fresh
    WHERE day = (SELECT max(day) FROM fresh)
    GROUP BY ALL;

    INSERT INTO listings
    SELECT brand_no, count(*)
    FROM mentioned SEMI JOIN (
      SELECT answer_no FROM ${chunk} JOIN fresh USING (seq) WHERE given_mentions IS NOT NULL
    ) USING (answer_no)
    GROUP BY brand_no;`
}

async function countFresh(connection: DuckDBConnection, chunk: string, counts: FileCounts[]): Promise<void> {
  const rows = await readCells(
    connection,
    `
    SELECT file_no, count(*)::INTEGER, count(fresh.seq)::INTEGER, count_if(NOT is_answer)::INTEGER
    FROM ${chunk} LEFT JOIN fresh USING (seq)
    GROUP BY file_no`,
  )
  for (const cells of rows) {
    const [fileNo = 0, records = 0, kept = 0, noAnswer = 0] = cells.map(Number)
    const count = counts[fileNo]
    if (!count) continue
    count.duplicates += records - kept
    count.no_answer += noAnswer
    count.imported += kept - noAnswer
  }
}

async function readNewestAsked(connection: DuckDBConnection): Promise<NewestScan[]> {
  const rows = await readCells(
    connection,
    `
    SELECT
      strftime(day, '%Y-%m-%d'),
      platform_no,
      to_json(list(DISTINCT prompt_no ORDER BY prompt_no))::VARCHAR,
      coalesce(sum(times) FILTER (is_answer), 0)::DOUBLE,
      coalesce(sum(times) FILTER (NOT is_answer), 0)::DOUBLE
    FROM asked
    WHERE day = (SELECT max(day) FROM asked)
    GROUP BY day, platform_no
    ORDER BY platform_no`,
  )
  return rows.map(([day, platformNo, promptNos, answers, noAnswers]) => ({
    day: String(day),
    platformNo: Number(platformNo),
    promptNos: JSON.parse(String(promptNos)) as number[],
    answers: Number(answers),
    noAnswers: Number(noAnswers),
  }))
}

async function readListings(connection: DuckDBConnection): Promise<{ brandNo: number; answers: number }[]> {
  const rows = await readCells(
    connection,
    'SELECT brand_no, sum(answers)::DOUBLE FROM listings GROUP BY brand_no ORDER BY brand_no',
  )
  return rows.map(([brandNo, answers]) => ({ brandNo: Number(brandNo), answers: Number(answers) }))
}

const DAY_MS = 86_400_000
