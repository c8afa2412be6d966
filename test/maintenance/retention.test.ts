import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { rederiveSite } from '../../src/maintenance/rederive.ts'
import { repairLake } from '../../src/maintenance/repair.ts'
import { describeRetention, type Retention } from '../../src/domain/retention.ts'
import { enforceRetention, listOverdue } from '../../src/maintenance/retention.ts'
import { makeAnswers, openTestLake, readLogs, readReports, SITE, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

const KEEP: Retention = { retentionAnswers: 'keep', retentionLogs: 'keep', retentionRaw: 'keep' }
/** On 2026-11-20, the lake's day: from 2026-10-06 on. */
const PERIOD = '45d'
const FIRST_DAY = '2026-10-06'

const RECORDS = [...makeAnswers('A', '2026-09'), ...makeAnswers('B', '2026-10', 9)].map((record, index) => ({
  ...record,
  ...(index % 3 === 1 && {
    mentions: ['Globex'],
    search_queries: ['what query'],
    consulted: ['https://read.example/1'],
  }),
})) as { date: string; text: string }[]
const LINES = [...makeLogLines('2026-09', 14), ...makeLogLines('2026-10', 5), ...makeLogLines('2026-10', 6, 2)]

async function openLakeWith(records: readonly object[], lines: readonly string[] = []): Promise<TestLake> {
  const lake = await openTestLake()
  if (records.length > 0) await lake.answers(records)
  if (lines.length > 0) await lake.logs(lines)
  return lake
}

const enforce = ({ app }: TestLake, retention: Partial<Retention>) =>
  enforceRetention(app.change, { retention: { ...KEEP, ...retention } })

test('answers and logs that are older go, and nothing else', async () => {
  const lake = await openLakeWith(RECORDS, LINES)
  const retention = { retentionAnswers: PERIOD, retentionLogs: PERIOD }
  const { retired, failures } = await enforce(lake, retention)
  expect(failures).toEqual([])
  const older = RECORDS.filter(({ date }) => date < FIRST_DAY)
  const told = (key: 'answers' | 'bot_hits' | 'visits'): number => retired.reduce((sum, one) => sum + one[key], 0)
  expect([told('answers'), told('bot_hits'), told('visits')]).toEqual([older.length, 6, 6])
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })

  const fresh = await openLakeWith(
    RECORDS.filter(({ date }) => date >= FIRST_DAY),
    makeLogLines('2026-10', 6, 2),
  )
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  expect(await readLogs(lake)).toEqual(await readLogs(fresh))
  const snapshot = lake.app.catalog.manifest.currentSnapshot()
  expect(await enforce(lake, retention)).toEqual({ retired: [], failures: [] })
  expect(lake.app.catalog.manifest.currentSnapshot()).toBe(snapshot)
  const recorded = lake.app.catalog.recordedChanges.list({ siteId: SITE, all: true })
  expect(recorded[0]).toMatchObject({ kind: 'retention', result: { setting: 'retention_logs', period: PERIOD } })
  expect(recorded.filter(({ kind }) => kind === 'retention')).toHaveLength(4)
})

test('a day later one more day goes', async () => {
  const lake = await openLakeWith([], LINES)
  await enforce(lake, { retentionLogs: PERIOD })
  lake.clock.nowMs += 24 * 3_600_000
  const [state] = describeRetention({ ...KEEP, retentionLogs: PERIOD }, lake.clock.now()).slice(1)
  expect(listOverdue(lake.app.change, SITE, state!).map(({ dataset }) => dataset)).toEqual(['bot_hits', 'visits'])
  expect((await enforce(lake, { retentionLogs: PERIOD })).retired).toMatchObject([{ bot_hits: 2, visits: 2 }])
  expect(lake.files('bot_hits')).toEqual([])
})

/** The answers' report with blanks in the place of what is older. */
function blank(reports: Record<string, readonly unknown[]>): Record<string, readonly unknown[]> {
  const answers = (reports['answers'] as { date: string; citations: object[] }[]).map((answer) =>
    answer.date >= FIRST_DAY
      ? answer
      : { ...answer, text: '', citations: answer.citations.map((link) => ({ ...link, url: '', title: '' })) },
  )
  return { ...reports, answers }
}

