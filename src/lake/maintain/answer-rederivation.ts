import type { DuckDBConnection } from '@duckdb/node-api'
import type { CitationRecord } from '../../domain/answer.ts'
import { ENGINE_IDS } from '../../domain/enums.ts'
import type { Dataset, LakeFile } from '../../domain/manifest.ts'
import { REDERIVATION_SLICE_WEIGHT } from '../../limits.ts'
import { appendDerived, toDerivedJson } from '../write/answer-chunk.ts'
import type { DerivedAnswer } from '../write/derived-answer.ts'
import {
  deriveTables,
  type DictionaryCounters,
  loadDictionaries,
  SELECT_CITED,
  writeDictionaries,
} from '../write/answer-dictionaries.ts'
import { DATASET } from '../datasets.ts'
import { readFiles } from '../read/files-relation.ts'
import { day as dayValue, integer, join, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { openChangeDatabase } from '../instance.ts'
import type { Staging } from '../write/staging.ts'
import { ensureSound } from './ensure-sound.ts'

/** What an answer's mentions and citations are derived from, as it was imported. */
export interface RawAnswer {
  readonly answerNo: number
  readonly promptNo: number
  readonly text: string
  readonly provider: string | undefined
  readonly platform: string | undefined
  /** The record's own list of brands, when it had one. */
  readonly givenMentions: readonly string[] | undefined
  readonly citations: readonly CitationRecord[]
}

export type Derive = (answer: RawAnswer) => Pick<DerivedAnswer, 'mentions' | 'citations'>

export interface RederivationOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's live files of the answers' group. */
  readonly liveFiles: readonly LakeFile[]
  readonly counters: DictionaryCounters
  readonly month: string
  readonly derive: Derive
  readonly signal?: AbortSignal
}

/**
 * Derives the mentions and citations of a site's month anew, day by day and a large day in slices, so that memory holds some of its texts, and stages them.
 * Answers without their texts keep what they have.
 * Returns the dictionaries' next free numbers and the number of answers. Throws DamagedFileError.
 */
export async function rederiveMonth(
  options: RederivationOptions,
): Promise<{ counters: DictionaryCounters; answers: number }> {
  const { staging, lakeDir, liveFiles, counters, month, signal } = options
  const ofMonth = liveFiles.filter((file) => file.month === month)
  // What is made of them gets checksums of its own.
  for (const file of ofMonth.filter(({ dataset }) => READ.has(dataset))) await ensureSound(lakeDir, file, signal)
  using database = await openChangeDatabase(staging.spillDir)
  const connection = await database.connect()
  await loadDictionaries(connection, lakeDir, liveFiles, counters)
  const days = await readCells(
    connection,
    sql`SELECT DISTINCT strftime(day, '%Y-%m-%d') AS day FROM ${readFiles(lakeDir, 'answers', ofMonth)} ORDER BY day`,
  )
  // What was found in words that retention has blanked since can't be found again: it stays.
  const blank = sql`(SELECT answer_no FROM ${readFiles(lakeDir, 'answers', ofMonth)} WHERE text = '')`
  for (const dataset of ['mentions', 'citations'] as const) {
    await runStatement(
      connection,
      sql`
      CREATE TABLE ${sql.identifier(`month_${dataset}`)} AS
      SELECT * FROM ${readFiles(lakeDir, dataset, ofMonth)} SEMI JOIN ${blank} AS blank USING (answer_no)`,
    )
  }
  await runStatement(connection, sql`DELETE FROM month_citations WHERE host_no NOT IN (SELECT host_no FROM hosts)`)
  let answers = 0
  for (const [day] of days) {
    signal?.throwIfAborted()
    answers += await rederiveDay(connection, options, ofMonth, String(day))
  }
  const { mentions, citations } = DATASET
  await staging.write(connection, 'mentions', month, sql`SELECT * FROM month_mentions ORDER BY ${mentions.sortedBy}`)
  await staging.write(connection, 'citations', month, sql`SELECT * FROM month_citations ORDER BY ${citations.sortedBy}`)
  return { counters: await writeDictionaries(connection, staging, counters), answers }
}

/** Of a month; the dictionaries are of all. */
const READ: ReadonlySet<Dataset> = new Set(['answers', 'mentions', 'citations'])

