import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LakeFile } from '../../src/domain/manifest.ts'
import { DATASET } from '../../src/lake/datasets.ts'
import { readFiles } from '../../src/lake/read/files-relation.ts'
import { type Lake, openLake } from '../../src/lake/lake.ts'
import { join as joinSql, sql } from '../../src/lake/sql.ts'
import { readCells } from '../../src/lake/statement.ts'

const dir = mkdtempSync(join(tmpdir(), 'answerlake-relation-'))
const original = { ...DATASET.no_answers }
let instance: DuckDBInstance
let connection: DuckDBConnection
let lake: Lake

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  lake = openLake({
    dir,
    spillDir: join(dir, 'spill'),
    threads: 1,
    memoryMib: 128,
    spillGib: 1,
    runningMax: 1,
    waitingMax: 1,
    waitMsMax: 1_000,
    timeoutMs: 10_000,
  })
})
afterAll(async () => {
  await lake.close()
  connection.closeSync()
  instance.closeSync()
  rmSync(dir, { recursive: true })
})

/** The data set as a later program has it: a column more in version 2, another in version 3. */
beforeEach(() => {
  Object.assign(DATASET.no_answers, {
    version: 3,
    columns: [
      ...original.columns.filter(({ since = 1 }) => since === 1),
      { name: 'reason', type: 'VARCHAR', since: 2, whenAbsent: sql`'none given'` },
      { name: 'retries', type: 'INTEGER', since: 3 },
    ],
  })
})
afterEach(() => void Object.assign(DATASET.no_answers, original))

/** A file with the columns of a version, made by hand. */
async function writeFile(id: string, schemaVersion: number): Promise<LakeFile> {
  const later = [`, 'asked twice' AS reason`, ', 7::SMALLINT AS retries'].slice(0, schemaVersion - 1).join('')
  await connection.run(`
    COPY (SELECT '${id}' AS id, DATE '2026-10-01' AS day, 3::UTINYINT AS platform_no, 4::INTEGER AS prompt_no,
      NULL::BIGINT AS asked_at_ms, NULL::VARCHAR AS market${later}) TO '${join(dir, `${id}.parquet`)}' (FORMAT parquet)`)
  return {
    fileId: id,
    dataset: 'no_answers',
    siteId: 'acme',
    month: '2026-10',
    path: `${id}.parquet`,
    rows: 1,
    bytes: 1,
    sha256: '',
    minDay: null,
    maxDay: null,
    schemaVersion,
  }
}

const FIRST = { id: 'v1', reason: 'none given', retries: null }
const SECOND = { id: 'v2', reason: 'asked twice', retries: null }
const THIRD = { id: 'v3', reason: 'asked twice', retries: 7 }

test.each([
  ['of the first version alone', [1], [FIRST]],
  ['of the second alone', [2], [SECOND]],
  ['of this version alone', [3], [THIRD]],
  ['of all versions together', [3, 1, 2], [FIRST, SECOND, THIRD]],
  ['none', [], []],
])('files %s are read with what they lack filled in', async (_, versions, rows) => {
  const files = await Promise.all(versions.map((version) => writeFile(`v${version}`, version)))
  const query = sql`SELECT id, reason, retries FROM ${lake.filesOf('no_answers', files)} ORDER BY id`
  expect(await lake.select(query)).toEqual(rows)
  const cells = await readCells(
    connection,
    sql`SELECT id, reason, retries, typeof(retries) FROM ${readFiles(dir, 'no_answers', files)} ORDER BY id`,
  )
  expect(cells).toEqual(rows.map(({ id, reason, retries }) => [id, reason, retries, 'INTEGER']))
})

test('a file of a newer program is refused, and says which', async () => {
  const files = [await writeFile('v3', 3)]
  Object.assign(DATASET.no_answers, original, { version: 2 })
  const refusal = expect.objectContaining({
    code: 'data_unavailable',
    message: 'Data that is needed was written by a newer answerlake. Ask the operator to install that version.',
    cause: expect.objectContaining({ message: expect.stringContaining('v3.parquet has version 3') }),
  })
  expect(() => lake.filesOf('no_answers', files)).toThrow(refusal)
  expect(() => readFiles(dir, 'no_answers', files)).toThrow(refusal)
})

test('a relation of no files has the columns, in SQL of both kinds', async () => {
  const columns = joinSql([lake.filesOf('answers', [])], sql``)
  expect(await lake.select(sql`SELECT count(*) AS rows FROM ${columns} WHERE day > '2026-01-01'`)).toEqual([
    { rows: 0 },
  ])
  expect(await readCells(connection, sql`SELECT count(answer_no) FROM ${readFiles(dir, 'citations', [])}`)).toEqual([
    [0],
  ])
})
