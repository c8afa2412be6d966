import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EngineId } from '../../src/domain/enums.ts'
import { type AnswerSelection, deleteAnswers } from '../../src/maintenance/delete-answers.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { makeAnswers, openTestLake, readReports, SITE, type TestLake } from './support/lake.ts'

type Record = { id: string; date: string; platform: EngineId; prompt: string; text: string }

/** Three imports over two months; two of them in one. */
const RECORDS = [
  ...makeAnswers('A', '2026-09'),
  ...makeAnswers('B', '2026-09', 30),
  ...makeAnswers('C', '2026-10'),
] as readonly Record[]

async function openLakeWith(records: readonly Record[]): Promise<TestLake> {
  const lake = await openTestLake()
  for (const prefix of ['A', 'B', 'C']) {
    const batch = records.filter(({ id }) => id.startsWith(prefix))
    if (batch.length > 0) await lake.answers([...batch])
  }
  return lake
}

const remove = ({ app }: TestLake, selection: AnswerSelection, dryRun = false) =>
  deleteAnswers(app.change, { site: app.catalog.sites.get(SITE), selection, dryRun })

const SELECTIONS: readonly [string, (lake: TestLake) => AnswerSelection, (record: Record) => boolean][] = [
  ['a month', () => ({ from: '2026-09-01', to: '2026-09-30' }), ({ date }) => date < '2026-10'],
  [
    'days across months',
    () => ({ from: '2026-09-12', to: '2026-10-06' }),
    ({ date }) => date >= '2026-09-12' && date <= '2026-10-06',
  ],
  ['all days until one', () => ({ to: '2026-09-11' }), ({ date }) => date <= '2026-09-11'],
  ['all days from one', () => ({ from: '2026-10-01' }), ({ date }) => date >= '2026-10-01'],
  ['a platform', () => ({ platform: 'perplexity' }), ({ platform }) => platform === 'perplexity'],
  [
    'a prompt',
    ({ app }) => ({ prompts: [app.catalog.prompts.findByText(SITE, 'What of 1?')!] }),
    ({ prompt }) => prompt === 'What of 1?',
  ],
  [
    'a platform on some days',
    () => ({ from: '2026-09-10', platform: 'gemini' }),
    ({ date, platform }) => date >= '2026-09-10' && platform === 'gemini',
  ],
  ['everything', () => ({}), () => true],
]

test.each(SELECTIONS)('of %s leaves what an import of the others alone makes', async (_, toSelection, isMeant) => {
  const lake = await openLakeWith(RECORDS)
  const before = lake.files()
  const meant = RECORDS.filter(isMeant)
  const counts = {
    answers: meant.filter(({ text }) => text !== '').length,
    no_answers: meant.filter(({ text }) => text === '').length,
  }
  const planned = await remove(lake, toSelection(lake), true)
  expect(planned).toMatchObject({ ...counts, citations: 2 * counts.answers, snapshot: null })
  expect(lake.files()).toEqual(before)

  const done = await remove(lake, toSelection(lake))
  expect(done).toEqual({ ...planned, snapshot: 4 })
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  const fresh = await openLakeWith(RECORDS.filter((record) => !isMeant(record)))
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  expect(lake.app.catalog.scans.last(SITE)).toEqual(fresh.app.catalog.scans.last(SITE))

  await compactLake(lake.app.change, { isThorough: true })
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  expect(await remove(lake, toSelection(lake))).toMatchObject({ answers: 0, no_answers: 0, mentions: 0, citations: 0 })
  const again = await lake.answers([...RECORDS])
  expect(again.imported + again.no_answer).toBe(meant.length)
  expect(await readReports(lake.app)).toEqual(await readReports((await openLakeWith(RECORDS)).app))
})

test('touches only files that hold such answers', async () => {
  const lake = await openLakeWith(RECORDS)
  const before = lake.files()
  await remove(lake, { from: '2026-10-01', to: '2026-10-31' })
  const stay = before.filter(({ month }) => month !== '2026-10')
  expect(lake.files()).toEqual(stay)
  const snapshot = lake.app.catalog.manifest.currentSnapshot(SITE)
  expect(await remove(lake, { platform: 'claude' })).toMatchObject({ answers: 0, snapshot })
  expect(lake.files()).toEqual(stay)
})

