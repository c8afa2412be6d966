import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChangeContext } from '../change/change-lake.ts'
import { findOrphans } from '../change/orphans.ts'
import { type Dataset, DATASETS, type LakeFile, type PartitionMonth } from '../domain/manifest.ts'
import { findDamage } from '../lake/checksums/file-damage.ts'
import { STAGING_DIR } from '../lake/write/staging.ts'

export interface VerificationOptions {
  /** All sites, and what belongs to none, without it. */
  readonly siteId?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: {
    readonly doneBytes: number
    readonly totalBytes: number
    readonly files: number
  }) => void
}

/** A file that isn't what was written. */
export interface WrongFile {
  /** Relative to the lake, as `lake repair --drop` takes it. */
  readonly path: string
  readonly problem: string
  readonly site_id: string
  readonly dataset: Dataset
  readonly month: PartitionMonth
  readonly first_day: string | null
  readonly last_day: string | null
  readonly rows: number
  /** False for a replaced file, which only cursors on older snapshots need. */
  readonly live: boolean
}

export interface VerificationResult {
  readonly ok: boolean
  readonly files: number
  readonly bytes: number
  readonly damaged: readonly WrongFile[]
  readonly missing: readonly WrongFile[]
  /** Files in the lake's directory that the program didn't put there, relative to it. */
  readonly foreign: readonly string[]
  /** What killed processes left behind; nothing reads it, and the next collection deletes it. Doesn't make the lake wrong. */
  readonly orphans: readonly string[]
  /** What SQLite finds wrong with the catalog. */
  readonly catalog: readonly string[]
}

/** Reads every file of the lake and holds it against the manifest; with the catalog's own check. */
export async function verifyLake(context: ChangeContext, options: VerificationOptions): Promise<VerificationResult> {
  const { files, bytes, found } = await checkFiles(context, options)
  const { foreign, orphans } = await findUnknown(context, options.siteId)
  const problems = context.catalog.integrityCheck()
  return {
    ok: found.length === 0 && foreign.length === 0 && problems.length === 0,
    files,
    bytes,
    damaged: found.filter(({ kind }) => kind === 'damaged').map(({ file }) => file),
    missing: found.filter(({ kind }) => kind === 'missing').map(({ file }) => file),
    foreign,
    orphans,
    catalog: problems,
  }
}

interface Checked {
  readonly files: number
  readonly bytes: number
  readonly found: readonly { readonly kind: 'damaged' | 'missing'; readonly file: WrongFile }[]
}

async function checkFiles(
  context: ChangeContext,
  { siteId, signal, onProgress }: VerificationOptions,
): Promise<Checked> {
  const files = listAll(context, siteId)
  const totalBytes = files.reduce((sum, { file }) => sum + file.bytes, 0)
  const found: Checked['found'][number][] = []
  let doneBytes = 0
  for (const [index, { file, live }] of files.entries()) {
    signal?.throwIfAborted()
    const damage = await findDamage(context.lakeDir, file)
    if (damage) found.push({ kind: damage.kind, file: toWrongFile(file, live, damage.what) })
    doneBytes += file.bytes
    onProgress?.({ doneBytes, totalBytes, files: index + 1 })
  }
  const left = new Set(found.length === 0 ? [] : listAll(context, siteId).map(({ file }) => file.path))
  return {
    files: files.length,
    bytes: totalBytes,
    // What a collection deleted in the meantime is not missing.
    found: found.filter(({ file }) => left.has(file.path)),
  }
}

/** The files of the newest snapshots and those kept for older ones, by path. */
function listAll({ catalog }: ChangeContext, siteId: string | undefined): { file: LakeFile; live: boolean }[] {
  const { manifest } = catalog
  return catalog
    .read(() => [
      ...catalog.sites
        .list()
        .flatMap(({ id }) => manifest.listFiles(id, manifest.currentSnapshot(id)))
        .map((file) => ({ file, live: true })),
      ...manifest.listRetired().map((file) => ({ file, live: false })),
    ])
    .filter(({ file }) => siteId === undefined || file.siteId === siteId)
    .sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
}

function toWrongFile(file: LakeFile, live: boolean, problem: string): WrongFile {
  const { path, siteId, dataset, month, minDay, maxDay, rows } = file
  return { path, problem, site_id: siteId, dataset, month, first_day: minDay, last_day: maxDay, rows, live }
}

/** Files that the manifest doesn't know: leftovers of changes by their name and place, anything else is foreign. */
async function findUnknown(
  context: ChangeContext,
  siteId: string | undefined,
): Promise<{ foreign: string[]; orphans: string[] }> {
  const { catalog, lakeDir } = context
  const allIds = [...catalog.sites.list().map(({ id }) => id), ...catalog.deletions.listDeletedSites()]
  const siteIds = siteId === undefined ? allIds : [siteId]
  const tops = siteId === undefined ? [''] : DATASETS.map((dataset) => `${dataset}/${siteId}/`)
  const present: string[] = []
  for (const top of tops) present.push(...(await listFilesBelow(lakeDir, top)))
  const { files, stagings } = await findOrphans(context, { siteIds })
  const isOrphan = new Set(files.filter((path) => LAKE_FILE.test(path)))
  const known = catalog.manifest.allKnownPaths()
  const isOfAChange = (path: string): boolean => LAKE_FILE.test(path) && siteIds.includes(path.split('/')[1] ?? '')
  return {
    foreign: present.filter((path) => !known.has(path) && !isOfAChange(path)),
    orphans: [...present.filter((path) => isOrphan.has(path)), ...(siteId === undefined ? stagings : [])],
  }
}

/** A name that this program gives: data set, site, month or `all`, and an id of 128 random bits. */
const LAKE_FILE = new RegExp(`^(?:${DATASETS.join('|')})/[^/]+/(?:\\d{4}-\\d{2}|all)/[0-9a-z]{26}\\.parquet$`)

async function listFilesBelow(lakeDir: string, top: string): Promise<string[]> {
  const entries = await readdir(join(lakeDir, top), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files: string[] = []
  for (const entry of entries) {
    const path = `${top}${entry.name}`
    if (path === STAGING_DIR) continue
    if (entry.isDirectory()) files.push(...(await listFilesBelow(lakeDir, `${path}/`)))
    else files.push(path)
  }
  return files.sort()
}
