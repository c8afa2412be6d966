import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUpLake } from '../../src/maintenance/backup.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { deleteAnswers } from '../../src/maintenance/delete-answers.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { rederiveSite } from '../../src/maintenance/rederive.ts'
import { enforceRetention } from '../../src/maintenance/retention.ts'
import { HOUR_MS, makeAnswers, openTestLake, readReports, SITE, type TestLake } from './support/lake.ts'
import { findMarks } from './support/marked-bytes.ts'

/** Everything that an answer can say, marked; short marks, for what Parquet's statistics hold is cut. */
const MARKS = {
  id: 'mkid-7f3a',
  text: 'mktx-91c2',
  title: 'mkti-55d0',
  query: 'mkqu-08be',
  consulted: 'mkco-e1f7',
  market: 'mkma-3b6d',
}
const ALL = Object.values(MARKS)
const MARKED = {
  id: MARKS.id,
  date: '2026-10-07',
  platform: 'copilot',
  prompt: 'What of 0?',
  market: MARKS.market,
  text: `Acme is good, says ${MARKS.text}. ${'And so on. '.repeat(50)}`,
  citations: [{ url: 'https://acme.com/page', title: `Title ${MARKS.title}` }],
  search_queries: [`query ${MARKS.query}`],
  consulted: [{ url: 'https://read.example/', title: MARKS.consulted }],
}

async function openMarkedLake(): Promise<TestLake> {
  const lake = await openTestLake()
  await lake.answers([...makeAnswers('A', '2026-10', 40), MARKED])
  await lake.answers(makeAnswers('B', '2026-10', 40))
  return lake
}

const forget = ({ app }: TestLake) =>
  deleteAnswers(app.change, {
    site: app.catalog.sites.get(SITE),
    selection: { from: '2026-10-07', to: '2026-10-07', platform: 'copilot' },
    dryRun: false,
  })

test('the search finds each mark as long as the answer is stored', async () => {
  const lake = await openMarkedLake()
  expect(Object.keys(findMarks(lake.dataDir, ALL)).sort()).toEqual([...ALL].sort())
  await compactLake(lake.app.change, { isThorough: true })
  await collectGarbage(lake.app.change, { graceMs: 0 })
  expect(Object.keys(findMarks(lake.dataDir, ALL)).sort()).toEqual([...ALL].sort())
})

test('no byte of a deleted answer is left when the grace is over', async () => {
  const lake = await openMarkedLake()
  await readReports(lake.app)
  await compactLake(lake.app.change, { isThorough: true })
  expect(await forget(lake)).toMatchObject({ answers: 1 })
  // Readers of older snapshots have an hour.
  expect(Object.keys(findMarks(lake.dataDir, ALL))).not.toEqual([])
  lake.clock.nowMs += 2 * HOUR_MS
  expect(await lake.app.maintain()).toEqual([])
  expect(findMarks(lake.dataDir, ALL)).toEqual({})
})

test('no byte is left when the collection is asked for at once, with the directory open in another process', async () => {
  const lake = await openMarkedLake()
  const server = await lake.openAgain()
  await readReports(server)
  await forget(lake)
  await rederiveSite(lake.app.change, { site: lake.app.catalog.sites.get(SITE) })
  await collectGarbage(lake.app.change, { graceMs: 0 })
  await readReports(server)
  expect(findMarks(lake.dataDir, ALL)).toEqual({})
})

test('what a killed change or report had on the disk goes with the next upkeep', async () => {
  const lake = await openMarkedLake()
  for (const left of ['lake/.staging/gone', 'tmp/gone']) {
    mkdirSync(join(lake.dataDir, left), { recursive: true })
    writeFileSync(join(lake.dataDir, left, 'spill'), MARKS.text)
  }
  await forget(lake)
  lake.clock.nowMs += 2 * HOUR_MS
  await lake.app.maintain()
  expect(findMarks(lake.dataDir, ALL)).toEqual({})
})

test('words that retention blanks are gone the same way; what names the answer stays', async () => {
  const lake = await openMarkedLake()
  const retention = { retentionAnswers: 'keep', retentionLogs: 'keep', retentionRaw: '30d' }
  await enforceRetention(lake.app.change, { retention })
  await collectGarbage(lake.app.change, { graceMs: 0 })
  expect(Object.keys(findMarks(lake.dataDir, ALL)).sort()).toEqual([MARKS.id, MARKS.market].sort())
})

test('a backup holds a deleted answer until the next backup into the same directory is done', async () => {
  const lake = await openMarkedLake()
  const dir = join(lake.dir, 'backup')
  await backUpLake(lake.app.change, { dir })
  await forget(lake)
  await collectGarbage(lake.app.change, { graceMs: 0 })
  expect(Object.keys(findMarks(dir, ALL)).sort()).toEqual([...ALL].sort())
  await backUpLake(lake.app.change, { dir })
  expect(findMarks(dir, ALL)).toEqual({})
  expect(existsSync(join(dir, 'MANIFEST.json'))).toBe(true)
})

test('names that the catalog forgets are overwritten in its file', async () => {
  const lake = await openTestLake()
  const { catalog } = lake.app
  const name = 'mkco-77aa Industries'
  for (let no = 0; no < 200; no++) catalog.competitors.add(SITE, { name: `${name} ${no}` })
  catalog.checkpoint()
  expect(Object.keys(findMarks(lake.dataDir, [name]))).toEqual([name])
  for (let no = 0; no < 200; no++) catalog.competitors.remove(SITE, `${name} ${no}`)
  catalog.checkpoint()
  expect(findMarks(lake.dataDir, [name])).toEqual({})
  expect(readdirSync(lake.dataDir)).toContain('catalog.sqlite')
})