async function rederiveDay(
  connection: DuckDBConnection,
  options: RederivationOptions,
  files: readonly LakeFile[],
  day: string,
): Promise<number> {
  const { lakeDir } = options
  await runStatement(
    connection,
    sql`
    CREATE OR REPLACE TABLE fresh AS
    WITH ofday AS (
      SELECT
        row_number() OVER (ORDER BY platform_no, prompt_no, answer_no)::INTEGER AS seq,
        answer_no, day, platform_no, prompt_no, strlen(text) // 4 AS weight
      FROM ${readFiles(lakeDir, 'answers', files)}
      WHERE day = ${dayValue(day)} AND text <> ''
    ),
    links AS (
      SELECT answer_no, sum(4 * strlen(url) + strlen(title) + 200) AS weight
      FROM ${readFiles(lakeDir, 'citations', files)}
      WHERE day = ${dayValue(day)}
      GROUP BY answer_no
    )
    SELECT
      seq, answer_no, day, platform_no, prompt_no,
      (sum(ofday.weight + coalesce(links.weight, 0)) OVER (ORDER BY seq) // ${integer(REDERIVATION_SLICE_WEIGHT)})::INTEGER AS slice
    FROM ofday LEFT JOIN links USING (answer_no)`,
  )
  const slices = await readCells(connection, sql`SELECT DISTINCT slice FROM fresh ORDER BY slice`)
  let answers = 0
  for (const [slice] of slices)
    answers += await rederiveSlice(connection, options, { files, day, slice: Number(slice) })
  return answers
}

/** Derives the part of a day that memory holds at once: some answers with all of their links. */
async function rederiveSlice(
  connection: DuckDBConnection,
  { lakeDir, derive, signal }: RederivationOptions,
  { files, day, slice }: { readonly files: readonly LakeFile[]; readonly day: string; readonly slice: number },
): Promise<number> {
  signal?.throwIfAborted()
  const columns = join(
    DATASET.citations.columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
  const inSlice = sql`answer_no IN (SELECT answer_no FROM fresh WHERE slice = ${integer(slice)})`
  const rows = await readCells(
    connection,
    sql`
    WITH links AS (
      SELECT answer_no, to_json(list({ 'url': url, 'title': title, 'domain': given_domain } ORDER BY position))::VARCHAR AS links
      FROM ${readFiles(lakeDir, 'citations', files)}
      WHERE day = ${dayValue(day)} AND ${inSlice}
      GROUP BY answer_no
    )
    SELECT seq, answer_no, answers.prompt_no, text, given_mentions, links, provider, answers.platform_no
    FROM fresh
    JOIN (SELECT answer_no, prompt_no, platform_no, text, given_mentions, provider FROM ${readFiles(lakeDir, 'answers', files)} WHERE day = ${dayValue(day)} AND ${inSlice}) AS answers
      USING (answer_no)
    LEFT JOIN links USING (answer_no)
    ORDER BY seq`,
  )
  const placed = rows.map(([seq, answerNo, promptNo, text, givenMentions, links, provider, platformNo]) => {
    const derived = derive({
      answerNo: Number(answerNo),
      promptNo: Number(promptNo),
      text: String(text),
      provider: typeof provider === 'string' ? provider : undefined,
      platform: ENGINE_IDS[Number(platformNo) - 1],
      givenMentions: typeof givenMentions === 'string' ? (JSON.parse(givenMentions) as string[]) : undefined,
      citations: typeof links === 'string' ? toRecords(JSON.parse(links) as StoredLink[]) : [],
    })
    return { seq: Number(seq), derived: toDerivedJson(derived) }
  })
  await appendDerived(connection, 'chunk', placed)
  await runStatement(connection, deriveTables(sql`chunk`))
  await runStatement(connection, sql`INSERT INTO month_mentions BY NAME SELECT * FROM mentioned`)
  await runStatement(connection, sql`INSERT INTO month_citations BY NAME SELECT ${columns} FROM (${SELECT_CITED})`)
  return placed.length
}

interface StoredLink {
  readonly url: string
  readonly title: string
  readonly domain: string | null
}

function toRecords(links: readonly StoredLink[]): CitationRecord[] {
  return links.map(({ url, title, domain }) => ({ url, title, ...(domain === null ? {} : { domain }) }))
}
