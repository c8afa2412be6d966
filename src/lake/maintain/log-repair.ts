import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, LakeFile, PartitionMonth } from '../../domain/manifest.ts'
import { DATASET } from '../datasets.ts'
import { readFiles } from '../read/files-relation.ts'
import { sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import { HIT_SUMS, isHitSum } from '../write/bot-rollups.ts'
import { openChangeDatabase } from '../instance.ts'
import type { Staging } from '../write/staging.ts'
import { stageHitSums } from './hit-sums.ts'

export interface LogRepairOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's files of the logs' group that stay. */
  readonly files: readonly LakeFile[]
  /** Those that are given up; they are not read. */
  readonly dropped: readonly LakeFile[]
}

export interface LogRepair {
  /** Files that were staged anew, or whose sums were. */
  readonly replaced: readonly LakeFile[]
  readonly lost: readonly { readonly dataset: Dataset; readonly month: PartitionMonth; readonly rows: number }[]
  readonly rebuilt: readonly { readonly dataset: Dataset; readonly month: PartitionMonth }[]
}

/**
 * Makes a site's log data agree again after files of it were given up: hits and visits of paths that are lost go, and the
 * sums over hits are made anew where hits or sums are gone.
 */
export async function repairLogs(options: LogRepairOptions): Promise<LogRepair> {
  const { staging, dropped } = options
  using database = await openChangeDatabase(staging.spillDir)
  const connection = await database.connect()
  const isDropped = (...datasets: readonly Dataset[]): boolean =>
    dropped.some(({ dataset }) => datasets.includes(dataset))
  const pathless = isDropped('paths')
    ? await takeOutPathless(connection, options)
    : { replaced: [], lost: [], staged: [] }
  const months = new Set([
    ...dropped.filter(({ dataset }) => dataset === 'bot_hits' || isHitSum(dataset)).map(({ month }) => month),
    ...pathless.lost.filter(({ dataset }) => dataset === 'bot_hits').map(({ month }) => month),
  ])
  const hits = [...options.files.filter((file) => !pathless.replaced.includes(file)), ...pathless.staged]
  const rebuilt: { dataset: Dataset; month: PartitionMonth }[] = []
  for (const month of [...months].sort()) {
    await stageHitSums(connection, { ...options, files: hits, month })
    rebuilt.push(...HIT_SUMS.map((dataset) => ({ dataset, month })))
  }
  const sums = options.files.filter(({ dataset, month }) => isHitSum(dataset) && months.has(month))
  return { replaced: [...pathless.replaced, ...sums], lost: pathless.lost, rebuilt }
}

/** `staged` are the files that took the place of the replaced ones, where they are now. */
async function takeOutPathless(
  connection: DuckDBConnection,
  { staging, lakeDir, files }: LogRepairOptions,
): Promise<{ replaced: LakeFile[]; lost: LogRepair['lost'][number][]; staged: LakeFile[] }> {
  const replaced: LakeFile[] = []
  const lost: LogRepair['lost'][number][] = []
  const staged: LakeFile[] = []
  const paths = readFiles(lakeDir, 'paths', files)
  for (const file of files) {
    const { dataset, month } = file
    if (dataset !== 'bot_hits' && dataset !== 'visits') continue
    const relation = readFiles(lakeDir, dataset, [file])
    const [[rows] = []] = await readCells(
      connection,
      sql`SELECT count(*) FROM ${relation} ANTI JOIN ${paths} AS kept USING (path_no)`,
    )
    if (rows === 0) continue
    const kept = await staging.write(
      connection,
      dataset,
      month,
      sql`SELECT * FROM ${relation} SEMI JOIN ${paths} AS kept USING (path_no) ORDER BY ${DATASET[dataset].sortedBy}`,
    )
    replaced.push(file)
    lost.push({ dataset, month, rows: Number(rows) })
    if (kept) staged.push(staging.where(kept))
  }
  return { replaced, lost, staged }
}
