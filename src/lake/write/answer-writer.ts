import { DAY_MS, monthOf, toDay } from '../../domain/day.ts'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { IMPORT_CHUNK_ROWS_MAX, IMPORT_CHUNK_CHARACTERS_MAX } from '../../limits.ts'
import type { DerivedAnswer } from './derived-answer.ts'
import { type AnswerRow, appendChunk, toAnswerRow } from './answer-chunk.ts'
import { type StagedChunk, stageAnswers, type Stagers } from './answer-stage.ts'
import { type DictionaryCounters, loadDictionaries, writeDictionaries } from './answer-dictionaries.ts'
import { readFiles } from '../read/files-relation.ts'
import { bigint, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { type ChangeDatabase, openChangeDatabase } from '../instance.ts'
import { type NewestScan, readNewestScan } from './newest-scan.ts'
import { type ReplacedAnswers, takeOutReplaced } from './replaced-answers.ts'
import type { Staging } from './staging.ts'
import { openStoredAnswers, type StoredAnswers } from './stored-answers.ts'

/** Next free numbers of a site; the manifest's commit must store what `finish` returns. */
export interface AnswerCounters extends DictionaryCounters {
  readonly answer_no: number
}

export interface FileCounts {
  imported: number
  duplicates: number
  /** Of the duplicates, those that say something else than what is stored. */
  differing: number
  /** Records that took the place of what was stored under their id. */
  replaced: number
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
 * Takes answers one by one, drops those whose id the site already has (the first import of an id wins, contract/imports 2.1) or
 * puts them in its place, numbers hosts and pages, and stages Parquet files month by month. Memory is bounded by a chunk of answers.
 */
export interface AnswerWriter {
  /** `onSettled` is called once it is known whether the answer is kept or a duplicate, before `finish` resolves. */
  add(answer: DerivedAnswer, onSettled?: (isKept: boolean) => void): void
  /** True when `flush` must be awaited before the next `add`. */
  readonly full: boolean
  /** Hands the gathered chunk to DuckDB; resolves when the chunk before it is staged. */
  flush(): Promise<void>
  finish(): Promise<AnswerWriterResult>
  /** Stages the stored files without the records that were replaced; after `finish`. */
  takeOutReplaced(): Promise<ReplacedAnswers>
  close(): Promise<void>
}

export interface AnswerWriterOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's live files of `answers`, `no_answers`, `hosts` and `pages`. */
  readonly liveFiles: readonly LakeFile[]
  readonly counters: AnswerCounters
  readonly fileCount: number
  /** Puts a record in the place of what is stored under its id, where they differ. No id may be added twice then. */
  readonly replaces?: boolean
}

/** Opens a DuckDB with the ids and dictionaries that the site has. Rejects when a live file can't be read. Close it in the end. */
export async function openAnswerWriter(options: AnswerWriterOptions): Promise<AnswerWriter> {
  const database = await openChangeDatabase(options.staging.spillDir)
  try {
    const connection = await database.connect()
    await loadKnown(connection, options)
    const stored = await openStoredAnswers(connection, options.lakeDir, options.liveFiles)
    const stagers = [connection, await database.connect()] as const
    return createWriter(database, { stagers, taker: await database.connect(), stored }, options)
  } catch (error) {
    database[Symbol.dispose]()
    throw error
  }
}

async function loadKnown(
  connection: DuckDBConnection,
  { lakeDir, liveFiles, counters }: AnswerWriterOptions,
): Promise<void> {
  await runStatement(
    connection,
    sql`
    CREATE TABLE seen AS
    SELECT id, day FROM ${readFiles(lakeDir, 'answers', liveFiles)}
    UNION ALL
    SELECT id, day FROM ${readFiles(lakeDir, 'no_answers', liveFiles)}`,
  )
  await runStatement(connection, sql`CREATE TABLE next_answer AS SELECT ${bigint(counters.answer_no)} AS answer_no`)
  await runStatement(
    connection,
    sql`
    CREATE TABLE asked (day DATE, platform_no INTEGER, prompt_no INTEGER, is_answer BOOLEAN, times BIGINT);
    CREATE TABLE listings (brand_no INTEGER, answers BIGINT);
    CREATE TABLE replaced (id VARCHAR, day DATE)`,
  )
  await loadDictionaries(connection, lakeDir, liveFiles, counters)
}

/** The stagers write a chunk to files while the taker takes in the next one. */
function createWriter(
  database: ChangeDatabase,
  { stagers, taker, stored }: { readonly stagers: Stagers; readonly taker: DuckDBConnection; stored: StoredAnswers },
  options: AnswerWriterOptions,
): AnswerWriter {
  const [connection] = stagers
  const { staging, fileCount, counters, replaces = false } = options
  const counts: FileCounts[] = Array.from({ length: fileCount }, () => ({
    imported: 0,
    duplicates: 0,
    differing: 0,
    replaced: 0,
    no_answer: 0,
  }))
  let answers: AnswerRow[] = []
  let outcomes: AwaitedOutcome[] = []
  let textLength = 0
  let chunks = 0
  let staged: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    if (answers.length === 0) return
    const [taken, awaited] = [answers, outcomes]
    answers = []
    outcomes = []
    textLength = 0
    const chunk = `chunk_${chunks++ % 2}`
    const months = listMonths(taken)
    await appendChunk(taker, chunk, taken)
    await staged
    const taking = { chunk: sql.identifier(chunk), months }
    staged = stageAnswers(stagers, { staging, stored, replaces }, taking).then((done) => tell(awaited, done))
    // A failure is met at the next flush; until then nobody waits for it.
    staged.catch(() => undefined)
  }

  function tell(awaited: readonly AwaitedOutcome[], { duplicates, differing }: StagedChunk): void {
    for (const [seq, { fileNo, isAnswer, onSettled }] of awaited.entries()) {
      const isDuplicate = duplicates.has(seq)
      const isReplaced = !isDuplicate && differing.has(seq)
      const count = counts[fileNo]
      if (count) {
        count[isDuplicate ? 'duplicates' : isReplaced ? 'replaced' : isAnswer ? 'imported' : 'no_answer'] += 1
        if (isDuplicate && differing.has(seq)) count.differing += 1
      }
      onSettled?.(!isDuplicate)
    }
  }

  return {
    add(answer, onSettled) {
      const row = toAnswerRow(answer)
      answers.push(row)
      outcomes.push({ fileNo: answer.fileNo, isAnswer: answer.text !== '', onSettled })
      textLength += measure(row)
    },
    get full() {
      return answers.length >= IMPORT_CHUNK_ROWS_MAX || textLength >= IMPORT_CHUNK_CHARACTERS_MAX
    },
    flush,
    async finish() {
      await flush()
      await staged
      const dictionaries = await writeDictionaries(connection, staging, counters)
      const rows = await readCells(connection, sql`SELECT answer_no::DOUBLE FROM next_answer`)
      return {
        counts,
        counters: { ...dictionaries, answer_no: Number(rows[0]?.[0]) },
        newestScan: await readNewestScan(connection, sql`asked`),
        listings: await readListings(connection),
      }
    },
    takeOutReplaced: () => takeOutReplaced(connection, options),
    async close() {
      await staged.catch(() => undefined)
      database[Symbol.dispose]()
    },
  }
}

/** What is to be told of an answer in the chunk under way; apart from its row, whose texts are needed no longer. */
interface AwaitedOutcome {
  readonly fileNo: number
  readonly isAnswer: boolean
  readonly onSettled: ((isKept: boolean) => void) | undefined
}

/** Characters that the answer keeps in memory. */
function measure({ text, searchQueries, givenMentions, consulted, mentions, citations }: AnswerRow): number {
  const texts = [text, searchQueries, givenMentions, consulted, mentions, citations]
  return texts.reduce((sum, part) => sum + (part?.length ?? 0), 0)
}

function listMonths(answers: readonly AnswerRow[]): string[] {
  const days = new Set(answers.map(({ day }) => day))
  return [...new Set(Array.from(days, (day) => monthOf(toDay(day * DAY_MS))))].sort()
}

async function readListings(connection: DuckDBConnection): Promise<{ brandNo: number; answers: number }[]> {
  const rows = await readCells(
    connection,
    sql`SELECT brand_no, sum(answers)::DOUBLE FROM listings GROUP BY brand_no ORDER BY brand_no`,
  )
  return rows.map(([brandNo, answers]) => ({ brandNo: Number(brandNo), answers: Number(answers) }))
}