test('copies nothing out of a damaged file', async () => {
  const lake = await openLakeWith(RECORDS)
  const before = lake.files()
  const file = before.find(({ dataset, rows }) => dataset === 'mentions' && rows > 20)!
  const path = join(lake.app.change.lakeDir, file.path)
  const bytes = readFileSync(path)
  // In a statistic: DuckDB reads the file as if it were whole.
  bytes[bytes.length - 40]! ^= 1
  writeFileSync(path, bytes)
  await expect(remove(lake, { to: '2026-09-06' })).rejects.toThrow('lake verify')
  expect(lake.files()).toEqual(before)
  expect(existsSync(path)).toBe(true)
})

test('is recorded beside the imports', async () => {
  const lake = await openLakeWith(RECORDS)
  const { snapshot, ...result } = await remove(lake, { to: '2026-09-06' })
  expect(lake.app.catalog.recordedChanges.list({ siteId: SITE, all: true })[0]).toMatchObject({
    kind: 'delete_answers',
    snapshot,
    result,
  })
})

test('takes a discovered competitor with the last answer that lists it, unless it was confirmed or described', async () => {
  const lake = await openTestLake()
  const answer = { platform: 'chatgpt', prompt: 'What of 0?', text: 'Some.' }
  await lake.answers([
    { ...answer, id: '1', date: '2026-09-01', mentions: ['Initech', 'Hooli', 'Umbrella', 'Monday'] },
    { ...answer, id: '2', date: '2026-09-02', mentions: ['Hooli'] },
  ])
  const { competitors } = lake.app.catalog
  competitors.confirm(SITE, 'Umbrella')
  competitors.set(SITE, 'Monday', { exact: ['Monday'] })
  const names = () => competitors.list(SITE).map(({ name }) => name)
  expect(names()).toEqual(['Globex', 'Initech', 'Hooli', 'Umbrella', 'Monday'])
  await remove(lake, { to: '2026-09-01' })
  expect(names()).toEqual(['Globex', 'Hooli', 'Umbrella', 'Monday'])
  await remove(lake, {})
  expect(names()).toEqual(['Globex', 'Umbrella', 'Monday'])
})

test('two operators and an import at once do each their part, one after the other', async () => {
  const lake = await openLakeWith(RECORDS)
  const others = [await lake.openAgain(), await lake.openAgain()]
  const site = lake.app.catalog.sites.get(SITE)
  const more = makeAnswers('D', '2026-10') as Record[]
  const [first, second, third] = await Promise.all([
    deleteAnswers(others[0]!.change, { site, selection: { to: '2026-09-15' }, dryRun: false }),
    deleteAnswers(others[1]!.change, { site, selection: { from: '2026-09-10', to: '2026-09-30' }, dryRun: false }),
    lake.answers(more),
  ])
  const older = RECORDS.filter(({ date }) => date < '2026-10')
  expect(first.answers + first.no_answers + second.answers + second.no_answers).toBe(older.length)
  expect(third.imported + third.no_answer).toBe(more.length)
  const fresh = await openLakeWith(RECORDS.filter(({ date }) => date >= '2026-10'))
  await fresh.answers(more)
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
})

test('a walk that began before goes on with what was deleted', async () => {
  const lake = await openLakeWith(RECORDS)
  const request = {
    site_id: SITE,
    start_date: '2026-09-01',
    end_date: '2026-10-31',
    limit: 10,
    include: ['date'] as const,
  }
  const walked: unknown[] = []
  let page = await lake.app.reports.answers(SITE, request)
  const total = page.info.total_results
  await remove(lake, {})
  await compactLake(lake.app.change, { isThorough: true })
  for (;;) {
    walked.push(...page.data)
    const cursor = page.info.next_cursor
    if (cursor === null) break
    page = await lake.app.reports.answers(SITE, { ...request, cursor })
  }
  expect([walked.length, (await lake.app.reports.answers(SITE, request)).info.total_results]).toEqual([total, 0])
})

test('a deletion waits for the scan of the site, whose answers would come back', async () => {
  const lake = await openLakeWith(RECORDS)
  const { catalog } = lake.app
  const run = catalog.leases.enter()
  catalog.scanRuns.start({
    id: 'run_1',
    siteId: SITE,
    kind: 'answer',
    day: '2026-10-07',
    seed: 1,
    token: run.token,
  })
  await expect(remove(lake, { from: '2026-09-01' })).rejects.toThrow(/run_1 asks for acme\.com/)
  expect((await remove(lake, { from: '2026-09-01' }, true)).answers).toBeGreaterThan(0)
  run.leave()
  expect((await remove(lake, { from: '2026-09-01' })).answers).toBeGreaterThan(0)
})
