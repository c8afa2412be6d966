import { join } from 'node:path'
import type { Dataset, LakeFile } from '../domain/manifest.ts'
import { DATASET } from './datasets.ts'
import { createFileCheck } from './file-check.ts'
import { openQueryPool, type QueryPoolOptions, type Row } from './query-pool.ts'
import { type Sql, sql, texts } from './sql.ts'

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
  /** A relation with the data set's columns over its files among `files`; empty when there are none. */
  filesOf(dataset: Dataset, files: readonly LakeFile[]): Sql
  /** Whether DuckDB answers. Opens it when nothing has yet. */
  isAlive(): Promise<boolean>
  close(): Promise<void>
}

export function openLake(options: LakeOptions): Lake {
  const pool = openQueryPool({ ...options, lakeDir: options.dir })
  const { ensureIntact } = createFileCheck(options.dir)
  return {
    dir: options.dir,
    ensureIntact,
    select: (query) => pool.select(query),
    filesOf(dataset, files) {
      const paths = files.filter((file) => file.dataset === dataset).map((file) => join(options.dir, file.path))
      return paths.length === 0 ? EMPTY[dataset] : sql`read_parquet(${texts(paths)}, union_by_name = true)`
    },
    isAlive: async () => (await pool.select(sql`SELECT 1 AS one`)).length === 1,
    close: () => pool.close(),
  }
}

/** A relation without rows for each data set: DuckDB refuses to read an empty list of files. */
const EMPTY: Readonly<Record<Dataset, Sql>> = Object.fromEntries(
  Object.entries(DATASET).map(([dataset, { columns }]) => {
    const names = columns.map(({ name, type }) => `NULL::${type} AS ${name}`).join(', ')
    return [dataset, { kind: 'sql', texts: [`(SELECT ${names || '1 AS none'} WHERE false)`], bindings: [] } satisfies Sql]
  }),
) as unknown as Record<Dataset, Sql>
