import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportTables } from '../../src/named-tables/export.ts'
import { EXPORT_FORMATS } from '../../src/named-tables/formats.ts'
import { NAMED_TABLES } from '../../src/named-tables/tables.ts'
import { writeViewDatabase } from '../../src/named-tables/view-database.ts'
import { toViews } from '../../src/named-tables/views.ts'
import { type DemoService, openDemoService } from '../http/support/demo-service.ts'
import { expectGolden } from '../support/golden.ts'
import { type Database, openDatabase } from './support/database.ts'
import { QUESTIONS, RANGE, type Question } from './support/questions.ts'
import { renderSqlPage } from './support/sql-page.ts'

let service: DemoService
let dir: string
const databases: Record<string, Database> = {}

beforeAll(async () => {
  service = await openDemoService()
  dir = mkdtempSync(join(tmpdir(), 'answerlake-named-tables-'))
  const { catalog, change } = service.app
  const { siteId } = service
  const file = join(dir, 'views.duckdb')
  await writeViewDatabase(file, toViews(catalog, change.lakeDir, { siteId }))
  databases['views'] = await openDatabase(file)
  for (const format of EXPORT_FORMATS) {
    await exportTables(change, { siteId, to: join(dir, format), format })
    const database = await openDatabase(':memory:')
    for (const { name } of NAMED_TABLES)
      await database.run(`CREATE VIEW ${name} AS FROM '${join(dir, format, `${name}.${format}`)}'`)
    databases[format] = database
  }
})
afterAll(async () => {
  for (const database of Object.values(databases)) database.close()
  await service.close()
  rmSync(dir, { recursive: true })
})

async function ask({ path, body, fields }: Question): Promise<Record<string, unknown>[]> {
  const request = { site_id: service.siteId, ...RANGE, ...body }
  const answer = await service.send({ method: 'POST', path, key: service.key, body: request })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.map((row: unknown) =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, readField(row, field)])),
  )
}

describe.each(['views', 'parquet', 'csv'])('SQL over %s', (source) => {
  it.each(QUESTIONS.map((question) => [question.title, question] as const))(
    'gives what the API gives: %s',
    async (_title, question) => {
      const rows = await databases[source]!.rows(question.sql)
      const expected = await ask(question)
      expect(expected.length).toBeGreaterThan(0)
      const close = (row: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'number' ? expect.closeTo(value, 9) : value,
          ]),
        )
      const order = (all: readonly Record<string, unknown>[]) =>
        all.toSorted((a, b) => (String(Object.values(a)[0]) < String(Object.values(b)[0]) ? -1 : 1))
      expect(order(rows)).toEqual(order(expected).map(close))
    },
  )
})

it('docs/sql.md is what the program says and does over the demo', async () => {
  const answered = []
  for (const question of QUESTIONS) answered.push({ question, rows: await databases['views']!.rows(question.sql) })
  expectGolden('docs/sql.md', renderSqlPage(answered))
})

function readField(row: unknown, field: string): unknown {
  return field.split('.').reduce((value: unknown, name) => (value as Record<string, unknown>)[name], row)
}
