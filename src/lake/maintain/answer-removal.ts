import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { type Sql, sql } from '../sql.ts'
import { runStatement } from '../statement.ts'
import { blamingDamage } from './ensure-sound.ts'
import { listWithin, type RemovalOptions, removeRows } from './row-removal.ts'

export interface AnswerRemovalOptions extends RemovalOptions {
  /** True for the records that go, over the columns of the data set and tables of the connection; none go without it. */
  readonly where: Readonly<Partial<Record<'answers' | 'no_answers', Sql>>>
}

/** Rows that go. */
export type RemovedAnswers = Record<'answers' | 'no_answers' | 'mentions' | 'citations', number>

export interface AnswerRemoval {
  readonly removed: Readonly<RemovedAnswers>
  /** Files that lose rows, for the commit to remove; what is left of each was staged anew. */
  readonly replaced: readonly LakeFile[]
}

const NONE = sql`false`
const OF_REMOVED = sql`answer_no IN (SELECT answer_no FROM removed_answers)`

/**
 * Takes answers and no_answers out of a site's files, with the mentions, citations and judgements of each: a month at a time and each
 * file on its own, so that memory holds some row groups and the numbers of a month's answers. Files that lose nothing stay
 * as they are. Dictionaries keep their entries. Throws DamagedFileError.
 */
export async function removeAnswers(
  connection: DuckDBConnection,
  options: AnswerRemovalOptions,
): Promise<AnswerRemoval> {
  const removed: RemovedAnswers = { answers: 0, no_answers: 0, mentions: 0, citations: 0 }
  const replaced: LakeFile[] = []
  const files = listWithin(options)
  for (const month of [...new Set(files.map((file) => file.month))].sort()) {
    const ofMonth = files.filter((file) => file.month === month)
    const answers = ofMonth.filter(({ dataset }) => dataset === 'answers')
    await blamingDamage(options.lakeDir, answers, () =>
      runStatement(
        connection,
        sql`
        CREATE OR REPLACE TABLE removed_answers AS
        SELECT answer_no FROM ${readFiles(options.lakeDir, 'answers', answers)} WHERE ${options.where.answers ?? NONE}`,
      ),
    )
    for (const dataset of ['answers', 'no_answers', 'mentions', 'citations', 'judgements'] as const) {
      const where = dataset === 'no_answers' ? (options.where.no_answers ?? NONE) : OF_REMOVED
      for (const file of ofMonth.filter((one) => one.dataset === dataset)) {
        const { rows } = await removeRows(connection, options, file, { where })
        if (rows > 0) replaced.push(file)
        if (dataset !== 'judgements') removed[dataset] += rows
      }
    }
  }
  return { removed, replaced }
}
