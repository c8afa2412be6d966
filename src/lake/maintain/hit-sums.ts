import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile, PartitionMonth } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { sql } from '../sql.ts'
import { ensureAllSound } from './ensure-sound.ts'
import { HIT_SUMS, selectHitSum } from '../write/bot-rollups.ts'
import type { Staging } from '../write/staging.ts'

export interface HitSumsOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's files of the logs' group as they are to be; staged ones where they are now. */
  readonly files: readonly LakeFile[]
  readonly month: PartitionMonth
}

/** Stages the sums over a month's hits anew, a file each; none where there are no hits. Throws DamagedFileError. */
export async function stageHitSums(connection: DuckDBConnection, options: HitSumsOptions): Promise<void> {
  const { staging, lakeDir, files, month } = options
  const ofMonth = files.filter((file) => file.month === month)
  await ensureAllSound(lakeDir, ofMonth, ['bot_hits'])
  await ensureAllSound(lakeDir, files, ['paths'])
  const hits = readFiles(lakeDir, 'bot_hits', ofMonth)
  const typed = sql`(SELECT * FROM ${hits} JOIN ${readFiles(lakeDir, 'paths', files)} AS paths USING (path_no))`
  for (const dataset of HIT_SUMS) await staging.write(connection, dataset, month, selectHitSum(dataset, typed))
}
