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
  /** The names of hosts or pages are given up too; only links that are there as they were given get new ones. */
  readonly losesNames: boolean
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
 * without any link lost them can't be told, so all of the lost file's days go. An answer whose words are blank goes with the
 * mentions, or the names of hosts, that can't be made again from them.
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

function selectKept({ lakeDir, files, dropped, keepsAnswers, losesNames }: AnswerRepairOptions): Sql {
  const answers = readFiles(lakeDir, 'answers', files)
  // What was found in words that are blank now can't be found again.
  const lost = [
    sql`false`,
    ...listDays(dropped, 'mentions').map((days) => sql`(text = '' AND ${days})`),
    ...(losesNames && !keepsAnswers ? [sql`text = ''`] : []),
  ]
  const uncertain = [sql`false`, ...(keepsAnswers ? [] : listDays(dropped, 'citations'))]
  return sql`
    SELECT answer_no FROM ${answers} WHERE NOT (${join(lost, sql` OR `)}) AND NOT (${join(uncertain, sql` OR `)})
    UNION
    SELECT answer_no FROM ${answers} SEMI JOIN ${readFiles(lakeDir, 'citations', files)} AS cited USING (answer_no)
    WHERE NOT (${join(lost, sql` OR `)})`
}

/** Conditions for the days of files. */
function listDays(files: readonly LakeFile[], dataset: Dataset): Sql[] {
  return files.flatMap((file) =>
    file.dataset !== dataset || file.minDay === null || file.maxDay === null
      ? []
      : [sql`day BETWEEN ${day(file.minDay)} AND ${day(file.maxDay)}`],
  )
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
