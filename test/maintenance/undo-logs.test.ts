import { appendFileSync, copyFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importLogs } from '../../src/import-logs/import-logs.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { undoImport } from '../../src/maintenance/undo.ts'
import { openTestLake, readLogs, SITE, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

const undo = ({ app }: TestLake, id: string, dryRun = false) => undoImport(app.change, { id, dryRun })
const newest = ({ app }: TestLake): string => app.catalog.recordedChanges.list({ siteId: SITE })[0]?.id ?? ''

const toText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Long enough ago for a file to be known by its name. */
const SETTLED = new Date(Date.now() - 3_600_000)

function write(lake: TestLake, name: string, lines: readonly string[]): string {
  const path = join(lake.dir, name)
  writeFileSync(path, toText(lines))
  utimesSync(path, SETTLED, SETTLED)
  return path
}

function grow(path: string, lines: readonly string[]): void {
  appendFileSync(path, toText(lines))
  utimesSync(path, SETTLED, new Date(SETTLED.getTime() + 1_000))
}

async function importFile({ app }: TestLake, path: string) {
  const site = app.catalog.sites.get(SITE)
  const result = await importLogs(app.change, { site, files: [path], format: 'combined', dryRun: false, strict: true })
  return { hits: result.bot_hits, visits: result.visits, already: result.already_imported }
}

const [A, B, C] = [makeLogLines('2026-09', 3, 4), makeLogLines('2026-10', 14, 5), makeLogLines('2026-10', 15, 2)]

async function openFresh(...logs: (readonly string[])[]): Promise<TestLake> {
  const lake = await openTestLake()
  for (const lines of logs) await lake.logs(lines)
  return lake
}

test.each([
  ['as its files were written', false],
  ['after its files were merged with others', true],
])('takes an import back %s, and importing it again counts it again', async (_, merged) => {
  const lake = await openTestLake()
  const [first, second] = [write(lake, 'a.log', A), write(lake, 'b.log', [...B, ...A.slice(2)])]
  await importFile(lake, first)
  expect(await importFile(lake, second)).toEqual({ hits: 8, visits: 8, already: 0 })
  const whole = await readLogs(lake)
  if (merged) await compactLake(lake.app.change, { isThorough: true })
  const id = newest(lake)
  const before = lake.files()
  const expected = { import_id: id, kind: 'import_logs', bot_hits: 8, visits: 8, warnings: [] }
  expect(await undo(lake, id, true)).toMatchObject({ ...expected, snapshot: null })
  expect(lake.files()).toEqual(before)
  expect(await undo(lake, id)).toMatchObject(expected)
  expect(await readLogs(lake)).toEqual(await readLogs(await openFresh(A)))
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  expect(await importFile(lake, first)).toEqual({ hits: 0, visits: 0, already: 8 })
  expect(await importFile(lake, second)).toEqual({ hits: 8, visits: 8, already: 0 })
  expect(await readLogs(lake)).toEqual(whole)
})

test('the end of a log that grew goes alone, and its beginning only before what was read after it', async () => {
  const lake = await openTestLake()
  const path = write(lake, 'access.log', A)
  await importFile(lake, path)
  const first = newest(lake)
  grow(path, B)
  await importFile(lake, path)
  const second = newest(lake)
  await expect(undo(lake, first)).rejects.toThrow(
    `The import ${second} went on in a log where the import ${first} had stopped. Take back what came later first: \`answerlake import undo ${second}\`. Nothing was changed.`,
  )
  await undo(lake, second)
  expect(await readLogs(lake)).toEqual(await readLogs(await openFresh(A)))
  expect(await importFile(lake, path)).toEqual({ hits: 5, visits: 5, already: 8 })
  await undo(lake, newest(lake))
  await undo(lake, first)
  expect(await readLogs(lake)).toEqual(await readLogs(await openFresh()))
  expect(await importFile(lake, path)).toEqual({ hits: 9, visits: 9, already: 0 })
  expect(await readLogs(lake)).toEqual(await readLogs(await openFresh([...A, ...B])))
})

test('a chain of three can be taken back from its end alone', async () => {
  const lake = await openTestLake()
  const path = write(lake, 'access.log', A)
  const ids: string[] = []
  for (const more of [[], B, C]) {
    if (more.length > 0) grow(path, more)
    await importFile(lake, path)
    ids.push(newest(lake))
  }
  const [a = '', b = '', c = ''] = ids
  await expect(undo(lake, a)).rejects.toThrow(`The import ${b} went on`)
  await expect(undo(lake, b)).rejects.toThrow(`The import ${c} went on`)
  for (const id of [c, b, a]) await undo(lake, id)
  expect(await importFile(lake, path)).toEqual({ hits: 11, visits: 11, already: 0 })
})

test('copies that were passed over while an import stood are counted again after its undo', async () => {
  const lake = await openTestLake()
  const path = write(lake, 'access.log', A)
  await importFile(lake, path)
  const id = newest(lake)
  const copy = join(lake.dir, 'copy.log')
  copyFileSync(path, copy)
  utimesSync(copy, SETTLED, SETTLED)
  expect(await importFile(lake, copy)).toEqual({ hits: 0, visits: 0, already: 8 })
  expect(newest(lake)).toBe(id)
  await undo(lake, id)
  expect(await importFile(lake, copy)).toEqual({ hits: 4, visits: 4, already: 0 })
  expect(await importFile(lake, path)).toEqual({ hits: 0, visits: 0, already: 8 })
})

test('an import whose notes are gone is refused with what to do instead', async () => {
  const lake = await openTestLake()
  await importFile(lake, write(lake, 'access.log', A))
  const id = newest(lake)
  lake.app.catalog.recordedChanges.forgetLogUndos('2027')
  await expect(undo(lake, id)).rejects.toThrow(
    `The import ${id} can't be taken back any more: it was made longer ago than undo_window says`,
  )
})

test('upkeep drops what an undo needs once undo_window is over, and not before', async () => {
  const lake = await openTestLake()
  await importFile(lake, write(lake, 'a.log', A))
  const old = newest(lake)
  lake.clock.nowMs += 20 * 86_400_000
  await importFile(lake, write(lake, 'b.log', B))
  const young = newest(lake)
  lake.clock.nowMs += 10 * 86_400_000
  await lake.app.maintain()
  expect(await undo(lake, old, true)).toMatchObject({ bot_hits: 4 })
  lake.clock.nowMs += 1
  await lake.app.maintain()
  await expect(undo(lake, old)).rejects.toThrow('longer ago than undo_window says')
  expect(await undo(lake, young)).toMatchObject({ bot_hits: 5 })
})
