import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectGarbage } from '../../../src/maintenance/garbage-collection.ts'
import { verifyLake } from '../../../src/maintenance/lake-verification.ts'
import { openData } from './world.ts'

/** What `lake verify` finds wrong, a line each. */
export async function listUnsound(dataDir: string): Promise<string[]> {
  await using app = await openData(dataDir)
  const result = await verifyLake(app.change, {})
  return result.ok ? [] : [`the lake is not sound: ${JSON.stringify(result)}`]
}

/**
 * Collects, closes everything, and looks by itself for what belongs to nobody, a line each: files that neither the manifest
 * names nor every data directory has, and directories of work that is over.
 */
export async function listStray(dataDir: string): Promise<string[]> {
  const known = new Set(['catalog.sqlite', 'ballast', ...(await collect(dataDir))])
  return listBelow(dataDir)
    .filter((path) => !known.has(path) && !PLACES.test(path))
    .map((path) => `still there after a collection, and nobody's: ${path}`)
}

/** The directories of a data directory in which nothing is under way. */
const PLACES = /^(?:locks|tmp|lake|lake\/\.staging|lake\/[a-z_]+(?:\/[^/]+){0,2})\/$/

/** Collects with a grace, and gives the files that the manifest knows then. */
async function collect(dataDir: string): Promise<string[]> {
  await using app = await openData(dataDir)
  await collectGarbage(app.change, { graceMs: 3_600_000 })
  return [...app.catalog.manifest.allKnownPaths()].map((path) => `lake/${path}`)
}

/** What lies in a directory of backups that the backup doesn't name, a line each. */
export function listStrayOfBackup(dir: string): string[] {
  const manifest = readFileSync(join(dir, 'MANIFEST.json'), 'utf8')
  const { catalog, files } = JSON.parse(manifest) as { catalog: { path: string }; files: { path: string }[] }
  const named = new Set(['MANIFEST.json', catalog.path, ...files.map(({ path }) => `lake/${path}`)])
  return listBelow(dir)
    .filter((path) => !named.has(path) && !path.endsWith('/'))
    .map((path) => `in the backup, and no part of it: ${path}`)
}

/** Everything below a directory, relative to it; directories end with `/`. */
function listBelow(dir: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name + (entry.isDirectory() ? '/' : '')).slice(dir.length + 1),
  )
}
