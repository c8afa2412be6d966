import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { day, join, type Sql, sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import type { Staging } from '../write/staging.ts'
import { blamingDamage, ensureSound } from './ensure-sound.ts'

/** UTC days, `YYYY-MM-DD`, both included; open where one is missing. */
export interface DayBounds {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** True for the rows of these days. */
export function onDays({ from, to }: DayBounds): Sql {
  const since = from === undefined ? [] : [sql`day >= ${day(from)}`]
  const until = to === undefined ? [] : [sql`day <= ${day(to)}`]
  return join([sql`true`, ...since, ...until], sql` AND `)
}

export interface RemovalOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's live files of the group. */
  readonly files: readonly LakeFile[]
  /** Days outside of which no row goes: files without any of them are not opened. */
  readonly days?: DayBounds
  /** Counts, and stages nothing. */
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
}

/** Files that may hold rows of the days; dictionaries never do. */
export function listWithin({
  files,
  days: { from = '', to = '~' } = {},
}: Pick<RemovalOptions, 'files' | 'days'>): readonly LakeFile[] {
  return files.filter(({ minDay, maxDay }) => minDay !== null && maxDay !== null && minDay <= to && maxDay >= from)
}

/** What became of one file. */
export interface RowRemoval {
  /** Rows that go. */
  readonly rows: number
  /** What these rows stand for: their number, or what `counted` sums up. */
  readonly amount: number
  /** The staged file with the others; undefined where none goes, or none stays. */
  readonly rest: LakeFile | undefined
}

/**
 * Stages what is left of a file without the rows for which `where` is true, in their order. `counted` is an aggregate over
 * those rows. Throws DamagedFileError.
 */
export async function removeRows(
  connection: DuckDBConnection,
  { staging, lakeDir, isDryRun = false, signal }: RemovalOptions,
  file: LakeFile,
  { where, counted = sql`count(*)` }: { readonly where: Sql; readonly counted?: Sql },
): Promise<RowRemoval> {
  signal?.throwIfAborted()
  const relation = readFiles(lakeDir, file.dataset, [file])
  const [found = []] = await blamingDamage(lakeDir, [file], () =>
    readCells(
      connection,
      sql`SELECT count(*)::DOUBLE, coalesce(${counted}, 0)::DOUBLE FROM ${relation} WHERE ${where}`,
    ),
  )
  const [rows = 0, amount = 0] = found.map(Number)
  if (rows === 0 || isDryRun) return { rows, amount, rest: undefined }
  await ensureSound(lakeDir, file, signal)
  if (rows === file.rows) return { rows, amount, rest: undefined }
  // IS NOT TRUE, not ANTI JOIN: that may be turned around, with the file in memory and its order lost.
  const others = sql`SELECT * FROM ${relation} WHERE (${where}) IS NOT TRUE`
  return { rows, amount, rest: await staging.write(connection, file.dataset, file.month, others) }
}
