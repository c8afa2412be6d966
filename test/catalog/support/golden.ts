import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** Compares with `test/golden/<name>`; `npm run golden` writes it anew, to be read in review. */
export function expectGolden(name: string, text: string): void {
  const path = fileURLToPath(new URL(`../../golden/${name}`, import.meta.url))
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(text).toBe(readFileSync(path, 'utf8'))
}
