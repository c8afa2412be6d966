import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { removeAnswers } from '../maintain/answer-removal.ts'
import { readWithdrawal, type Withdrawal } from '../maintain/named-brands.ts'
import { day, sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import type { Staging } from './staging.ts'

/** What goes with the records that others take the place of. */
export interface ReplacedAnswers extends Withdrawal {
  /** Files for the commit to remove; what is left of each was staged anew. */
  readonly files: readonly LakeFile[]
  listIds(): Promise<string[]>
}

export interface ReplacedAnswersOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's live files of the answers' group. */
  readonly liveFiles: readonly LakeFile[]
}

const IS_REPLACED = sql`id IN (SELECT id FROM replaced)`

/** Stages a site's files without the records of the table `replaced` (`id`, `day`). Throws DamagedFileError. */
export async function takeOutReplaced(
  connection: DuckDBConnection,
  { staging, lakeDir, liveFiles }: ReplacedAnswersOptions,
): Promise<ReplacedAnswers> {
  const [[from, to] = []] = await readCells(
    connection,
    sql`SELECT strftime(min(day), '%Y-%m-%d'), strftime(max(day), '%Y-%m-%d') FROM replaced`,
  )
  if (typeof from !== 'string' || typeof to !== 'string')
    return { files: [], listIds: async () => [], listings: [], unnamed: [] }
  const { replaced: files } = await removeAnswers(connection, {
    staging,
    lakeDir,
    files: liveFiles,
    where: { answers: IS_REPLACED, no_answers: IS_REPLACED },
    days: { from, to },
  })
  const gone = new Set(files.map(({ fileId }) => fileId))
  const after = [
    ...liveFiles.filter(({ fileId }) => !gone.has(fileId)),
    ...staging.files.map((file) => staging.where(file)),
  ]
  const where = sql`day BETWEEN ${day(from)} AND ${day(to)} AND ${IS_REPLACED}`
  const listIds = async (): Promise<string[]> =>
    (await readCells(connection, sql`SELECT id FROM replaced ORDER BY id`)).map(([id]) => String(id))
  return { files, listIds, ...(await readWithdrawal(connection, { lakeDir, before: liveFiles, after, where })) }
}
