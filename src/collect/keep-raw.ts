import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScanRun } from '../domain/call.ts'
import { isDay } from '../domain/day.ts'
import { firstKeptDay } from '../domain/period.ts'

/**
 * Deletes raw answers of days that are no longer kept (`keep_raw`, contract/imports 4.5): sealed files only, since others may not
 * be in the lake yet. Gives how many went; what can't be deleted now is tried again the next time.
 */
export async function deleteOldRaw(dataDir: string, period: string, nowMs: number): Promise<number> {
  const first = firstKeptDay(period, nowMs)
  if (first === undefined) return 0
  const scans = join(dataDir, 'scans')
  const days = (await readdir(scans).catch(() => [])).filter((name) => isDay(name) && name < first)
  return sumOf(days.map((day) => deleteBelow(join(scans, day), (name) => name.endsWith('.ndjson.zst'))))
}

/** Deletes all that runs have kept, of a site that is gone. Gives how many files went. */
export async function deleteRawOf(dataDir: string, runs: readonly Pick<ScanRun, 'id' | 'day'>[]): Promise<number> {
  const byDay = Map.groupBy(runs, ({ day }) => day)
  return sumOf(
    [...byDay].map(([day, own]) =>
      deleteBelow(join(dataDir, 'scans', day), (name) => own.some(({ id }) => name.startsWith(`${id}-`))),
    ),
  )
}

/** Files with such names below a directory, which goes too when nothing is left in it. */
async function deleteBelow(directory: string, isMeant: (name: string) => boolean): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const counts = entries.map(async (entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return deleteBelow(path, isMeant)
    if (!isMeant(entry.name)) return 0
    return rm(path).then(
      () => 1,
      () => 0,
    )
  })
  const deleted = await sumOf(counts)
  await rmdir(directory).catch(() => {})
  return deleted
}

async function sumOf(counts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
