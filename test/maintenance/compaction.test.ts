import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeLake } from '../../src/change/change-lake.ts'
import type { DATASETS } from '../../src/domain/manifest.ts'
import { type LakeFile } from '../../src/domain/manifest.ts'
import { sql } from '../../src/lake/sql.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { makeAnswers, openTestLake, readLogs, readReports, SITE, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

const AUTOMATIC = { siteId: SITE, isThorough: false }
const THOROUGH = { isThorough: true }

function countFiles(files: readonly LakeFile[]): Record<string, number> {
  const groups = Map.groupBy(files, ({ dataset, month }) => `${dataset} ${month}`)
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.length]))
}

/** Every row of a data set, whatever file it is in. */
async function readRows({ app, files }: TestLake, dataset: (typeof DATASETS)[number]): Promise<unknown> {
  const live = files(dataset)
  return app.lake.select(
    sql`SELECT count(*)::INTEGER AS rows, sum(hash(r))::VARCHAR AS sum FROM ${app.lake.filesOf(dataset, live)} AS r`,
  )
}

describe('after imports', () => {
  test('a month that is over has at most four files a data set, the current one and dictionaries up to sixteen', async () => {
    const lake = await openTestLake()
    for (let batch = 0; batch < 5; batch++) {
      await lake.answers([...makeAnswers(`A${batch}-`, '2026-10'), ...makeAnswers(`B${batch}-`, '2026-11')])
    }
    const before = await readReports(lake.app)
    expect(countFiles(lake.files('answers'))).toEqual({ 'answers 2026-10': 5, 'answers 2026-11': 5 })
    const { merged, failures } = await compactLake(lake.app.change, AUTOMATIC)
    expect(failures).toEqual([])
    expect(merged.map(({ dataset, month, files, rows }) => ({ dataset, month, files, rows }))).toEqual([
      { dataset: 'answers', month: '2026-10', files: 5, rows: 25 },
      { dataset: 'citations', month: '2026-10', files: 5, rows: 50 },
      { dataset: 'mentions', month: '2026-10', files: 5, rows: 40 },
      { dataset: 'no_answers', month: '2026-10', files: 5, rows: 5 },
    ])
    expect(countFiles(lake.files())).toEqual({
      'answers 2026-10': 1,
      'answers 2026-11': 5,
      'citations 2026-10': 1,
      'citations 2026-11': 5,
      'mentions 2026-10': 1,
      'mentions 2026-11': 5,
      'no_answers 2026-10': 1,
      'no_answers 2026-11': 5,
      'hosts all': 5,
      'pages all': 5,
    })
    expect(await readReports(lake.app)).toEqual(before)
    expect(await compactLake(lake.app.change, AUTOMATIC)).toEqual({ merged: [], failures: [] })
  })

  test('the current month is merged once it has more than sixteen files', async () => {
    const lake = await openTestLake()
    for (let batch = 0; batch < 17; batch++) await lake.answers(makeAnswers(`A${batch}-`, '2026-11', 2))
    await compactLake(lake.app.change, AUTOMATIC)
    expect(countFiles(lake.files())).toEqual({
      'answers 2026-11': 1,
      'citations 2026-11': 1,
      'mentions 2026-11': 1,
      'no_answers 2026-11': 1,
      'hosts all': 1,
      'pages all': 1,
    })
  })

  test('no further step begins when the time is over', async () => {
    const lake = await openTestLake()
    for (let batch = 0; batch < 5; batch++) await lake.answers(makeAnswers(`A${batch}-`, '2026-10'))
    expect((await compactLake(lake.app.change, { ...AUTOMATIC, budgetMs: -1 })).merged).toEqual([])
  })
})

