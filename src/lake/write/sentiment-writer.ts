import type { DuckDBConnection } from '@duckdb/node-api'
import { SENTIMENTS, type Sentiment } from '../../domain/enums.ts'
import type { LakeFile } from '../../domain/manifest.ts'
import type { Cell } from '../cells.ts'
import { ensureSound } from '../maintain/ensure-sound.ts'
import { readFiles } from '../read/files-relation.ts'
import { integer, type Sql, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { openChangeDatabase } from '../instance.ts'
import type { Staging } from './staging.ts'
import { openTableAppender } from './table-appender.ts'

/** A judgement of one stored answer; null takes an earlier one back. */
export interface Judgement {
  /** Which file of the call it comes from, from 0, and where it begins there. */
  readonly fileNo: number
  readonly line: number
  readonly id: string
  readonly sentiment: Sentiment | null
  /** Who judged; undefined where nobody says. */
  readonly judge?: string | undefined
}

/** What became of the judgements of one file. */
export interface JudgementCounts {
  /** Answers whose sentiment is another now. */
  readonly changed: number
  /** Judgements that the answer has already, that a later one of the call replaces, or that `keepsJudged` leaves out. */
  readonly unchanged: number
}

export interface SentimentWriterResult {
  readonly counts: readonly JudgementCounts[]
  /** Files of answers that were staged anew, to be removed by the commit. */
  readonly replaced: readonly LakeFile[]
  /** The site's answers with a judgement afterwards, and all of them. */
  readonly judged: number
  readonly answers: number
}

/** Takes judgements one by one and stages the files of the answers whose sentiment they change. */
export interface SentimentWriter extends Disposable {
  add(judgement: Judgement): void
  /** Those of the judgements so far that are of no stored answer, in their order. */
  listUnknown(): Promise<readonly (Judgement & { readonly reason: string })[]>
  /** Stages the changed files; of several judgements of one answer the last one counts. Rejects with DamagedFileError. */
  finish(fileCount: number): Promise<SentimentWriterResult>
}

export interface SentimentWriterOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's live files of the answers' group. */
  readonly liveFiles: readonly LakeFile[]
  /** The import's own, of its rows in `judgements`. */
  readonly importNo: number
  /** An answer that has a sentiment keeps it. */
  readonly keepsJudged: boolean
}

/** Opens a DuckDB for one sentiment import. Stored answers are read by `listUnknown`, which comes before `finish`. */
export async function openSentimentWriter(options: SentimentWriterOptions): Promise<SentimentWriter> {
  const { staging, lakeDir, liveFiles, keepsJudged } = options
  const database = await openChangeDatabase(staging.spillDir)
  try {
    const connection = await database.connect()
    const appender = await openTableAppender(connection, 'given', {
      seq: 'integer',
      file_no: 'integer',
      line: 'integer',
      id: 'text',
      sentiment_no: 'integer',
      judge: 'text',
    })
    const answers = readFiles(lakeDir, 'answers', liveFiles)
    let count = 0
    return {
      add({ fileNo, line, id, sentiment, judge = null }) {
        const { cells } = appender
        cells.seq.push(count++)
        cells.file_no.push(fileNo)
        cells.line.push(line)
        cells.id.push(id)
        cells.sentiment_no.push(sentiment === null ? 0 : SENTIMENTS.indexOf(sentiment) + 1)
        cells.judge.push(judge)
        appender.endRow()
      },
      async listUnknown() {
        appender.close()
        await runStatement(
          connection,
          sql`
          CREATE TABLE stored AS
          SELECT answers.id, answer_no, sentiment_no::INTEGER AS stored_no
          FROM ${answers} AS answers SEMI JOIN given USING (id)`,
        )
        const rows = await readCells(
          connection,
          sql`SELECT file_no, line, given.id, sentiment_no, no_answers.id IS NOT NULL
           FROM given ANTI JOIN stored USING (id)
           LEFT JOIN (SELECT DISTINCT id FROM ${readFiles(lakeDir, 'no_answers', liveFiles)}) AS no_answers USING (id)
           ORDER BY seq`,
        )
        return rows.map(toUnknown)
      },
      async finish(fileCount) {
        await runStatement(
          connection,
          sql`
          CREATE TABLE judged AS
          SELECT id, max(seq) AS seq, arg_max(sentiment_no, seq) AS new_no, arg_max_null(judge, seq) AS judge
          FROM given SEMI JOIN stored USING (id)
          GROUP BY id;

          CREATE TABLE changes AS
          SELECT answer_no, new_no, judge, judged.seq
          FROM judged JOIN stored USING (id)
          WHERE new_no <> stored_no${keepsJudged ? sql` AND stored_no = 0` : sql``}`,
        )
        return {
          counts: await readCounts(connection, fileCount),
          replaced: await stageChanged(connection, options),
          ...(await countJudged(connection, answers)),
        }
      },
      [Symbol.dispose]: () => database[Symbol.dispose](),
    }
  } catch (error) {
    database[Symbol.dispose]()
    throw error
  }
}

