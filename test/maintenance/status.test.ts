import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { readStatus } from '../../src/maintenance/status.ts'
import { makeAnswers, openTestLake, SITE } from './support/lake.ts'

test('an empty lake has nothing', async () => {
  const { app } = await openTestLake()
  const nothing = { files: 0, rows: 0, bytes: 0 }
  expect(await readStatus(app.change)).toEqual({
    snapshot: 0,
    sites: [{ site_id: SITE, domain: 'acme.com', ...nothing, datasets: [] }],
    ...nothing,
    retired: { files: 0, bytes: 0 },
    staging: { changes: 0, files: 0, bytes: 0 },
    raw_replies: { files: 0, bytes: 0 },
    newest_import: null,
    crowded: [],
  })
})

test('files, rows and bytes add up by data set, site and in all', async () => {
  const lake = await openTestLake()
  const { app, answers, clock } = lake
  app.catalog.sites.create({ id: 'other', name: 'Other', domain: 'other.com' })
  for (let batch = 0; batch < 5; batch++) await answers(makeAnswers(`A${batch}-`, '2026-10'))
  clock.nowMs += 1_000
  await compactLake(app.change, { isThorough: true })
  await answers(makeAnswers('B', '2026-10'))
  for (let batch = 0; batch < 4; batch++) await answers(makeAnswers(`C${batch}-`, '2026-10'))
  const dead = join(app.change.lakeDir, '.staging', 'dead')
  mkdirSync(join(dead, 'spill'), { recursive: true })
  writeFileSync(join(dead, 'x.parquet'), '12345')
  const status = await readStatus(app.change)
  const [site, other] = status.sites
  const files = lake.files()
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  expect(status).toMatchObject({
    snapshot: app.catalog.manifest.currentSnapshot(),
    files: files.length,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes,
    staging: { changes: 1, files: 1, bytes: 5 },
    newest_import: { site_id: SITE, kind: 'import_answers', created_at: '2026-11-20T12:00:01.000Z' },
    crowded: ['answers', 'citations', 'mentions', 'no_answers'].map((dataset) => ({
      site_id: SITE,
      dataset,
      month: '2026-10',
      files: 6,
    })),
  })
  expect(status.retired.files).toBe(30)
  expect(site?.datasets.map(({ dataset, files: count }) => [dataset, count])).toEqual([
    ['answers', 6],
    ['citations', 6],
    ['hosts', 6],
    ['mentions', 6],
    ['no_answers', 6],
    ['pages', 6],
  ])
  expect(other).toEqual({ site_id: 'other', domain: 'other.com', files: 0, rows: 0, bytes: 0, datasets: [] })
  const ofSite = await readStatus(app.change, { siteId: 'other' })
  expect([ofSite.sites.length, ofSite.files, ofSite.retired.files, ofSite.crowded]).toEqual([1, 0, 0, []])
})
