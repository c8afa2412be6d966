import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rereadReplies } from '../../src/collect/reread-replies.ts'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { deleteAnswers } from '../../src/maintenance/delete-answers.ts'
import { forgetReplies } from '../../src/maintenance/forget-replies.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { readStatus } from '../../src/maintenance/status.ts'
import { enforceRetention } from '../../src/maintenance/retention.ts'
import { keepRun } from './support/kept-replies.ts'
import { openTestLake, SITE, type TestLake } from './support/lake.ts'
import { findMarks } from './support/marked-bytes.ts'

/** Of answers that are to go, by where their raw replies are; and of others. */
const GONE = { main: 'mkma-1a2b', shadow: 'mksh-3c4d', failed: 'mkfa-5e6f', judged: 'mkju-7a8b' }
const STAYS = { main: 'mkst-9c0d', judged: 'mksj-1e2f', later: 'mkla-3a4b' }
const [GONE_MARKS, STAYING_MARKS] = [Object.values(GONE), Object.values(STAYS)]

/** A day with answers to two prompts, and their judgements on the day after. */
async function openScannedLake(): Promise<TestLake> {
  const lake = await openTestLake()
  const of = (id: string, mark: string, prompt = 'p0') => ({ id, text: `Acme is good, says ${mark}.`, prompt })
  const answers = [of('scn_1', GONE.main), of('scn_2', STAYS.main, 'p1')]
  await keepRun(lake, 'run_a', {
    day: '2026-10-07',
    main: answers,
    shadow: [of('scn_3', GONE.shadow)],
    failed: [of('scn_4', GONE.failed)],
  })
  await keepRun(lake, 'run_b', {
    day: '2026-10-08',
    kind: 'judgement',
    judgements: [of('scn_1', GONE.judged), of('scn_2', STAYS.judged)],
  })
  await keepRun(lake, 'run_c', { day: '2026-10-09', main: [of('scn_5', STAYS.later)] })
  return lake
}

const forget = ({ app }: TestLake, reason?: object) =>
  deleteAnswers(app.change, {
    site: app.catalog.sites.get(SITE),
    selection: { from: '2026-10-07', to: '2026-10-07', prompts: app.catalog.prompts.listByIds(SITE, ['p0']) },
    dryRun: false,
    ...(reason ? { reason } : {}),
  })
const collect = ({ app }: TestLake) => collectGarbage(app.change, { graceMs: 0 })
const listMarks = ({ dataDir }: TestLake): string[] =>
  Object.keys(findMarks(dataDir, [...GONE_MARKS, ...STAYING_MARKS])).sort()

test('the search finds what was asked as long as nothing is deleted', async () => {
  const lake = await openScannedLake()
  await collect(lake)
  expect(listMarks(lake)).toEqual([...GONE_MARKS, ...STAYING_MARKS].sort())
  const { raw_replies: kept } = await readStatus(lake.app.change)
  expect(kept.files).toBe(5)
  expect(kept.bytes).toBeGreaterThan(500)
})

test('a deletion takes the raw replies of its answers, of shadows, failures and judgements too, and no others', async () => {
  const lake = await openScannedLake()
  expect(await forget(lake)).toMatchObject({ answers: 1 })
  await collect(lake)
  expect(listMarks(lake)).toEqual([...STAYING_MARKS].sort())
  expect(lake.app.catalog.forgottenReplies.list()).toEqual([])
})

test('what was deleted does not come back when raw replies are read again', async () => {
  const lake = await openScannedLake()
  const site = lake.app.catalog.sites.get(SITE)
  await forget(lake)
  expect(await forgetReplies(lake.app.change)).toBe(true)
  expect(await rereadReplies(lake.app.change, { dataDir: lake.dataDir, site })).toMatchObject({
    imported: 0,
    replaced: 0,
    duplicates: 2,
  })
  await collect(lake)
  expect(listMarks(lake)).toEqual([...STAYING_MARKS].sort())
})

test('what is asked after a deletion stays, of the same day too', async () => {
  const lake = await openScannedLake()
  await forget(lake)
  lake.clock.nowMs += 60_000
  await keepRun(lake, 'run_d', {
    day: '2026-10-07',
    main: [{ id: 'scn_6', text: 'Acme again, says mkag-5c6d.' }],
  })
  await collect(lake)
  expect(Object.keys(findMarks(lake.dataDir, ['mkag-5c6d', GONE.main]))).toEqual(['mkag-5c6d'])
})

