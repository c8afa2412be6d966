import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect } from 'vitest'

/** Whether this run writes golden files instead of comparing with them (`npm run golden`). */
const UPDATES_GOLDEN = process.env['UPDATE_GOLDEN'] === '1'

/** Compares a text with a committed file. */
export function expectGolden(path: string, text: string): void {
  if (UPDATES_GOLDEN) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(text, `${path} is out of date: npm run golden`).toBe(readFileSync(path, 'utf8'))
}
