import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Dataset, LakeFile } from '../../src/domain/manifest.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import type { RepairOptions } from '../../src/maintenance/group-repair.ts'
import { repairLake } from '../../src/maintenance/repair.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { makeAnswers, openTestLake, readLogs, readReports, SITE, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

/** Two months, each of two imports. */
const BATCHES = [makeAnswers('A', '2026-09'), makeAnswers('B', '2026-09'), makeAnswers('C', '2026-10')] as const

async function openFullLake(batches: readonly (readonly object[])[] = BATCHES): Promise<TestLake> {
  const lake = await openTestLake()
  for (const batch of batches) await lake.answers([...batch])
  return lake
}

/** The file of a data set that the n-th import wrote. */
function findOf({ app }: TestLake, dataset: Dataset, batch: number): LakeFile {
  const before = new Set(app.catalog.manifest.listFiles(SITE, batch).map(({ fileId }) => fileId))
  const added = app.catalog.manifest.listFiles(SITE, batch + 1).filter(({ fileId }) => !before.has(fileId))
  return added.find((file) => file.dataset === dataset)!
}

/** Deletes the file as a bad disk would, and gives it up. */
async function lose({ app }: TestLake, file: LakeFile, options: Partial<RepairOptions> = {}) {
  rmSync(join(app.change.lakeDir, file.path))
  expect(await verifyLake(app.change, {})).toMatchObject({ ok: false })
  const result = await repairLake(app.change, { files: [file.path], keepsAnswers: false, isDryRun: false, ...options })
  expect(await verifyLake(app.change, {})).toMatchObject({ ok: options.isDryRun !== true })
  return result
}

const toDropped = ({ path, siteId, dataset, month, minDay, maxDay, rows }: LakeFile) => ({
  path,
  site_id: siteId,
  dataset,
  month,
  first_day: minDay,
  last_day: maxDay,
  rows,
})

describe('a lost file of answers', () => {
  test('takes their mentions and sources with it; the rest reads as if they had never been imported', async () => {
    const lake = await openFullLake()
    const original = await readReports(lake.app)
    const file = findOf(lake, 'answers', 1)
    expect(await lose(lake, file)).toEqual({
      dropped: [toDropped(file)],
      lost: [
        { dataset: 'mentions', month: '2026-09', rows: 8 },
        { dataset: 'citations', month: '2026-09', rows: 10 },
      ],
      rebuilt: [],
      snapshot: 4,
    })
    const without = await openFullLake([BATCHES[0], BATCHES[2]])
    expect(await readReports(lake.app)).toEqual(await readReports(without.app))
    expect(lake.app.catalog.scans.last(SITE)).toEqual(without.app.catalog.scans.last(SITE))

    const again = await lake.answers([...BATCHES[1]])
    expect([again.imported, again.duplicates]).toEqual([5, 1])
    expect(await readReports(lake.app)).toEqual(original)
  })

  test('on the newest day takes back what is said of the last scan', async () => {
    const lake = await openFullLake()
    await lose(lake, findOf(lake, 'answers', 2))
    const { date } = lake.app.catalog.scans.last(SITE)!
    expect(date).toBe('2026-10-26')
    await lose(lake, findOf(lake, 'no_answers', 2))
    expect(lake.app.catalog.scans.last(SITE)).toEqual({ date: '2026-09-26', status: 'failed' })
  })

  test('may be the whole month', async () => {
    const lake = await openFullLake()
    await compactLake(lake.app.change, { isThorough: true })
    const file = lake.files('answers').find(({ month }) => month === '2026-09')!
    const { lost } = await lose(lake, file)
    expect(lost.map(({ dataset, rows }) => [dataset, rows])).toEqual([
      ['mentions', 16],
      ['citations', 20],
    ])
    const without = await openFullLake([BATCHES[2]])
    expect(await readReports(lake.app)).toEqual(await readReports(without.app))
  })
})

describe('a lost file of what is derived', () => {
  test.each(['mentions', 'hosts', 'pages'] as const)('of %s is derived again: no report changes', async (dataset) => {
    const lake = await openFullLake()
    const original = await readReports(lake.app)
    const { lost, rebuilt } = await lose(lake, findOf(lake, dataset, 1))
    expect(lost).toEqual([])
    const months = dataset === 'mentions' ? ['2026-09'] : ['2026-09', '2026-10']
    expect(rebuilt).toEqual([
      ...(dataset === 'mentions' ? [] : ['hosts', 'pages'].map((name) => ({ dataset: name, month: 'all' }))),
      ...months.map((month) => ({ dataset: 'mentions', month })),
    ])
    expect(await readReports(lake.app)).toEqual(original)
    await lake.answers(makeAnswers('D', '2026-10'))
    const fresh = await openFullLake([...BATCHES, makeAnswers('D', '2026-10')])
    expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  })
})

describe('a lost file of sources', () => {
  test('takes the answers of its days with it that may have lost theirs', async () => {
    const lake = await openFullLake()
    const original = await readReports(lake.app)
    const { lost } = await lose(lake, findOf(lake, 'citations', 1))
    expect(lost.map(({ dataset, rows }) => [dataset, rows])).toEqual([
      ['answers', 5],
      ['mentions', 8],
    ])
    const without = await openFullLake([BATCHES[0], BATCHES[2]])
    expect(await readReports(lake.app)).toEqual(await readReports(without.app))
    await lake.answers([...BATCHES[1]])
    expect(await readReports(lake.app)).toEqual(original)
  })

  test('leaves the answers without sources when they are to be kept', async () => {
    const lake = await openFullLake()
    const { answers, visibility } = await readReports(lake.app)
    const { lost } = await lose(lake, findOf(lake, 'citations', 1), { keepsAnswers: true })
    expect(lost).toEqual([])
    const after = await readReports(lake.app)
    expect(after['answers']).toHaveLength(answers!.length)
    expect(after['visibility']).toHaveLength(visibility!.length)
  })
})