test('files that a living run still writes are left until it has ended', async () => {
  const lake = await openScannedLake()
  await keepRun(lake, 'run_e', {
    day: '2026-10-07',
    lives: true,
    main: [{ id: 'scn_7', text: 'Acme, says mkli-7e8f.' }],
  })
  // Retention doesn't wait for a scan, as an operator's deletion does.
  await forget(lake, { setting: 'retention_answers' })
  await collect(lake)
  expect(Object.keys(findMarks(lake.dataDir, ['mkli-7e8f']))).toEqual(['mkli-7e8f'])
  expect(lake.app.catalog.forgottenReplies.list()).toHaveLength(1)
  const run = lake.app.catalog.scanRuns.find('run_e')
  lake.app.catalog.scanRuns.end('run_e', run?.token ?? '', 'partial')
  await collect(lake)
  expect(findMarks(lake.dataDir, ['mkli-7e8f'])).toEqual({})
  expect(lake.app.catalog.forgottenReplies.list()).toEqual([])
})

test('an answer that is replaced by other words takes its raw reply and its judgement with it', async () => {
  const lake = await openScannedLake()
  const path = join(lake.dir, 'corrected.ndjson')
  const record = {
    id: 'scn_1',
    date: '2026-10-07',
    platform: 'chatgpt',
    prompt: 'What of 0?',
    text: 'Acme, corrected.',
  }
  writeFileSync(path, `${JSON.stringify(record)}\n`)
  const result = await importAnswers(lake.app.change, {
    site: lake.app.catalog.sites.get(SITE),
    files: [path],
    format: 'native',
    defaults: {},
    createPrompts: false,
    replace: true,
    dryRun: false,
    strict: true,
    discoverMin: 1_000,
  })
  expect(result).toMatchObject({ replaced: 1 })
  await collect(lake)
  expect(listMarks(lake)).toEqual([GONE.shadow, GONE.failed, ...STAYING_MARKS].sort())
})

test.for(['retentionAnswers', 'retentionRaw'] as const)('%s takes raw replies that are too old', async (setting) => {
  const lake = await openScannedLake()
  const kept = { retentionAnswers: 'keep', retentionLogs: 'keep', retentionRaw: 'keep' }
  // 43 days before 20 November: the day of the judgements is kept, that of the answers isn't.
  await enforceRetention(lake.app.change, { retention: { ...kept, [setting]: '43d' } })
  await collect(lake)
  expect(listMarks(lake)).toEqual([STAYS.later])
})

test('keep_raw of scan.json takes old days as a whole, and says what is wrong in the file', async () => {
  const lake = await openScannedLake()
  const retention = { retentionAnswers: 'keep', retentionLogs: 'keep', retentionRaw: 'keep' }
  writeFileSync(join(lake.dataDir, 'scan.json'), '{"targets": [], "keep_raw": "long"}')
  const { failures } = await enforceRetention(lake.app.change, { retention })
  expect(failures.join()).toContain('keep_raw')
  expect(listMarks(lake)).toEqual([...GONE_MARKS, ...STAYING_MARKS].sort())
  writeFileSync(join(lake.dataDir, 'scan.json'), '{"targets": [], "keep_raw": "43d"}')
  expect(await enforceRetention(lake.app.change, { retention })).toEqual({ retired: [], failures: [] })
  expect(Object.keys(findMarks(join(lake.dataDir, 'scans'), [...GONE_MARKS, ...STAYING_MARKS])).sort()).toEqual(
    [GONE.judged, STAYS.judged, STAYS.later].sort(),
  )
  // The lake has its answers still.
  expect(lake.files('answers')).not.toEqual([])
})

test('the raw replies of a site go with it, and those of others stay', async () => {
  const lake = await openScannedLake()
  const { catalog } = lake.app
  catalog.sites.create({ id: 'other', name: 'Acme', domain: 'other.com' })
  catalog.prompts.add('other', [{ id: 'o0', text: 'What of other?', category: 'Discovery' }])
  await keepRun(lake, 'run_o', {
    day: '2026-10-07',
    siteId: 'other',
    main: [{ id: 'scn_o', text: 'Acme, says mkot-9a0b.', prompt: 'o0' }],
  })
  catalog.deletions.deleteSite(SITE)
  await collect(lake)
  expect(Object.keys(findMarks(lake.dataDir, [...GONE_MARKS, ...STAYING_MARKS, 'mkot-9a0b']))).toEqual(['mkot-9a0b'])
  expect(existsSync(join(lake.dataDir, 'scans', '2026-10-08'))).toBe(false)
})