function toUnknown([fileNo, line, id, sentimentNo, isNoAnswer]: readonly Cell[]): Judgement & { reason: string } {
  return {
    fileNo: Number(fileNo),
    line: Number(line),
    id: String(id),
    sentiment: SENTIMENTS[Number(sentimentNo) - 1] ?? null,
    reason:
      isNoAnswer === true
        ? 'id: the engine gave no answer there, so there is nothing to judge'
        : 'id: the site has no stored answer with this id; import the answer first',
  }
}

async function readCounts(connection: DuckDBConnection, fileCount: number): Promise<JudgementCounts[]> {
  const rows = await readCells(
    connection,
    sql`SELECT file_no, count_if(changes.seq IS NOT NULL)::DOUBLE, count(*)::DOUBLE
     FROM given SEMI JOIN stored USING (id) LEFT JOIN changes USING (seq)
     GROUP BY file_no`,
  )
  const byFile = new Map(rows.map(([fileNo, changed, all]) => [Number(fileNo), [Number(changed), Number(all)]]))
  return Array.from({ length: fileCount }, (_, fileNo) => {
    const [changed = 0, all = 0] = byFile.get(fileNo) ?? []
    return { changed, unchanged: all - changed }
  })
}

/** Only files that hold a changed answer are written again; their rows stay in their order. */
async function stageChanged(
  connection: DuckDBConnection,
  { staging, lakeDir, liveFiles, importNo }: SentimentWriterOptions,
): Promise<LakeFile[]> {
  const replaced: LakeFile[] = []
  for (const file of liveFiles.filter(({ dataset }) => dataset === 'answers')) {
    const relation = readFiles(lakeDir, 'answers', [file])
    const [found] = await readCells(
      connection,
      sql`SELECT 1 FROM ${relation} SEMI JOIN changes USING (answer_no) LIMIT 1`,
    )
    if (!found) continue
    await ensureSound(lakeDir, file, undefined)
    await staging.write(
      connection,
      'answers',
      file.month,
      sql`SELECT rows.* REPLACE (coalesce(new_no, sentiment_no) AS sentiment_no)
       FROM ${relation} AS rows LEFT JOIN changes USING (answer_no)`,
    )
    await staging.write(
      connection,
      'judgements',
      file.month,
      sql`SELECT ${integer(importNo)} AS import_no, day, answer_no, sentiment_no AS before_no, new_no AS after_no, judge
       FROM ${relation} JOIN changes USING (answer_no) ORDER BY answer_no`,
    )
    replaced.push(file)
  }
  return replaced
}

async function countJudged(connection: DuckDBConnection, answers: Sql): Promise<{ judged: number; answers: number }> {
  const [row = []] = await readCells(
    connection,
    // Not count_if, which is null over no rows: nothing changes, or nothing is stored.
    sql`SELECT
       (SELECT count(*) FILTER (sentiment_no > 0) FROM ${answers})::DOUBLE
         + (SELECT count(*) FILTER (new_no > 0)::DOUBLE - count(*) FILTER (stored_no > 0)::DOUBLE
            FROM changes JOIN stored USING (answer_no)),
       (SELECT count(*) FROM ${answers})::DOUBLE`,
  )
  const [judged, all] = row
  return { judged: Number(judged), answers: Number(all) }
}
