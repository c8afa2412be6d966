import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const VARIABLE = 'TESTS_MADE_ONCE'

/** For vitest: keeps what `makeOnce` makes until all tests are over. */
export function setup(): (() => void) | undefined {
  if (process.env[VARIABLE] !== undefined) return undefined
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-made-once-'))
  process.env[VARIABLE] = dir
  return () => rmSync(dir, { recursive: true, force: true })
}

/**
 * Fills the directory `to`. Tests that need the same get copies of what the first of them made, so nothing of it may know its
 * own path or be held open; outside of vitest it is made anew.
 */
export async function makeOnce(name: string, to: string, make: (dir: string) => Promise<void>): Promise<void> {
  const kept = process.env[VARIABLE]
  if (kept === undefined) return make(to)
  const made = join(kept, name)
  if (!existsSync(made)) await makeOrPassOver(made, make)
  cpSync(made, to, { recursive: true })
}

/** Whoever is first with the name leaves it to all others, however many began. */
async function makeOrPassOver(made: string, make: (dir: string) => Promise<void>): Promise<void> {
  const own = mkdtempSync(`${made}-`)
  await make(own)
  try {
    renameSync(own, made)
  } catch (error) {
    if (!existsSync(made)) throw error
    rmSync(own, { recursive: true })
  }
}
