import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, LakeFile, PartitionMonth } from '../../domain/manifest.ts'
import { DATASET } from '../datasets.ts'
import { readParquet } from '../duckdb-paths.ts'
import { readFiles } from '../read/files-relation.ts'
import { join as joinSql, type Sql, sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import { openChangeDatabase } from '../instance.ts'
import type { Staging } from '../write/staging.ts'
import { ensureSound } from './ensure-sound.ts'

export interface MergeOptions {
  readonly staging: Staging
  readonly lakeDir: string
  readonly dataset: Dataset
  readonly month: PartitionMonth
  /** Files of the data set and month. */
  readonly files: readonly LakeFile[]
  readonly signal?: AbortSignal
}

/**
 * Stages one file with what several hold. Sources are held against their checksums first; afterwards the rows' number and
 * a checksum over all of them, whatever their order, must be what they were. Data sets that are sums are summed up again:
 * rows with the same keys become one, and their totals must be what they were. Memory holds some row groups, not the files.
 * Throws DamagedFileError.
 */
export async function mergeFiles(options: MergeOptions): Promise<LakeFile> {
  const { staging, lakeDir, dataset, month, files, signal } = options
  for (const file of files) await ensureSound(lakeDir, file, signal)
  using database = await openChangeDatabase(staging.spillDir)
  const connection = await database.connect()
  const interrupt = (): void => connection.interrupt()
  signal?.addEventListener('abort', interrupt)
  try {
    const sources = readFiles(lakeDir, dataset, await putInOrder(connection, lakeDir, files))
    const select = selectMerged(dataset, sources)
    const before = [await sumUp(connection, dataset, sql`(${select})`), await readTotals(connection, dataset, sources)]
    const merged = await staging.write(connection, dataset, month, select)
    if (!merged) throw new Error(`the files of ${dataset} ${month} hold no rows`)
    const staged = readParquet([join(staging.dir, `${merged.fileId}.parquet`)])
    const after = [await sumUp(connection, dataset, staged), await readTotals(connection, dataset, staged)]
    const rows = files.reduce((sum, file) => sum + file.rows, 0)
    const isWhole = SUMMED.has(dataset) ? merged.rows <= rows : merged.rows === rows
    if (!isWhole || before.join() !== after.join()) {
      throw new Error(
        `merging ${dataset} ${month} would have changed rows (${rows}; ${before.join()}; then ${after.join()})`,
      )
    }
    return merged
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', interrupt)
  }
}

/** Data sets with short rows are sorted anew; where rows hold texts, sorted files are laid one behind the other. */
const SORTED: ReadonlySet<Dataset> = new Set(['no_answers', 'mentions'])
/** Rows of the same keys add up in these; `bot_hits` too, but it has few such rows and too many others to group them. */
const SUMMED: ReadonlySet<Dataset> = new Set(['bot_rollup', 'bot_page_types', 'bot_months', 'visits'])
const SUMS: Readonly<Record<string, Sql>> = {
  hits: sql`sum`,
  error_hits: sql`sum`,
  visits: sql`sum`,
  last_second: sql`max`,
  last_epoch: sql`max`,
}

function selectMerged(dataset: Dataset, sources: Sql): Sql {
  const { columns, sortedBy } = DATASET[dataset]
  if (SORTED.has(dataset)) return sql`SELECT * FROM ${sources} ORDER BY ${sortedBy}`
  if (!SUMMED.has(dataset)) return sql`SELECT * FROM ${sources}`
  const summed = columns.map(({ name, type }) => {
    const column = sql.identifier(name)
    const sum = SUMS[name]
    return sum ? sql`${sum}(${column})::${sql.identifier(type)} AS ${column}` : column
  })
  return sql`SELECT ${joinSql(summed, sql`, `)} FROM ${sources} GROUP BY ALL ORDER BY ${sortedBy}`
}

/** What stays the same however often rows are summed up. */
async function readTotals(connection: DuckDBConnection, dataset: Dataset, relation: Sql): Promise<string> {
  const totals = DATASET[dataset].columns.flatMap(({ name }) => {
    const sum = SUMS[name]
    return sum ? [sql`${sum}(${sql.identifier(name)})`] : []
  })
  const [row = []] = await readCells(
    connection,
    sql`SELECT concat(${joinSql([sql`'totals'`, ...totals], sql`, ' ', `)}) FROM ${relation}`,
  )
  return row.join()
}

/** By day; dictionaries by their numbers. */
async function putInOrder(
  connection: DuckDBConnection,
  lakeDir: string,
  files: readonly LakeFile[],
): Promise<readonly LakeFile[]> {
  const keyed: { file: LakeFile; key: string | number }[] = []
  for (const file of files) keyed.push({ file, key: file.minDay ?? (await findFirst(connection, lakeDir, file)) })
  return keyed
    .sort((a, b) => compare(a.key, b.key) || compare(a.file.maxDay ?? '', b.file.maxDay ?? ''))
    .map(({ file }) => file)
}

async function findFirst(connection: DuckDBConnection, lakeDir: string, file: LakeFile): Promise<number> {
  const { sortedBy } = DATASET[file.dataset]
  const [row = []] = await readCells(
    connection,
    sql`SELECT min(${sortedBy})::DOUBLE FROM ${readFiles(lakeDir, file.dataset, [file])}`,
  )
  return Number(row[0] ?? 0)
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The same for the same rows in any order and any division into files. */
async function sumUp(connection: DuckDBConnection, dataset: Dataset, relation: Sql): Promise<string> {
  const names = DATASET[dataset].columns.map(({ name }) => sql.identifier(name))
  const [row = []] = await readCells(
    connection,
    sql`SELECT concat(count(*), ' rows, sum ', sum(hash(${joinSql(names, sql`, `)}))) FROM ${relation}`,
  )
  return row.join()
}
