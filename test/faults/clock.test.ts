import { expect, test } from 'vitest'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { HOUR_MS, makeAnswers, openTestLake, readReports, SITE, type TestLake } from '../maintenance/support/lake.ts'

const DAY_MS = 24 * HOUR_MS
const RANGE = { site_id: SITE, start_date: '2026-10-01', end_date: '2026-10-31', include: [] }

async function importAll(lake: TestLake, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) await lake.answers(makeAnswers(prefix, '2026-10'))
}

test('a clock that jumps back a day loses nothing: imports, walks and merges go on, and nothing is deleted too soon', async () => {
  const lake = await openTestLake()
  const { app, clock } = lake
  await importAll(lake, ['A', 'B'])
  const first = await app.reports.answers(SITE, { ...RANGE, limit: 5 })
  clock.nowMs -= DAY_MS
  await importAll(lake, ['C', 'D'])
  await compactLake(app.change, { isThorough: true })
  const second = await app.reports.answers(SITE, { ...RANGE, limit: 5, cursor: first.info.next_cursor! })
  expect([...first.data, ...second.data].map(({ id }) => id[0]).sort()).toEqual('AAAAABBBBB'.split(''))
  const early = await collectGarbage(app.change, { graceMs: HOUR_MS })
  expect([early.deleted.files, early.warnings]).toEqual([0, [expect.stringContaining('The clock was set back')]])
  const straight = await openTestLake()
  await importAll(straight, ['A', 'B', 'C', 'D'])
  expect(await readReports(app)).toEqual(await readReports(straight.app))

  clock.nowMs += DAY_MS + HOUR_MS + 1
  const late = await collectGarbage(app.change, { graceMs: HOUR_MS })
  expect([late.deleted.files, late.kept.files, late.warnings]).toEqual([early.kept.files, 0, []])
  expect(await readReports(app)).toEqual(await readReports(straight.app))
  expect((await verifyLake(app.change, {})).ok).toBe(true)
})

test('a clock that jumps a year ahead and back ends cursors, and takes nothing else', async () => {
  const lake = await openTestLake()
  const { app, clock } = lake
  await importAll(lake, ['A', 'B'])
  const before = await readReports(app)
  const first = await app.reports.answers(SITE, { ...RANGE, limit: 5 })
  await compactLake(app.change, { isThorough: true })
  clock.nowMs += 365 * DAY_MS
  await collectGarbage(app.change, { graceMs: HOUR_MS })
  await importAll(lake, ['C'])
  clock.nowMs -= 365 * DAY_MS
  await importAll(lake, ['D'])
  const going = app.reports.answers(SITE, { ...RANGE, limit: 5, cursor: first.info.next_cursor! })
  await expect(going).rejects.toMatchObject({ code: 'cursor_expired' })
  const after = await readReports(app)
  expect(after['answers']).toEqual(expect.arrayContaining([...(before['answers'] ?? [])]))
  expect(after['answers']).toHaveLength(20)
  expect((await verifyLake(app.change, {})).ok).toBe(true)
})
