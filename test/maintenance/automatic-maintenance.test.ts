import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COLLECTION_MARGIN_MS } from '../../src/limits.ts'
import { maintain } from '../../src/maintenance/automatic-maintenance.ts'
import { readStatus } from '../../src/maintenance/status.ts'
import { HOUR_MS, makeAnswers, openTestLake, SITE } from './support/lake.ts'

test('after an import the lake has few files again, and older ones go when their grace is over', async () => {
  const { app, answers, clock, files } = await openTestLake()
  for (let batch = 0; batch < 5; batch++) await answers(makeAnswers(`A${batch}-`, '2026-10'))
  expect(await app.maintain({ siteId: SITE })).toEqual([])
  expect(files('answers')).toHaveLength(1)
  expect((await readStatus(app.change)).retired.files).toBe(20)
  clock.nowMs += HOUR_MS + COLLECTION_MARGIN_MS + 1
  expect(await app.maintain()).toEqual([])
  expect((await readStatus(app.change)).retired.files).toBe(0)
})

test('nothing that goes wrong is thrown: it comes back in words, and the rest is still done', async () => {
  const { app, answers, files } = await openTestLake()
  for (let batch = 0; batch < 5; batch++) await answers(makeAnswers(`A${batch}-`, '2026-10'))
  const lost = join(app.change.lakeDir, files('answers')[0]!.path)
  rmSync(lost)
  expect(await app.maintain({ siteId: SITE })).toEqual([expect.stringContaining(`${lost}: it is missing.`)])
  expect([files('answers').length, files('mentions').length]).toEqual([5, 1])
})

test('a signal ends it without a word', async () => {
  const { app, answers, files } = await openTestLake()
  for (let batch = 0; batch < 5; batch++) await answers(makeAnswers(`A${batch}-`, '2026-10'))
  expect(await app.maintain({ siteId: SITE, signal: AbortSignal.abort() })).toEqual([])
  expect(files('answers')).toHaveLength(5)
})

test('what the settings no longer keep goes with it', async () => {
  const { app, answers, files } = await openTestLake()
  await answers([...makeAnswers('A', '2026-09'), ...makeAnswers('B', '2026-10')])
  const upkeep = {
    snapshotGraceMs: HOUR_MS,
    undoWindowMs: HOUR_MS,
    retention: { retentionAnswers: '50d', retentionLogs: 'keep', retentionRaw: 'keep' },
  }
  expect(await maintain(app.change, upkeep)).toEqual([])
  expect(new Set(files('answers').map(({ month }) => month))).toEqual(new Set(['2026-10']))
  rmSync(join(app.change.lakeDir, files('answers')[0]!.path))
  app.catalog.leases.sweep()
  const later = { ...upkeep, retention: { ...upkeep.retention, retentionAnswers: '30d' } }
  expect(await maintain(app.change, later)).toEqual([expect.stringContaining('it is missing')])
})
