import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { type Sql, sql } from '../sql.ts'
import { runStatement } from '../statement.ts'
import { isHitSum } from '../write/bot-rollups.ts'
import { stageHitSums } from './hit-sums.ts'
import { listWithin, type RemovalOptions, removeRows } from './row-removal.ts'

export interface LogRemovalOptions extends RemovalOptions {
  /** True for the rows that go, over the columns of the data set, and tables of the connection; none go without it. */
  readonly where: Readonly<Partial<Record<'bot_hits' | 'visits', Sql>>>
  /** True for paths whose rows may go, over the columns of `paths`; all without it. */
  readonly ofPaths?: Sql | undefined
}

export interface LogRemoval {
  /** Hits and visits that go. */
  readonly removed: Readonly<Record<'bot_hits' | 'visits', number>>
  /** Files that lose rows, and the sums over their months, for the commit to remove; what is left was staged anew. */
  readonly replaced: readonly LakeFile[]
}

/**
 * Takes hits and visits out of a site's files, each file on its own, and makes the sums over hits anew for the months that
 * lose some. Files that lose nothing stay as they are; `paths` keeps its entries. Throws DamagedFileError.
 */
export async function removeLogRows(connection: DuckDBConnection, options: LogRemovalOptions): Promise<LogRemoval> {
  const { files, lakeDir, staging, ofPaths } = options
  const removed = { bot_hits: 0, visits: 0 }
  const replaced: LakeFile[] = []
  const rests: LakeFile[] = []
  if (ofPaths) {
    const paths = readFiles(lakeDir, 'paths', files)
    await runStatement(
      connection,
      sql`CREATE OR REPLACE TABLE removed_paths AS SELECT path_no FROM ${paths} WHERE ${ofPaths}`,
    )
  }
  for (const file of listWithin(options)) {
    const { dataset } = file
    if (dataset !== 'bot_hits' && dataset !== 'visits') continue
    const where = options.where[dataset]
    if (!where) continue
    const { rows, amount, rest } = await removeRows(connection, options, file, {
      where: ofPaths ? sql`(${where}) AND path_no IN (SELECT path_no FROM removed_paths)` : where,
      counted: dataset === 'bot_hits' ? sql`sum(hits)` : sql`sum(visits)`,
    })
    if (rows > 0) replaced.push(file)
    if (rest) rests.push(staging.where(rest))
    removed[dataset] += amount
  }
  if (options.isDryRun !== true) {
    const months = new Set(replaced.filter(({ dataset }) => dataset === 'bot_hits').map(({ month }) => month))
    const left = [...files.filter((file) => !replaced.includes(file)), ...rests]
    for (const month of [...months].sort()) await stageHitSums(connection, { staging, lakeDir, files: left, month })
    replaced.push(...files.filter(({ dataset, month }) => isHitSum(dataset) && months.has(month)))
  }
  return { removed, replaced }
}
