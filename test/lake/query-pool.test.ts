import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLake, type Lake, type LakeOptions } from '../../src/lake/lake.ts'
import { integer, sql, text } from '../../src/lake/sql.ts'
import { Abandoned, startWork } from '../../src/lake/read/work.ts'

function openTestLake(options: Partial<LakeOptions> = {}): { dir: string; lake: Lake } {
  const parent = mkdtempSync(join(tmpdir(), 'answerlake-pool-'))
  const dir = join(parent, 'data', 'lake')
  const lake = openLake({
    dir,
    spillDir: join(parent, 'spill'),
    threads: 1,
    memoryMib: 128,
    spillGib: 1,
    runningMax: 1,
    waitingMax: 0,
    waitMsMax: 1_000,
    timeoutMs: 10_000,
    ...options,
  })
  onTestFinished(async () => {
    await lake.close()
    rmSync(parent, { recursive: true })
  })
  return { dir, lake }
}

it('a lake that could not be opened is opened by a later query, once what was in the way is gone', async () => {
  const { dir, lake } = openTestLake()
  writeFileSync(join(dir, '..'), 'a file in the place of the directory')
  await expect(lake.select(sql`SELECT 1 AS one`)).rejects.toThrow('ENOTDIR')
  rmSync(join(dir, '..'))
  expect(await lake.select(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
})

it.each(['parquet(', '[zstd', 'IO Error ('])(
  'what a query says of the value %j is no damaged file when it reads none',
  async (value) => {
    const { lake } = openTestLake()
    await expect(lake.select(sql`SELECT regexp_matches('', ${text(value)}) AS valid`)).rejects.toThrow(
      /^Invalid Input Error: missing /,
    )
  },
)

it('a query that breaks DuckDB by a fault of its own is repeated in another one, and others notice nothing', async () => {
  const { lake } = openTestLake({ threads: 4, runningMax: 4, waitingMax: 1_000 })
  // One in some hundred loses a race inside DuckDB 1.5.5 (duckdb/duckdb#25713), which then refuses whatever follows.
  const racing = sql`
WITH counted AS (
  SELECT brand, coalesce(answers, 0) AS answers
  FROM (SELECT unnest([0, 1, 2, 3, 4, 5, 6]) AS brand)
  LEFT JOIN (
    SELECT brand, count(*) AS answers
    FROM range(100) AS mentions(brand) JOIN (SELECT 1 AS brand FROM range(5) AS none(i) WHERE i > 7) USING (brand)
    GROUP BY brand
  ) USING (brand)
)
SELECT brand, sum(answers) OVER ()::INTEGER AS answers FROM counted ORDER BY brand LIMIT 2`
  const outcomes: unknown[] = []
  const ask = async (): Promise<void> => {
    for (let i = 0; i < 750; i++) outcomes.push(await lake.select(racing).catch((error: Error) => error.message))
  }
  await Promise.all([ask(), ask(), ask(), ask()])
  const expected = JSON.stringify([
    { brand: 0, answers: 0 },
    { brand: 1, answers: 0 },
  ])
  expect(outcomes.filter((rows) => JSON.stringify(rows) !== expected)).toEqual([])
})

it('a value in the words of a fault breaks nothing', async () => {
  const { lake } = openTestLake()
  const refused = sql`SELECT regexp_matches('', ${text('FATAL (database has been invalidated')}) AS valid`
  await expect(lake.select(refused)).rejects.toThrow(/^Invalid Input Error: missing /)
})

const endless = sql`SELECT count(*) AS n FROM range(1000000000000) AS numbers(i) WHERE hash(i) = 1`

it('a query ends with the work that it belongs to', async () => {
  const { lake } = openTestLake()
  const work = startWork(60_000, 'key')
  const asked = lake.under(work).select(endless)
  setTimeout(() => work.stop(new Abandoned('gone')), 100)
  await expect(asked).rejects.toThrow(Abandoned)
  work[Symbol.dispose]()
  using short = startWork(100)
  await expect(lake.under(short).select(endless)).rejects.toMatchObject({ code: 'query_timeout' })
  expect(await lake.select(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
})

it('long texts come in slices in their order, and say why they do not come', async () => {
  const { lake } = openTestLake()
  const texts = (failing: number) => sql`
    SELECT i::INTEGER AS i, CASE WHEN i = ${integer(failing)} THEN error('too late') ELSE repeat('x', 2000) || i END AS long
    FROM range(20000) AS numbers(i)
    ORDER BY i`
  const slices = Array.from(await lake.selectTexts(texts(-1), 20_000))
  expect(slices.length).toBeGreaterThan(1_000)
  const rows = slices.flat()
  expect(rows.map(({ i }) => i)).toEqual(Array.from({ length: 20_000 }, (_, i) => i))
  expect(rows.every(({ i, long }) => long === `${'x'.repeat(2_000)}${Number(i)}`)).toBe(true)
  await expect(lake.selectTexts(texts(19_000), 20_000)).rejects.toThrow('too late')
  using short = startWork(100)
  await expect(lake.under(short).selectTexts(endless, 1)).rejects.toMatchObject({ code: 'query_timeout' })
})

it('closing ends what is running', async () => {
  const { lake } = openTestLake()
  const asked = lake.select(endless)
  setTimeout(() => void lake.close(), 100)
  await expect(asked).rejects.toThrow(Abandoned)
})
