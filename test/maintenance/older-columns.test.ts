import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DATASETS, type LakeFile } from '../../src/domain/manifest.ts'
import { DATASET, isOutdated } from '../../src/lake/datasets.ts'
import { sql } from '../../src/lake/sql.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { makeAnswers, openTestLake, readLogs, readReports, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

/** What the columns were before they were signed. */
const UNSIGNED: Readonly<Record<string, string>> = {
  platform_no: 'UTINYINT',
  sentiment_no: 'UTINYINT',
  page_type_no: 'UTINYINT',
  verification_no: 'UTINYINT',
  quarter: 'UTINYINT',
  last_second: 'USMALLINT',
  last_epoch: 'UINTEGER',
}
const NEW = Object.fromEntries(DATASETS.map((dataset) => [dataset, { ...DATASET[dataset] }]))
const SIGNED = new Set(['BIGINT', 'BOOLEAN', 'DATE', 'INTEGER', 'SMALLINT', 'VARCHAR'])
/** Data sets that have such a column. */
const CHANGED = DATASETS.filter((dataset) => DATASET[dataset].columns.some(({ name }) => name in UNSIGNED))

function writeOldColumns(): void {
  for (const dataset of CHANGED) {
    const { version, columns } = DATASET[dataset]
    Object.assign(DATASET[dataset], {
      version: version - 1,
      columns: columns.map((column) => ({ ...column, type: UNSIGNED[column.name] ?? column.type })),
    })
  }
}

function writeNewColumns(): void {
  for (const dataset of DATASETS) Object.assign(DATASET[dataset], NEW[dataset])
}

beforeEach(writeOldColumns)
afterEach(writeNewColumns)

const OLD_LOGS = makeLogLines('2026-10', 3, 59)
const NEW_LOGS = makeLogLines('2026-10', 5, 40)

async function importOld({ answers, logs }: TestLake): Promise<void> {
  await answers([...makeAnswers('A', '2026-10', 12), ...makeAnswers('B', '2026-11', 12)])
  await logs(OLD_LOGS)
}

async function importNew({ answers, logs }: TestLake): Promise<void> {
  await answers(makeAnswers('C', '2026-10', 12))
  await logs(NEW_LOGS)
}

/** Through a program opened for it: none that remembers a report. */
async function read(lake: TestLake): Promise<unknown> {
  const app = await lake.openAgain()
  return [await readReports(app), await readLogs({ ...lake, app })]
}

/** Types of the columns as the files have them. */
async function readTypes({ app }: TestLake, files: readonly LakeFile[]): Promise<Set<unknown>> {
  const types = new Set<unknown>()
  for (const { path } of files) {
    const file = sql.path(join(app.lake.dir, path))
    const [row = {}] = await app.lake.select(sql`SELECT typeof(COLUMNS(*)) FROM read_parquet(${file}) LIMIT 1`)
    for (const type of Object.values(row)) types.add(type)
  }
  return types
}

test('what was stored with unsigned columns is read beside new files, with the same numbers to the last digit', async () => {
  const lake = await openTestLake()
  await importOld(lake)
  const before = await read(lake)
  expect(await readTypes(lake, lake.files())).toEqual(new Set([...SIGNED, 'UTINYINT', 'USMALLINT', 'UINTEGER']))
  writeNewColumns()
  expect(lake.files().filter(isOutdated).length).toBeGreaterThan(0)
  expect(await read(lake)).toEqual(before)

  await importNew(lake)
  const fresh = await openTestLake()
  await importOld(fresh)
  await importNew(fresh)
  expect(fresh.files().filter(isOutdated)).toEqual([])
  expect(await read(lake)).toEqual(await read(fresh))
  expect(await readTypes(fresh, fresh.files())).toEqual(SIGNED)
})

test('a compaction that is asked for writes them anew, those that stand alone too; one after an import leaves them', async () => {
  const lake = await openTestLake()
  await importOld(lake)
  const before = await read(lake)
  writeNewColumns()
  const outdated = lake.files().filter(isOutdated)
  expect(new Set(outdated.map(({ dataset }) => dataset))).toEqual(new Set(CHANGED))
  expect((await compactLake(lake.app.change, { isThorough: false })).merged).toEqual([])

  const { merged, failures } = await compactLake(lake.app.change, { isThorough: true })
  expect(failures).toEqual([])
  expect(merged.filter(({ files }) => files === 1)).toHaveLength(outdated.length)
  expect(lake.files().filter(isOutdated)).toEqual([])
  expect(await read(lake)).toEqual(before)
  expect(await readTypes(lake, lake.files())).toEqual(SIGNED)
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  expect((await compactLake(lake.app.change, { isThorough: true })).merged).toEqual([])
})
