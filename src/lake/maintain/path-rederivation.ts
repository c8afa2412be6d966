import type { LakeFile } from '../../domain/manifest.ts'
import { DATASET } from '../datasets.ts'
import { readFiles } from '../read/files-relation.ts'
import { sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import { selectHitSum } from '../write/bot-rollups.ts'
import { ensureAllSound } from './ensure-sound.ts'
import { openChangeDatabase } from '../instance.ts'
import type { Staging } from '../write/staging.ts'
import { openTableAppender } from '../write/table-appender.ts'

export interface PathRederivationOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's live files of the logs' group. */
  readonly liveFiles: readonly LakeFile[]
  /** Place of a path's type in PAGE_TYPES, from 1. */
  toPageTypeNo(path: string): number
}

/**
 * Gives every path of a site its page type anew, and sums the hits of each page type up again from the hits of each
 * path. Stages nothing when no type changes. Returns how many paths change theirs. Throws
 * DamagedFileError.
 */
export async function rederivePathTypes(options: PathRederivationOptions): Promise<{ changed: number }> {
  const { staging, lakeDir, liveFiles } = options
  await ensureAllSound(lakeDir, liveFiles, ['paths'])
  using database = await openChangeDatabase(staging.spillDir)
  const connection = await database.connect()
  const stored = readFiles(lakeDir, 'paths', liveFiles)
  const table = await openTableAppender(connection, 'typed_paths', {
    path_no: 'integer',
    path: 'text',
    page_type_no: 'integer',
  })
  let changed = 0
  for (const [pathNo, path, before] of await readCells(
    connection,
    sql`SELECT path_no, path, page_type_no::INTEGER FROM ${stored}`,
  )) {
    const pageTypeNo = options.toPageTypeNo(String(path))
    if (pageTypeNo !== before) changed += 1
    table.cells.path_no.push(Number(pathNo))
    table.cells.path.push(String(path))
    table.cells.page_type_no.push(pageTypeNo)
    table.endRow()
  }
  table.close()
  if (changed === 0) return { changed }
  await ensureAllSound(lakeDir, liveFiles, ['bot_hits'])
  await staging.write(connection, 'paths', 'all', sql`SELECT * FROM typed_paths ORDER BY ${DATASET.paths.sortedBy}`)
  const months = new Set(liveFiles.filter(({ dataset }) => dataset === 'bot_hits').map(({ month }) => month))
  for (const month of [...months].sort()) {
    const ofMonth = liveFiles.filter((file) => file.month === month)
    await staging.write(
      connection,
      'bot_page_types',
      month,
      selectHitSum(
        'bot_page_types',
        sql`(SELECT * FROM ${readFiles(lakeDir, 'bot_hits', ofMonth)} JOIN typed_paths USING (path_no))`,
      ),
    )
  }
  return { changed }
}
