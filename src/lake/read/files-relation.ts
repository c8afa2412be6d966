import { join as joinPath } from 'node:path'
import type { Dataset, LakeFile } from '../../domain/manifest.ts'
import { ApiError } from '../../errors.ts'
import { DATASET } from '../datasets.ts'
import { readParquet } from '../duckdb-paths.ts'
import { join, type Sql, sql } from '../sql.ts'

/**
 * SQL of a relation with the data set's columns over its files among `files`; without files, an empty one. For imports
 * and maintenance, whose paths are this program's own. Rows come in the order of the files where order is preserved.
 */
export function readFiles(lakeDir: string, dataset: Dataset, files: readonly LakeFile[]): Sql {
  const selects = groupByColumns(dataset, files).map(({ columns, paths }) => {
    return sql`SELECT ${columns} FROM ${readParquet(paths.map((path) => joinPath(lakeDir, path)))}`
  })
  return sql`(${selects.length === 0 ? selectNothing(dataset) : join(selects, sql`\nUNION ALL\n`)})`
}

/** Files that are read in one go: those of one version of the columns, the oldest version first. */
export interface FileGroup {
  /** The data set's columns as a list for SELECT, with defaults for those that the files don't have. */
  readonly columns: Sql
  /** Relative to the lake. */
  readonly paths: readonly string[]
}

/**
 * The data set's files among `files`, grouped by the version of their columns. Throws ApiError `data_unavailable` when a
 * newer program wrote one: this one would leave out what it doesn't know.
 */
export function groupByColumns(dataset: Dataset, files: readonly LakeFile[]): FileGroup[] {
  const byVersion = Map.groupBy(
    files.filter((file) => file.dataset === dataset),
    ({ schemaVersion }) => schemaVersion,
  )
  return [...byVersion]
    .sort(([a], [b]) => a - b)
    .map(([version, group]) => {
      if (version > DATASET[dataset].version) throw tooNew(group[0]?.path ?? dataset, version)
      return { columns: selectColumns(dataset, version), paths: group.map(({ path }) => path) }
    })
}

/** A SELECT with the data set's columns and no row: DuckDB refuses to read an empty list of files. */
export function selectNothing(dataset: Dataset): Sql {
  const columns = DATASET[dataset].columns.map(({ name, type }) => castAs(sql`NULL`, name, type))
  return sql`SELECT ${join(columns, sql`, `)} WHERE false`
}

function selectColumns(dataset: Dataset, version: number): Sql {
  const columns = DATASET[dataset].columns.map(({ name, type, since = 1, whenAbsent = sql`NULL` }) =>
    castAs(since <= version ? sql.identifier(name) : sql`(${whenAbsent})`, name, type),
  )
  return join(columns, sql`, `)
}

function castAs(value: Sql, name: string, type: string): Sql {
  return sql`${value}::${sql.identifier(type)} AS ${sql.identifier(name)}`
}

function tooNew(path: string, version: number): ApiError {
  return new ApiError(
    'data_unavailable',
    'Data that is needed was written by a newer answerlake. Ask the operator to install that version.',
    {
      retryAfterSeconds: 60,
      cause: new Error(
        `${path} has version ${version} of its data set's columns; this answerlake knows older ones only`,
      ),
    },
  )
}
