import { join } from 'node:path'
import type { Dataset, LakeFile } from '../domain/manifest.ts'
import { DATASET } from './datasets.ts'

/**
 * SQL of a relation with the data set's columns over its files among `files`; without files, an empty one. Files of an
 * older column set get the missing columns' defaults. For imports and maintenance, whose paths are this program's own.
 */
export function readFiles(lakeDir: string, dataset: Dataset, files: readonly LakeFile[]): string {
  const { columns } = DATASET[dataset]
  const paths = files.filter((file) => file.dataset === dataset).map((file) => join(lakeDir, file.path))
  if (paths.length === 0) {
    return `(SELECT ${columns.map(({ name, type }) => `NULL::${type} AS ${name}`).join(', ')} WHERE false)`
  }
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ')
  return `read_parquet([${list}], union_by_name = true)`
}
