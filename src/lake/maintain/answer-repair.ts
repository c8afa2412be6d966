import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, LakeFile, PartitionMonth } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { boolean, day, join, type Sql, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { openChangeDatabase } from '../instance.ts'
import { type NewestScan, readNewestScan } from '../write/newest-scan.ts'
import type { Staging } from '../write/staging.ts'

export interface AnswerRepairOptions {
  readonly staging: Staging
  readonly lakeDir: string
  readonly month: PartitionMonth
  /** The month's files that stay. */
  readonly files: readonly LakeFile[]
  /** The month's files that are given up; they are not read. */
  readonly dropped: readonly LakeFile[]
  /** Keeps answers whose links may have been in a dropped file, as answers without any. */
  readonly keepsAnswers: boolean
}

export interface AnswerRepair {
  /** Files whose rows, but for the lost ones, were staged anew. */
  readonly replaced: readonly LakeFile[]
  readonly lost: readonly { readonly dataset: Dataset; readonly rows: number }[]
}

/** Data sets with an `answer_no`. */
const OF_ANSWERS = ['answers', 'mentions', 'citations'] as const

/**
 * Makes a month's answers, mentions and citations agree again after files of them were given up: what belongs to a lost
 * answer goes, and an answer goes whose links may be lost, since it would count as one that cites nothing. Which answers
 * without any link lost them can't be told, so all of the lost file's days go.
 */
export async function repairAnswers(options: AnswerRepairOptions): Promise<AnswerRepair> {
  const { staging, lakeDir, month, files } = options
  using database = await openChangeDatabase(staging.spillDir)
  const connection = await database.connect()
  await runStatement(connection, sql`CREATE TABLE kept AS ${selectKept(options)}`)
  const replaced: LakeFile[] = []
  const lost: { dataset: Dataset; rows: number }[] = []
  for (const dataset of OF_ANSWERS) {
    let rows = 0
    for (const file of files.filter((one) => one.dataset === dataset)) {
      const relation = readFiles(lakeDir, dataset, [file])
      const lostHere = await count(connection, sql`${relation} ANTI JOIN kept USING (answer_no)`)
      if (lostHere === 0) continue
      await staging.write(connection, dataset, month, sql`SELECT * FROM ${relation} SEMI JOIN kept USING (answer_no)`)
      replaced.push(file)
      rows += lostHere
    }
    if (rows > 0) lost.push({ dataset, rows })
  }
  return { replaced, lost }
}

function selectKept({ lakeDir, files, dropped, keepsAnswers }: AnswerRepairOptions): Sql {
  const answers = readFiles(lakeDir, 'answers', files)
  const uncertain = keepsAnswers ? [] : dropped.filter(({ dataset }) => dataset === 'citations')
  const days = uncertain.flatMap(({ minDay, maxDay }) =>
    minDay === null || maxDay === null ? [] : [sql`day BETWEEN ${day(minDay)} AND ${day(maxDay)}`],
  )
  if (days.length === 0) return sql`SELECT answer_no FROM ${answers}`
  return sql`
    SELECT answer_no FROM ${answers} WHERE NOT (${join(days, sql` OR `)})
    UNION
    SELECT answer_no FROM ${answers} SEMI JOIN ${readFiles(lakeDir, 'citations', files)} AS cited USING (answer_no)`
}

/** The newest day of the answers and no_answers among the files, an entry an engine. */
export async function readNewestScanOfFiles(
  lakeDir: string,
  files: readonly LakeFile[],
  spillDir: string,
): Promise<NewestScan[]> {
  const newest = files.reduce((day, { maxDay }) => (maxDay !== null && maxDay > day ? maxDay : day), '')
  const ofDay = files.filter(({ maxDay }) => maxDay === newest)
  const asked = (dataset: 'answers' | 'no_answers'): Sql =>
    sql`SELECT day, platform_no, prompt_no, ${boolean(dataset === 'answers')} AS is_answer, 1 AS times FROM ${readFiles(lakeDir, dataset, ofDay)}`
  using database = await openChangeDatabase(spillDir)
  const connection = await database.connect()
  return await readNewestScan(connection, sql`(${asked('answers')} UNION ALL ${asked('no_answers')})`)
}

async function count(connection: DuckDBConnection, relation: Sql): Promise<number> {
  const [[rows] = []] = await readCells(connection, sql`SELECT count(*) FROM ${relation}`)
  return Number(rows)
}
