import { join } from 'node:path'
import type { Dataset, LakeFile } from '../domain/manifest.ts'
import { readParquetBound } from './duckdb-paths.ts'
import { createFileCheck } from './checksums/file-check.ts'
import { groupByColumns, selectNothing } from './read/files-relation.ts'
import type { Row } from './cells.ts'
import { openQueryPool, type QueryPoolOptions } from './read/query-pool.ts'
import type { RowBatches } from './read/row-batches.ts'
import { join as joinSql, type Sql, sql } from './sql.ts'
import { whileWanted, type Work } from './read/work.ts'

export interface LakeOptions extends Omit<QueryPoolOptions, 'lakeDir' | 'spillDir'> {
  /** The data directory's `lake/`. */
  readonly dir: string
  /** A directory of this process, inside the data directory, for what DuckDB spills. */
  readonly spillDir: string
}

/** The lake as reports see it: files of a snapshot in, rows out. DuckDB is opened by the first SELECT. */
export interface Lake {
  readonly dir: string
  /** Holds files against the manifest (file-check.ts); to be called before a SELECT that reads them. */
  ensureIntact(files: readonly LakeFile[]): Promise<void>
  /** Runs one SELECT; it reads files through `filesOf`. Errors as in query-pool.ts. */
  select(query: Sql): Promise<Row[]>
  /** The same for `count` rows with long texts, in slices that are read as they are asked for. */
  selectTexts(query: Sql, count: number): Promise<Iterable<readonly Row[]>>
  /** The same; the rows stay in DuckDB until they are asked for. Dispose of them. */
  selectInBatches(query: Sql): Promise<RowBatches>
  /**
   * A relation with the data set's columns over its files among `files`; empty when there are none. Throws ApiError
   * `data_unavailable` for a file of a newer program.
   */
  filesOf(dataset: Dataset, files: readonly LakeFile[]): Sql
  /** The same lake for this work: what it does ends with it. */
  under(work: Work): Lake
  /** Loads DuckDB, which the first SELECT does otherwise. Rejects when its library can't be loaded. */
  load(): Promise<void>
  /** Whether DuckDB answers. Opens it when nothing has yet. */
  isAlive(): Promise<boolean>
  close(): Promise<void>
}

/** Opens a lake for reports. Reads nothing yet: a wrong directory shows with the first file or SELECT. Close it in the end. */
export function openLake(options: LakeOptions): Lake {
  const pool = openQueryPool({ ...options, lakeDir: options.dir })
  const check = createFileCheck(options.dir)
  const lake: Lake = {
    dir: options.dir,
    ensureIntact: (files) => check.ensureIntact(files),
    select: (query) => pool.select(query),
    selectTexts: (query, count) => pool.selectTexts(query, count),
    selectInBatches: (query) => pool.selectInBatches(query),
    under: (work) => ({
      ...lake,
      ensureIntact: (files) => whileWanted(work, check.ensureIntact(files)),
      select: (query) => pool.select(query, work),
      selectTexts: (query, count) => pool.selectTexts(query, count, work),
      selectInBatches: (query) => pool.selectInBatches(query, work),
    }),
    filesOf: (dataset, files) => toRelation(options.dir, dataset, files),
    load: () => pool.load(),
    isAlive: async () => (await pool.select(sql`SELECT 1 AS one`)).length === 1,
    close: () => pool.close(),
  }
  return lake
}

/** One SELECT for each version of the columns among the files, with the paths as values. */
function toRelation(dir: string, dataset: Dataset, files: readonly LakeFile[]): Sql {
  const groups = groupByColumns(dataset, files)
  if (groups.length === 0) return sql`(${selectNothing(dataset)})`
  const selects = groups.map(
    ({ columns, paths }) => sql`SELECT ${columns} FROM ${readParquetBound(paths.map((path) => join(dir, path)))}`,
  )
  return sql`(${joinSql(selects, sql` UNION ALL `)})`
}