test('words that are older are blanked, and no number changes, not by deriving again either', async () => {
  const lake = await openLakeWith(RECORDS)
  const before = await readReports(lake.app)
  const { retired } = await enforce(lake, { retentionRaw: PERIOD })
  const older = RECORDS.filter(({ date, text }) => date < FIRST_DAY && text !== '')
  expect(retired.reduce((sum, { answers }) => sum + answers, 0)).toBe(older.length)
  expect(await readReports(lake.app)).toEqual(blank(before))
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  expect(await enforce(lake, { retentionRaw: PERIOD })).toEqual({ retired: [], failures: [] })

  lake.app.catalog.competitors.set(SITE, 'globex', { aliases: ['B'] })
  await rederiveSite(lake.app.change, { site: lake.app.catalog.sites.get(SITE) })
  lake.app.catalog.competitors.set(SITE, 'globex', { aliases: [] })
  await rederiveSite(lake.app.change, { site: lake.app.catalog.sites.get(SITE) })
  await compactLake(lake.app.change, { isThorough: true })
  expect(await readReports(lake.app)).toEqual(blank(before))
})

test('a blanked answer is still known by its id, and differs from no record', async () => {
  const lake = await openLakeWith(RECORDS)
  await enforce(lake, { retentionRaw: PERIOD })
  const files = lake.files()
  const again = await lake.answers(RECORDS)
  expect(again).toMatchObject({ imported: 0, no_answer: 0, duplicates: RECORDS.length, differing: 0 })
  expect(lake.files()).toEqual(files)
  const path = join(lake.dir, 'corrected.ndjson')
  writeFileSync(path, RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const replacing = await importAnswers(lake.app.change, {
    site: lake.app.catalog.sites.get(SITE),
    files: [path],
    format: 'native',
    defaults: {},
    createPrompts: false,
    dryRun: false,
    strict: true,
    replace: true,
    discoverMin: 1_000,
  })
  expect(replacing).toMatchObject({ replaced: 0, imported: 0 })
  expect(lake.files()).toEqual(files)
})

test.each(['mentions', 'hosts'] as const)('a blanked answer goes with %s that are lost', async (dataset) => {
  const lake = await openLakeWith(RECORDS)
  await enforce(lake, { retentionRaw: PERIOD })
  const file = lake.files(dataset)[0]!
  rmSync(join(lake.app.change.lakeDir, file.path))
  const { lost } = await repairLake(lake.app.change, { files: [file.path], keepsAnswers: false, isDryRun: false })
  const left = dataset === 'hosts' ? RECORDS.filter(({ date, text }) => date >= FIRST_DAY || text === '') : undefined
  expect(lost.find((one) => one.dataset === 'answers')?.rows).toBeGreaterThan(0)
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  if (left) expect(await readReports(lake.app)).toEqual(await readReports((await openLakeWith(left)).app))
})

test('upkeep enforces what is set, and passes over what another change holds up', async () => {
  const lake = await openLakeWith(RECORDS)
  const config = await readConfig({ dataDir: lake.dataDir, environment: { ANSWERLAKE_RETENTION_ANSWERS: PERIOD } })
  const other = await lake.openAgain()
  const lease = other.catalog.leases.tryAcquire(`add:answers:${SITE}`)!
  const upkeep = { retention: config, waits: false }
  expect(await enforceRetention(lake.app.change, upkeep)).toEqual({ retired: [], failures: [] })
  lease.release()
  expect((await enforceRetention(lake.app.change, upkeep)).retired).toHaveLength(2)
})

test('a damaged file keeps its month, is named, and the others go', async () => {
  const lake = await openLakeWith(RECORDS)
  const file = lake.files('mentions').find(({ month }) => month === '2026-09')!
  rmSync(join(lake.app.change.lakeDir, file.path))
  const { retired, failures } = await enforce(lake, { retentionAnswers: PERIOD })
  expect(failures).toEqual([expect.stringContaining(file.path)])
  expect(retired).toHaveLength(1)
})
