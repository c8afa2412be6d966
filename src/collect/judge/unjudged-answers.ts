import type { Catalog } from '../../catalog/catalog.ts'
import { OWN_BRAND } from '../../domain/brand.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Site } from '../../domain/site.ts'
import type { Lake } from '../../lake/lake.ts'
import { day, integer, sql, texts } from '../../lake/sql.ts'
import { getEngineId } from '../../reference/engines.ts'
import { toMessage } from './prompt.ts'

/** An answer to be judged, and the message that quotes it. */
export interface UnjudgedAnswer {
  readonly id: string
  readonly engine: EngineId
  readonly message: string
}

/** What is to be judged, and what is left out of the answers that could be. */
export interface UnjudgedAnswers {
  readonly answers: readonly UnjudgedAnswer[]
  /** Answers of the days that name the own brand, have words and no sentiment. */
  readonly unjudged: number
  /** Of these: those of `asked`, and those of the others whose text is too long for a judge. */
  readonly askedBefore: number
  readonly tooLong: number
}

export interface UnjudgedOptions {
  readonly site: Site
  /** UTC days, both included. */
  readonly from: string
  readonly to: string
  readonly limit: number
  /** Ids of answers that the judge was asked about before. */
  readonly asked: readonly string[]
}

/** Longest text that a judge is given, in characters; answers have a few thousand. */
const JUDGED_CHARACTERS_MAX = 60_000
/** Texts that are held for one run, in characters; the next run goes on. */
const HELD_CHARACTERS_MAX = 256 * 1_024 * 1_024

/**
 * Reads the stored answers of some days that name the own brand and have no sentiment, at most `limit`. Their order is that
 * of a hash of their ids, so that those which a limit or a budget leaves out follow no pattern of days, prompts or engines.
 * Throws what the lake throws.
 */
export async function readUnjudgedAnswers(
  { catalog, lake }: { readonly catalog: Catalog; readonly lake: Lake },
  { site, from, to, limit, asked }: UnjudgedOptions,
): Promise<UnjudgedAnswers> {
  const { manifest } = catalog
  const files = manifest
    .listFiles(site.id, manifest.currentSnapshot(site.id))
    .filter(({ dataset }) => dataset === 'answers' || dataset === 'mentions')
  await lake.ensureIntact(files)
  const inRange = sql`day BETWEEN ${day(from)} AND ${day(to)}`
  const unjudged = sql`
    SELECT
      id, platform_no, text, asked.asked_id IS NOT NULL AS was_asked,
      length(text) > ${integer(JUDGED_CHARACTERS_MAX)} AS is_too_long
    FROM ${lake.filesOf('answers', files)} AS answers
    LEFT JOIN (SELECT unnest(${texts(asked)}) AS asked_id) AS asked ON asked_id = id
    SEMI JOIN (
      SELECT answer_no FROM ${lake.filesOf('mentions', files)}
      WHERE ${inRange} AND brand_no = ${integer(OWN_BRAND)}
    ) AS naming USING (answer_no)
    WHERE ${inRange} AND sentiment_no = 0 AND text <> ''`
  const [counts = {}] = await lake.select(sql`
    SELECT
      count(*)::DOUBLE AS unjudged, count(*) FILTER (was_asked)::DOUBLE AS asked_before,
      count(*) FILTER (is_too_long AND NOT was_asked)::DOUBLE AS too_long
    FROM (${unjudged})`)
  await using batches = await lake.selectInBatches(sql`
    SELECT id, platform_no, text FROM (${unjudged}) WHERE NOT is_too_long AND NOT was_asked
    ORDER BY md5(id), id LIMIT ${integer(limit)}`)
  const answers: UnjudgedAnswer[] = []
  for (let rows = await batches.next(), held = 0; rows.length > 0 && held <= HELD_CHARACTERS_MAX;) {
    for (const row of rows) {
      const message = toMessage({ brand: site.name, alsoCalled: site.aliases, answer: String(row['text']) })
      held += message.length
      answers.push({ id: String(row['id']), engine: getEngineId(Number(row['platform_no'])), message })
    }
    rows = await batches.next()
  }
  return {
    answers,
    unjudged: Number(counts['unjudged']),
    askedBefore: Number(counts['asked_before']),
    tooLong: Number(counts['too_long']),
  }
}