describe('lake compact', () => {
  test('merges every month and dictionary, and changes no row', async () => {
    const lake = await openTestLake()
    for (let batch = 0; batch < 3; batch++) {
      await lake.answers([...makeAnswers(`A${batch}-`, '2026-10'), ...makeAnswers(`B${batch}-`, '2026-11')])
    }
    const datasets = ['answers', 'no_answers', 'mentions', 'citations', 'hosts', 'pages'] as const
    const before = await Promise.all(datasets.map((dataset) => readRows(lake, dataset)))
    const reports = await readReports(lake.app)
    const snapshot = lake.app.catalog.manifest.currentSnapshot(SITE)
    const older = lake.files()
    await compactLake(lake.app.change, THOROUGH)
    expect(Object.values(countFiles(lake.files()))).toEqual(Array.from({ length: 10 }, () => 1))
    expect(await Promise.all(datasets.map((dataset) => readRows(lake, dataset)))).toEqual(before)
    expect(await readReports(lake.app)).toEqual(reports)
    expect(lake.app.catalog.manifest.listFiles(SITE, snapshot)).toEqual(older)
    await lake.app.lake.ensureIntact(older)
  })

  test('keeps rows in the order that reports want', async () => {
    const lake = await openTestLake()
    for (const prefix of ['B', 'A']) {
      await lake.answers(makeAnswers(prefix, prefix === 'A' ? '2026-09' : '2026-10', 12))
      await lake.answers(makeAnswers(`${prefix}more`, prefix === 'A' ? '2026-09' : '2026-10', 12))
    }
    await compactLake(lake.app.change, THOROUGH)
    const { app } = lake
    for (const file of lake.files('mentions')) {
      const rows = await app.lake.select(
        sql`SELECT (day::VARCHAR || ' ' || brand_no || ' ' || platform_no) AS key FROM ${app.lake.filesOf('mentions', [file])}`,
      )
      const keys = rows.map(({ key }) => String(key))
      expect(keys).toEqual(keys.toSorted())
    }
    const pages = await app.lake.select(sql`SELECT page_no FROM ${app.lake.filesOf('pages', lake.files('pages'))}`)
    const numbers = pages.map(({ page_no }) => Number(page_no))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  })

  test('sums of logs are summed up again: one row for what several imports counted', async () => {
    const lake = await openTestLake()
    for (const day of [3, 4, 5]) await lake.logs(makeLogLines('2026-10', day, 3 + lake.files('paths').length))
    const before = await readLogs(lake)
    const rowsBefore = lake.files('bot_months').reduce((sum, { rows }) => sum + rows, 0)
    const { merged } = await compactLake(lake.app.change, THOROUGH)
    expect(await readLogs(lake)).toEqual(before)
    const months = merged.find(({ dataset }) => dataset === 'bot_months')
    expect([rowsBefore, months?.rows]).toEqual([12, 5])
    expect(merged.find(({ dataset }) => dataset === 'bot_hits')?.rows).toBe(12)
  })

  test('leaves a month with a damaged file as it is, names the file, and merges the others', async () => {
    const lake = await openTestLake()
    for (let batch = 0; batch < 3; batch++) {
      await lake.answers([...makeAnswers(`A${batch}-`, '2026-09'), ...makeAnswers(`B${batch}-`, '2026-10')])
    }
    const victim = lake.files('answers').find(({ month }) => month === '2026-10')
    const path = join(lake.app.change.lakeDir, victim!.path)
    const bytes = readFileSync(path)
    bytes[40]! ^= 1
    writeFileSync(path, bytes)
    const { merged, failures } = await compactLake(lake.app.change, THOROUGH)
    expect(failures).toEqual([
      `${path}: its checksum is not the one recorded. Its data set's files of 2026-10 stay as they are. Run \`answerlake lake verify\`, then restore a backup or drop the file with \`answerlake lake repair --drop\`.`,
    ])
    expect(merged.map(({ dataset, month }) => `${dataset} ${month}`)).not.toContain('answers 2026-10')
    expect(countFiles(lake.files('answers'))).toEqual({ 'answers 2026-09': 1, 'answers 2026-10': 3 })
  })

  test('stops at a signal and leaves nothing of the step that was under way', async () => {
    const lake = await openTestLake()
    for (let batch = 0; batch < 3; batch++) await lake.answers(makeAnswers(`A${batch}-`, '2026-10'))
    const stop = new AbortController()
    const compacting = compactLake(lake.app.change, {
      ...THOROUGH,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    await expect(compacting).rejects.toMatchObject({ name: 'AbortError' })
    const counts = Object.values(countFiles(lake.files())).toSorted()
    expect(counts).toEqual([1, 3, 3, 3, 3, 3])
  })
})

test('a compaction neither waits for an import nor holds one up', async () => {
  const lake = await openTestLake()
  for (let batch = 0; batch < 5; batch++) await lake.answers(makeAnswers(`A${batch}-`, '2026-10'))
  const before = await readReports(lake.app)
  const other = await lake.openAgain()
  await changeLake(other.change, { site: { id: SITE }, group: 'answers', kind: 'import_answers' }, async (change) => {
    const { merged } = await compactLake(lake.app.change, AUTOMATIC)
    expect(merged).toHaveLength(4)
    await change.commit(() => undefined)
  })
  await changeLake(other.change, { site: { id: SITE }, group: 'answers', kind: 'compaction' }, async () => {
    expect((await lake.answers(makeAnswers('B', '2026-10'))).imported).toBe(5)
    expect(await compactLake(lake.app.change, AUTOMATIC)).toEqual({ merged: [], failures: [] })
  })
  expect(lake.files('answers')).toHaveLength(2)
  expect(await readReports(lake.app)).not.toEqual(before)
})
