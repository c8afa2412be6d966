import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compile } from '../../src/lake/statement.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { exportTables } from '../../src/named-tables/export.ts'
import { NAMED_TABLES } from '../../src/named-tables/tables.ts'
import { DuckDBInstance } from '@duckdb/node-api'
import { writeViewDatabase } from '../../src/named-tables/view-database.ts'
import { toViews } from '../../src/named-tables/views.ts'
import { makeAnswers, openTestLake, SITE, type TestLake } from '../maintenance/support/lake.ts'
import { makeLogLines } from '../maintenance/support/log-lines.ts'
import { type Database, openDatabase } from './support/database.ts'

const COUNTS =
  'SELECT (SELECT count(*) FROM answers) AS answers, (SELECT count(*) FROM mentions) AS mentions, (SELECT count(*) FROM citations) AS citations'

async function open(path: string): Promise<Database> {
  const database = await openDatabase(path)
  onTestFinished(() => database.close())
  return database
}

/** The views as a person has them who pastes what `lake views` prints. */
async function paste({ app }: TestLake, snapshot?: number): Promise<Database> {
  const database = await open(':memory:')
  const { statements } = toViews(app.catalog, app.change.lakeDir, { siteId: SITE, snapshot })
  await database.run(statements.map((statement) => `${compile(statement).text};`).join('\n'))
  return database
}

async function makeLake(): Promise<TestLake> {
  const lake = await openTestLake()
  for (let batch = 0; batch < 5; batch++) await lake.answers(makeAnswers(`A${batch}-`, '2026-10'))
  return lake
}