test('a dry run says the same and changes nothing', async () => {
  const lake = await openFullLake()
  const file = findOf(lake, 'answers', 1)
  const before = lake.files()
  const planned = await lose(lake, file, { isDryRun: true })
  expect(planned.snapshot).toBeNull()
  expect(lake.files()).toEqual(before)
  const { snapshot, ...done } = await repairLake(lake.app.change, {
    files: [join(lake.app.change.lakeDir, file.path)],
    keepsAnswers: false,
    isDryRun: false,
  })
  expect({ ...done, snapshot: null }).toEqual(planned)
  expect(snapshot).toBe(4)
})

test('what is damaged besides must be given up in the same call', async () => {
  const lake = await openFullLake()
  const [lost, also] = [findOf(lake, 'answers', 1), findOf(lake, 'mentions', 0)]
  rmSync(join(lake.app.change.lakeDir, also.path))
  const before = lake.files()
  await expect(lose(lake, lost)).rejects.toThrow(
    `${also.path} is needed for this, and it is missing. Drop it in the same call`,
  )
  expect(lake.files()).toEqual(before)
  const options = { files: [lost.path, also.path], keepsAnswers: false, isDryRun: false }
  expect((await repairLake(lake.app.change, options)).rebuilt).toEqual([{ dataset: 'mentions', month: '2026-09' }])
  const without = await openFullLake([BATCHES[0], BATCHES[2]])
  expect(await readReports(lake.app)).toEqual(await readReports(without.app))
})

test('a replaced file that is given up ends the cursors that need it, and nothing else', async () => {
  const lake = await openFullLake()
  const replaced = findOf(lake, 'answers', 1)
  await compactLake(lake.app.change, { isThorough: true })
  const original = await readReports(lake.app)
  expect(await lose(lake, replaced)).toEqual({ dropped: [toDropped(replaced)], lost: [], rebuilt: [], snapshot: null })
  expect(await readReports(lake.app)).toEqual(original)
  expect(lake.app.catalog.manifest.isReadable(SITE, 2, 3_600_000)).toBe(false)
})

test('files of several sites or kinds are refused before any of them is touched', async () => {
  const lake = await openFullLake()
  const replaced = findOf(lake, 'answers', 1)
  await compactLake(lake.app.change, { isThorough: true })
  await lake.logs(makeLogLines('2026-10', 3))
  const files = [replaced, ...lake.files('answers'), ...lake.files('bot_hits')].map(({ path }) => path)
  const repairing = repairLake(lake.app.change, { files, keepsAnswers: false, isDryRun: false })
  await expect(repairing).rejects.toThrow('Drop those of one site and kind at a time')
  expect(lake.app.catalog.manifest.isReadable(SITE, 2, 3_600_000)).toBe(true)
  expect(existsSync(join(lake.app.change.lakeDir, replaced.path))).toBe(true)
})

test.each(['nothing.parquet', '../catalog.sqlite', '/etc/passwd'])('%s is no file of the lake', async (path) => {
  const { app } = await openFullLake([])
  const repairing = repairLake(app.change, { files: [path], keepsAnswers: false, isDryRun: false })
  await expect(repairing).rejects.toThrow('is no file of this lake')
})

describe('a lost file of logs', () => {
  const LINES = [makeLogLines('2026-10', 3), makeLogLines('2026-10', 4, 5)] as const
  const openLogs = async (lines: readonly (readonly string[])[] = LINES): Promise<TestLake> => {
    const lake = await openTestLake()
    for (const part of lines) await lake.logs(part)
    return lake
  }

  test('with hits takes them out of all sums', async () => {
    const lake = await openLogs()
    const { rebuilt } = await lose(lake, findOf(lake, 'bot_hits', 1))
    expect(rebuilt.map(({ dataset }) => dataset)).toEqual(['bot_rollup', 'bot_page_types', 'bot_months'])
    const { visits, ...hits } = await readLogs(lake)
    const without = await readLogs(await openLogs([LINES[0]]))
    expect({ ...hits, visits: without['visits'] }).toEqual(without)
    expect(visits).toHaveLength(8)
  })

  test.each(['bot_rollup', 'bot_page_types', 'bot_months'] as const)(
    'with sums (%s) loses nothing',
    async (dataset) => {
      const lake = await openLogs()
      const original = await readLogs(lake)
      await lose(lake, findOf(lake, dataset, 1))
      expect(await readLogs(lake)).toEqual(original)
    },
  )

  test('with paths takes their hits and visits with it', async () => {
    const lake = await openLogs()
    const { lost } = await lose(lake, findOf(lake, 'paths', 1))
    expect(lost.map(({ dataset, rows }) => [dataset, rows])).toEqual([
      ['bot_hits', 2],
      ['visits', 2],
    ])
    const { hits, rollup, months, visits } = await readLogs(lake)
    const sum = (rows: readonly object[] | undefined, key: string): number =>
      (rows ?? []).reduce((total, row) => total + Number(Reflect.get(row, key)), 0)
    expect([sum(hits, 'hits'), sum(rollup, 'hits'), sum(months, 'hits'), sum(visits, 'visits')]).toEqual([6, 6, 6, 6])
  })
})
