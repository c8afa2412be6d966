import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import type { LogFile } from '../catalog/imports.ts'
import { systemClock } from '../clock.ts'
import { LOG_FILE_SETTLED_MS } from '../log-limits.ts'

/** A file as it is before it is opened. */
export type FileStamp = Pick<LogFile, 'path' | 'bytes' | 'modifiedNs'> & { readonly isSettled: boolean }

/** Files whose lines were all counted, told by name, size and time: they need not be opened. */
export interface KnownFiles {
  /** Undefined for standard input, pipes and what isn't there. */
  stamp(path: string): Promise<FileStamp | undefined>
  /** The file, when it is as it was when all of it was counted. */
  find(stamp: FileStamp): LogFile | undefined
  /** All of the file is counted with this import. One that changed just now may change again within the same tick of its clock. */
  add(stamp: FileStamp, counted: Pick<LogFile, 'lines' | 'format' | 'importNo'>): void
  /** Stores what was added. */
  save(): void
}

export function openKnownFiles(catalog: Catalog, siteId: string): KnownFiles {
  const known = new Map(catalog.imports.listLogFiles(siteId).map((file) => [file.path, file]))
  const added: LogFile[] = []
  return {
    async stamp(path) {
      const stats = path === '-' ? undefined : await stat(path, { bigint: true }).catch(() => undefined)
      if (!stats?.isFile()) return undefined
      const isSettled = systemClock.now() - Number(stats.mtimeMs) > LOG_FILE_SETTLED_MS
      return { path: resolve(path), bytes: Number(stats.size), modifiedNs: String(stats.mtimeNs), isSettled }
    },
    find({ path, bytes, modifiedNs }) {
      const file = known.get(path)
      return file?.bytes === bytes && file.modifiedNs === modifiedNs ? file : undefined
    },
    add({ isSettled, ...stamp }, counted) {
      if (isSettled) added.push({ ...stamp, ...counted })
    },
    save() {
      for (const file of added.splice(0)) catalog.imports.saveLogFile(siteId, file)
    },
  }
}