describe('views', () => {
  test('read each row once, whatever replaced files lie beside the live ones', async () => {
    const lake = await makeLake()
    const before = await (await paste(lake)).rows(COUNTS)
    expect(before).toEqual([{ answers: 25, mentions: 40, citations: 50 }])
    await compactLake(lake.app.change, { isThorough: true })
    expect(await (await paste(lake)).rows(COUNTS)).toEqual(before)
  })

  test('of an older snapshot show what was there then, until its files are deleted', async () => {
    const lake = await makeLake()
    const older = lake.app.catalog.manifest.currentSnapshot(SITE)
    await lake.answers(makeAnswers('B-', '2026-10'))
    expect(await (await paste(lake, older)).rows(COUNTS)).toEqual([{ answers: 25, mentions: 40, citations: 50 }])
    expect(await (await paste(lake)).rows(COUNTS)).toEqual([{ answers: 30, mentions: 48, citations: 60 }])
    await compactLake(lake.app.change, { isThorough: true })
    await collectGarbage(lake.app.change, { graceMs: 0 })
    await expect(paste(lake, older)).rejects.toThrow(/Snapshot \d+ can't be read/)
    await expect(paste(lake, 999)).rejects.toThrow(/Snapshot 999 can't be read/)
  })

  test('of a site without any data are empty, and all there', async () => {
    const database = await paste(await openTestLake())
    for (const { name, columns } of NAMED_TABLES) {
      const rows = await database.rows(`DESCRIBE ${name}`)
      expect(rows.map((row) => row['column_name'])).toEqual(Object.keys(columns))
    }
    expect(await database.rows(COUNTS)).toEqual([{ answers: 0, mentions: 0, citations: 0 }])
  })

  test('hold names of any characters, in text that no terminal obeys', async () => {
    const lake = await openTestLake()
    const text = `It's "odd"; DROP TABLE answers; -- \\ \u001b[31m \u202e \u2028 \u0007 ünï 😀 $1 $$`
    lake.app.catalog.prompts.add(SITE, [{ text, category: 'Brand' }])
    const printed = toViews(lake.app.catalog, lake.app.change.lakeDir, { siteId: SITE }).statements.map(
      (statement) => compile(statement).text,
    )
    expect(printed.join('')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    const database = await paste(lake)
    expect(await database.rows("SELECT prompt FROM prompts WHERE category = 'Brand'")).toEqual([{ prompt: text }])
  })

  test('leave out competitors that were removed, and follow what was decided since', async () => {
    const lake = await makeLake()
    expect(await (await paste(lake)).rows("SELECT count(*) AS n FROM mentions WHERE brand = 'Globex'")).toEqual([
      { n: 15 },
    ])
    lake.app.catalog.competitors.remove(SITE, 'globex')
    expect(await (await paste(lake)).rows('SELECT DISTINCT brand FROM mentions')).toEqual([{ brand: 'Acme' }])
  })

  test('go into a database that replaces an earlier one, and nothing else', async () => {
    const lake = await makeLake()
    const file = join(lake.dir, 'views.duckdb')
    const views = toViews(lake.app.catalog, lake.app.change.lakeDir, { siteId: SITE })
    await writeViewDatabase(file, views)
    await writeViewDatabase(file, views)
    const database = await open(file)
    expect(await database.rows(COUNTS)).toEqual([{ answers: 25, mentions: 40, citations: 50 }])
    mkdirSync(join(lake.dir, 'taken'))
    await expect(writeViewDatabase(join(lake.dir, 'taken'), views)).rejects.toThrow(/is no file/)
    const notes = join(lake.dir, 'notes.txt')
    writeFileSync(notes, 'to be kept')
    await expect(writeViewDatabase(notes, views)).rejects.toThrow(/notes.txt is there already/)
    expect(readFileSync(notes, 'utf8')).toBe('to be kept')
    for (const made of ['CREATE TABLE mine AS SELECT 1 AS one', 'SELECT 1']) {
      const others = join(lake.dir, 'others.duckdb')
      const theirs = await DuckDBInstance.create(others)
      const connection = await theirs.connect()
      await connection.run(made)
      connection.closeSync()
      theirs.closeSync()
      const before = readFileSync(others)
      await expect(writeViewDatabase(others, views)).rejects.toThrow(/others.duckdb is there already, and holds other/)
      expect(readFileSync(others)).toEqual(before)
    }
    expect(readdirSync(lake.dir).filter((name) => name.includes('tmp'))).toEqual([])
  })
})

describe('an export', () => {
  test('has every table as a file, whole, and only once', async () => {
    const lake = await makeLake()
    await lake.logs(makeLogLines('2026-10', 7, 20))
    const to = join(lake.dir, 'out')
    const result = await exportTables(lake.app.change, { siteId: SITE, to, format: 'parquet' })
    expect(readdirSync(to).toSorted()).toEqual(NAMED_TABLES.map(({ name }) => `${name}.parquet`).toSorted())
    const database = await open(':memory:')
    for (const { table, file, rows } of result.tables) {
      expect(await database.rows(`SELECT count(*) AS rows FROM '${join(to, file)}'`), table).toEqual([{ rows }])
    }
    await expect(exportTables(lake.app.change, { siteId: SITE, to, format: 'csv' })).rejects.toThrow(/is there already/)
    expect(readdirSync(to)).toHaveLength(NAMED_TABLES.length)
  })

  test('keeps its files while others merge them and delete what was replaced', async () => {
    const lake = await makeLake()
    const to = join(lake.dir, 'out')
    let disturbance: Promise<unknown> | undefined
    const result = await exportTables(lake.app.change, {
      siteId: SITE,
      to,
      format: 'parquet',
      onProgress: ({ doneTables }) => {
        if (doneTables !== 1) return
        disturbance = compactLake(lake.app.change, { isThorough: true }).then(() =>
          collectGarbage(lake.app.change, { graceMs: 0 }),
        )
      },
    })
    await disturbance
    expect(result.tables.find(({ table }) => table === 'citations')?.rows).toBe(50)
    await collectGarbage(lake.app.change, { graceMs: 0 })
    const again = await exportTables(lake.app.change, { siteId: SITE, to: `${to}2`, format: 'parquet' })
    expect(again.tables.map(({ rows }) => rows)).toEqual(result.tables.map(({ rows }) => rows))
  })

  test('that is stopped or has no place leaves nothing behind', async () => {
    const lake = await makeLake()
    const stop = new AbortController()
    const to = join(lake.dir, 'out')
    const stopped = exportTables(lake.app.change, {
      siteId: SITE,
      to,
      format: 'csv',
      signal: stop.signal,
      onProgress: ({ doneTables }) => {
        if (doneTables === 4) stop.abort()
      },
    })
    await expect(stopped).rejects.toThrow(/abort/i)
    const nowhere = exportTables(lake.app.change, { siteId: SITE, to: '/proc/out', format: 'csv' })
    await expect(nowhere).rejects.toThrow(/\/proc\/out/)
    expect(existsSync(to)).toBe(false)
    expect(readdirSync(lake.dir).filter((name) => name.startsWith('out'))).toEqual([])
    await collectGarbage(lake.app.change, { graceMs: 0 })
  })
})
