import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deleteOldRaw, deleteRawOf } from '../../src/collect/keep-raw.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')

function makeDataDir(...names: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const name of names) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), name)
  }
  return directory
}

const listAll = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted()

test('sealed files of days before the period go, with directories that are empty then', async () => {
  const dataDir = makeDataDir(
    'scans/2026-11-12/run_a-1.ndjson.zst',
    'scans/2026-11-12/shadow/run_a-1.ndjson.zst',
    'scans/2026-11-11/run_b-1.ndjson.zst',
    'scans/2026-11-11/run_b-2.ndjson',
    'scans/2026-11-13/run_c-1.ndjson.zst',
    'scans/notes/mine.ndjson.zst',
  )
  expect(await deleteOldRaw(dataDir, '9d', NOW)).toBe(3)
  expect(listAll(join(dataDir, 'scans'))).toEqual([
    '2026-11-11',
    '2026-11-11/run_b-2.ndjson',
    '2026-11-13',
    '2026-11-13/run_c-1.ndjson.zst',
    'notes',
    'notes/mine.ndjson.zst',
  ])
})

test('of a site that is gone all that its runs have kept goes, sealed or not', async () => {
  const dataDir = makeDataDir(
    'scans/2026-11-12/run_a-1.ndjson.zst',
    'scans/2026-11-12/failed/run_a-12.ndjson',
    'scans/2026-11-12/run_ab-1.ndjson.zst',
    'scans/2026-11-13/run_c-1.ndjson.zst',
  )
  const runs = [
    { id: 'run_a', day: '2026-11-12' },
    { id: 'run_c', day: '2026-11-13' },
    { id: 'run_d', day: '2026-11-14' },
  ]
  expect(await deleteRawOf(dataDir, runs)).toBe(3)
  expect(listAll(join(dataDir, 'scans'))).toEqual(['2026-11-12', '2026-11-12/run_ab-1.ndjson.zst'])
})

test('forever keeps all, and nothing to delete is no fault', async () => {
  const dataDir = makeDataDir('scans/2020-01-01/run_a-1.ndjson.zst')
  expect(await deleteOldRaw(dataDir, 'keep', NOW)).toBe(0)
  expect(listAll(join(dataDir, 'scans'))).toHaveLength(2)
  expect(await deleteOldRaw(join(dataDir, 'none'), '1d', NOW)).toBe(0)
})
