import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openCatalog, type Catalog } from '../../../src/catalog/catalog.ts'
import type { CatalogMode } from '../../../src/catalog/store.ts'
import type { Clock } from '../../../src/clock.ts'
import type { Random } from '../../../src/ids.ts'

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  nowMs: number
}

const START = Date.parse('2026-11-20T07:03:09.120Z')

export function createTestClock(nowMs: number = START): TestClock {
  const clock: TestClock = { nowMs, now: () => clock.nowMs }
  return clock
}

/** The same bytes in every run. */
export function createTestRandom(): Random {
  let state = 1
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16
  return { bytes: (count) => Uint8Array.from({ length: count }, () => next() & 255) }
}

/** A directory of the running test alone, removed with it. */
export function makeTestDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-catalog-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A new catalog in its own directory, closed with the test. */
export function openTestCatalog(mode: CatalogMode = 'command'): {
  catalog: Catalog
  clock: TestClock
  path: string
  /** A second connection to the same file, as another process has it. */
  openAgain: (mode?: CatalogMode) => Catalog
} {
  const path = join(makeTestDir(), 'catalog.sqlite')
  const clock = createTestClock()
  const random = createTestRandom()
  const open = (mode: CatalogMode) => {
    const catalog = openCatalog(path, { clock, random, mode, actor: 'operator', create: true })
    onTestFinished(() => catalog.close())
    return catalog
  }
  return { catalog: open(mode), clock, path, openAgain: (again = mode) => open(again) }
}
