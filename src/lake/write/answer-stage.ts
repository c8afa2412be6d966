import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, PartitionMonth } from '../../domain/manifest.ts'
import { day, type Sql, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { DATASET } from '../datasets.ts'
import { deriveTables, SELECT_CITED } from './answer-dictionaries.ts'
import type { Staging } from './staging.ts'
import type { StoredAnswers } from './stored-answers.ts'

/** Both to one instance; they write files beside each other. */
export type Stagers = readonly [DuckDBConnection, DuckDBConnection]

export interface TakenChunk {
  /** The table that holds it. */
  readonly chunk: Sql
  readonly months: readonly string[]
}

/** Places of records whose ids are there already. */
export interface StagedChunk {
  /** Those that were not kept. */
  readonly duplicates: ReadonlySet<number>
  /** Those that say something else than what is stored: duplicates, or kept in its place. */
  readonly differing: ReadonlySet<number>
}

export interface StagingParts {
  readonly staging: Staging
  readonly stored: StoredAnswers
  /** Keeps a record that differs from what is stored, and notes its id in the table `replaced`. Then no id comes twice. */
  readonly replaces: boolean
}

/**
 * Stages the fresh records of a chunk. Few calls, of many statements each: after every call DuckDB waits for this thread,
 * which is busy reading.
 */
export async function stageAnswers(
  [first, second]: Stagers,
  { staging, stored, replaces }: StagingParts,
  { chunk, months }: TakenChunk,
): Promise<StagedChunk> {
  const stagedBefore = staging.files.length
  const replacing = replaces ? await findReplacing(first, stored, chunk) : new Set<number>()
  const kept = replacing.size > 0 ? sql`UNION ALL SELECT seq FROM differing` : sql``
  await runStatement(first, sql`${keepFresh(chunk, kept)}${deriveTables(chunk)}${noteFresh(chunk)}`)
  const repeated = await readCells(first, sql`SELECT seq FROM repeated`)
  for (const month of months) {
    const firstDay = day(`${month}-01`)
    const ofMonth = sql`day BETWEEN ${firstDay} AND last_day(${firstDay})`
    const answers = sql`
      SELECT chunk.* EXCLUDE (day, mentions, citations), fresh.day, answer_no
      FROM ${chunk} AS chunk JOIN fresh USING (seq)
      WHERE fresh.${ofMonth}`
    const mentions = sql`SELECT * FROM mentioned WHERE ${ofMonth} ORDER BY ${DATASET.mentions.sortedBy}`
    await settleAll([
      writeInTurn(staging, first, month, {
        answers: sql`${answers} AND is_answer`,
        no_answers: sql`${answers} AND NOT is_answer`,
      }),
      writeInTurn(staging, second, month, { citations: sql`${SELECT_CITED} WHERE ${ofMonth}`, mentions }),
    ])
  }
  stored.addStaged(staging.files.slice(stagedBefore).map((file) => staging.where(file)))
  const isCompared = replaces || repeated.length === 0
  return {
    duplicates: new Set(repeated.map(([seq]) => Number(seq))),
    differing: isCompared ? replacing : await stored.findDiffering(chunk, sql`repeated`),
  }
}

async function findReplacing(
  connection: DuckDBConnection,
  stored: StoredAnswers,
  chunk: Sql,
): Promise<ReadonlySet<number>> {
  await runStatement(
    connection,
    sql`CREATE OR REPLACE TABLE known AS SELECT seq, id FROM ${chunk} SEMI JOIN seen USING (id)`,
  )
  const replacing = await stored.findDiffering(chunk, sql`known`)
  if (replacing.size > 0) {
    await runStatement(
      connection,
      sql`INSERT INTO replaced SELECT id, day FROM seen SEMI JOIN (FROM known SEMI JOIN differing USING (seq)) USING (id)`,
    )
  }
  return replacing
}

async function writeInTurn(
  staging: Staging,
  connection: DuckDBConnection,
  month: PartitionMonth,
  selects: Partial<Record<Dataset, Sql>>,
): Promise<void> {
  for (const [dataset, select] of Object.entries(selects)) {
    await staging.write(connection, dataset as Dataset, month, select)
  }
}

/**
 * `fresh`: the chunk's records whose id the site doesn't have yet, the first of each id, and those that `more` selects,
 * numbered; `repeated`: the others.
 */
function keepFresh(chunk: Sql, more: Sql): Sql {
  return sql`
    CREATE OR REPLACE TABLE fresh AS
    WITH
      firsts AS (
        SELECT id, min(seq) AS seq
        FROM ${chunk}
        GROUP BY id
      ),
      seen_firsts AS (
        SELECT id
        FROM seen SEMI JOIN firsts USING (id)
      ),
      kept AS (
        SELECT seq
        FROM firsts ANTI JOIN seen_firsts USING (id)
        ${more}
      )
    SELECT
      (SELECT answer_no FROM next_answer) + row_number() OVER (ORDER BY seq) - 1 AS answer_no,
      seq,
      DATE '1970-01-01' + day AS day,
      platform_no,
      prompt_no,
      text <> '' AS is_answer
    FROM ${chunk} JOIN kept USING (seq);

    CREATE OR REPLACE TABLE repeated AS
    SELECT seq, id
    FROM ${chunk} ANTI JOIN fresh USING (seq);

    INSERT INTO seen SELECT id, fresh.day FROM ${chunk} JOIN fresh USING (seq);

    UPDATE next_answer SET answer_no = answer_no + (SELECT count(*) FROM fresh);`
}

/** Adds what the writer's `finish` tells of the kept records: those dropped as duplicates were neither asked nor heard again. */
function noteFresh(chunk: Sql): Sql {
  return sql`
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

/** Rejects once all works are done, as the first in the list that did: a connection must be idle when it is closed. */
async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}
