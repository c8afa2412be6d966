import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLake, type Lake } from '../../src/lake/lake.ts'
import { sql, text } from '../../src/lake/sql.ts'

function openTestLake(): { dir: string; lake: Lake } {
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
