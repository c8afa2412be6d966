import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { systemRandom, toBase32 } from '../ids.ts'
import { writeDurably } from '../lake/checksums/durable-files.ts'
import { BALLAST_BYTES, BALLAST_FREE_BYTES_MIN, BALLAST_LAY_BYTES_MIN } from '../limits.ts'

/**
 * A file without use, kept for the day when the disk is full: a server can't even open the catalog then, and what is
 * deleted has to be noted there. Freed before a collection, laid down again when there is space.
 */
const ballastPath = (dataDir: string): string => join(dataDir, 'ballast')

/** Gives the ballast's space back when hardly any other is left. Never fails: whoever works on meets the full disk. */
export async function freeBallast(dataDir: string): Promise<void> {
  try {
    if ((await freeBytes(dataDir)) < BALLAST_FREE_BYTES_MIN) await rm(ballastPath(dataDir), { force: true })
  } catch {
    // There is no such directory, or no right to change it.
  }
}

/** Lays the ballast down where the disk has space for it. Without it everything else works, so it never fails. */
export async function layBallast(dataDir: string): Promise<void> {
  try {
    const found = await stat(ballastPath(dataDir)).catch(() => undefined)
    if (found?.size === BALLAST_BYTES || (await freeBytes(dataDir)) < BALLAST_LAY_BYTES_MIN) return
    await mkdir(join(dataDir, 'tmp'), { recursive: true, mode: 0o700 })
    // Random bytes: a file system that compresses would keep nothing free behind zeros. In `tmp` a killed one is swept.
    const partial = join(dataDir, 'tmp', `ballast-${toBase32(systemRandom.bytes(5))}`)
    await writeDurably(ballastPath(dataDir), systemRandom.bytes(BALLAST_BYTES), { partial })
  } catch {
    // Tried again by the next collection.
  }
}

async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize
}
