import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { updatesGolden } from './updates-golden.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Whether this run writes the golden files anew instead of comparing with them. */
export const UPDATES_GOLDEN = updatesGolden(process.env)

/** Compares a text with a committed file, named from the repository's root; `npm run golden` writes it, to be read in review. */
export function expectGolden(name: string, text: string): void {
  const path = join(ROOT, name)
  if (UPDATES_GOLDEN) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(text, `${name} is out of date: npm run golden -- the test that says so`).toBe(readFileSync(path, 'utf8'))
}
