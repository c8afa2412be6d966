import { link, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, LakeFile } from '../../domain/manifest.ts'
import { newFileId } from '../../ids.ts'
import { DATASET } from '../datasets.ts'
import { join as joinSql, type Sql, sql } from '../sql.ts'
import { syncDirectories, syncFile } from '../checksums/durable-files.ts'
import { hashFile } from '../checksums/file-hash.ts'
import { writeParquet } from './parquet-file.ts'

export const STAGING_DIR = '.staging'

/** Files of one change on their way into the lake, in a directory of their own on the same file system. */
export interface Staging {
  readonly dir: string
  /** For what doesn't fit in memory, and input that can't be read a second time; made by whoever needs it. */
  readonly spillDir: string
  readonly siteId: string
  readonly files: readonly LakeFile[]
  /**
   * Writes the rows of `select`, in its order, as one Parquet file of a data set; nothing when there are no rows.
   * `select` gives the data set's columns.
   */
  write(connection: DuckDBConnection, dataset: Dataset, month: string, select: Sql): Promise<LakeFile | undefined>
  /** A staged file as it can be read before it has its place in the lake. */
  where(file: LakeFile): LakeFile
  /** Takes a file out of the change again. */
  drop(fileId: string): Promise<void>
  /**
   * Gives every file its name in the lake, durably. Until the manifest's commit they don't exist for anybody; that the
   * staging directory still names them says who is at work on them.
   */
  publish(): Promise<readonly LakeFile[]>
  /** Removes the staging directory, and what `publish` put in place unless the manifest came to know it. */
  discard(listKnownPaths: () => ReadonlySet<string>): Promise<void>
}

/** Makes the staging directory of a change, `.staging/<changeId>` in the lake. Rejects with the system's error when it can't. */
export async function openStaging(lakeDir: string, siteId: string, changeId: string): Promise<Staging> {
  const dir = join(lakeDir, STAGING_DIR, changeId)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const files: LakeFile[] = []
  const published: string[] = []
  const stagedPath = (fileId: string): string => join(dir, `${fileId}.parquet`)

  return {
    dir,
    spillDir: join(dir, 'spill'),
    siteId,
    files,
    async write(connection, dataset, month, select) {
      const fileId = newFileId()
      const path = stagedPath(fileId)
      const { columns, rowGroupRows, version } = DATASET[dataset]
      const names = columns.map(({ name, type }) => {
        const column = sql.identifier(name)
        return sql`${column}::${sql.identifier(type)} AS ${column}`
      })
      const { rows, bytes, minDay, maxDay } = await writeParquet(connection, path, {
        select: sql`SELECT ${joinSql(names, sql`, `)} FROM (${select})`,
        rowGroupRows,
      })
      if (rows === 0) {
        await rm(path)
        return undefined
      }
      await syncFile(path)
      const file: LakeFile = {
        fileId,
        dataset,
        siteId,
        month,
        path: `${dataset}/${siteId}/${month}/${fileId}.parquet`,
        rows,
        bytes,
        sha256: await hashFile(path),
        minDay,
        maxDay,
        schemaVersion: version,
      }
      files.push(file)
      return file
    },
    where: ({ ...file }) => Object.assign(file, { path: `${STAGING_DIR}/${changeId}/${file.fileId}.parquet` }),
    async drop(fileId) {
      const index = files.findIndex((file) => file.fileId === fileId)
      if (index >= 0) files.splice(index, 1)
      await rm(stagedPath(fileId), { force: true })
    },
    async publish() {
      const directories = new Set<string>()
      for (const file of files) {
        const target = join(lakeDir, file.path)
        const directory = dirname(target)
        if (!directories.has(directory)) await mkdir(directory, { recursive: true, mode: 0o700 })
        directories.add(directory)
        // A second name, not a rename: it never overwrites, and the first one keeps showing whose file it is.
        await link(stagedPath(file.fileId), target)
        published.push(file.path)
      }
      await syncDirectories(directories, dirname(lakeDir))
      return files
    },
    async discard(listKnownPaths) {
      const known = published.length > 0 ? listKnownPaths() : new Set<string>()
      for (const path of published) if (!known.has(path)) await rm(join(lakeDir, path), { force: true })
      await rm(dir, { recursive: true, force: true })
    },
  }
}
