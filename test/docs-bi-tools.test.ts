import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportTables } from '../src/named-tables/export.ts'
import { EXPORT_FORMATS } from '../src/named-tables/formats.ts'
import { type DemoService, openDemoService } from './http/support/demo-service.ts'
import { type Database, openDatabase } from './named-tables/support/database.ts'

const readPage = (name: string): string => readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')
const RANGE = { start_date: '2026-10-19', end_date: '2026-11-15' }

let service: DemoService
let dir: string
const databases: Record<string, Database> = {}

beforeAll(async () => {
  service = await openDemoService()
  dir = mkdtempSync(join(tmpdir(), 'answerlake-bi-tools-'))
  for (const format of EXPORT_FORMATS) {
    await exportTables(service.app.change, { siteId: service.siteId, to: join(dir, format), format })
    databases[format] = await openDatabase(':memory:')
  }
}, 120_000)
afterAll(async () => {
  for (const database of Object.values(databases)) database.close()
  await service.close()
  rmSync(dir, { recursive: true })
})

describe('docs/grafana.md', () => {
  /** What the plugin sends of itself. */
  const ACCEPT: Record<string, string> = {
    JSON: 'application/json;q=0.9,text/plain',
    CSV: 'text/csv; charset=utf-8',
  }
  const PANEL =
    /^### (.+)\n\n.*Type (JSON|CSV), format (Time series|Table)\. `POST (\S+)`\n\n```json\n((?:(?!```).*\n)+)```\n\n((?:\|.*\n)+)/gm
  const panels = [...readPage('grafana.md').matchAll(PANEL)].map(
    ([, title = '', type = '', format = '', path = '', body = '', table = '']) => ({
      title,
      type,
      format,
      path,
      body: body
        .replaceAll('${__timeFrom:date:YYYY-MM-DD}', RANGE.start_date)
        .replaceAll('${__timeTo:date:YYYY-MM-DD}', RANGE.end_date),
      columns: [...table.matchAll(/^\| `(\S+)` \| .+ \| (\w+) \|$/gm)].map(([, selector = '', kind = '']) => ({
        selector,
        kind,
      })),
    }),
  )

  it('has seven panels', () => expect(panels).toHaveLength(7))

  it.each(panels.map((panel) => [panel.title, panel] as const))('%s', async (_title, panel) => {
    const { type, format, path, columns } = panel
    const headers = { accept: ACCEPT[type]!, 'accept-encoding': 'gzip' }
    const answer = await service.send({ method: 'POST', path, key: service.key, headers, body: panel.body })
    expect(answer.status, answer.text).toBe(200)
    const names = columns.map(({ selector }) => selector)
    let cells: unknown[][]
    if (type === 'CSV') {
      const [head = '', ...lines] = answer.text.trimEnd().split('\r\n')
      expect(names).toEqual(head.split(','))
      cells = lines.map((line) => line.split(',').map((cell) => toCell(cell)))
      expect(String(cells.length)).toBe(answer.headers['x-total-results'])
    } else {
      cells = answer.body.data.map((row: unknown) => names.map((name) => readField(row, name)))
      expect(answer.body.info.next_cursor, 'a page that is not all').toBeNull()
    }
    expect(cells.length).toBeGreaterThan(1)
    for (const [index, { selector, kind }] of columns.entries()) {
      const values = cells.map((row) => row[index])
      if (kind === 'Number') expect(values.every(isNumberOrNull), selector).toBe(true)
      else if (kind === 'Time') expect(values.every(isDay), selector).toBe(true)
      else expect(new Set(values.map((value) => typeof value)), selector).toEqual(new Set(['string']))
      expect(
        values.some((value) => value !== null),
        selector,
      ).toBe(true)
    }
    const times = columns.flatMap(({ kind }, index) => (kind === 'Time' ? [index] : []))
    expect(times.length).toBe(format === 'Time series' ? 1 : 0)
    const days = times.flatMap((index) => cells.map((row) => String(row[index])))
    expect(days).toEqual(days.toSorted())
  })

  it('checks the health where only a good key gets 200', async () => {
    expect(readPage('grafana.md')).toContain('http://127.0.0.1:8080/v1/me')
    expect((await service.send({ path: '/v1/me', key: service.key })).status).toBe(200)
    expect((await service.send({ path: '/v1/me', key: 'alk_wrong' })).status).toBe(401)
  })

  const toCell = (cell: string): unknown =>
    cell === '' ? null : /^-?[\d.]+(e-?\d+)?$/.test(cell) ? Number(cell) : cell
  const isNumberOrNull = (value: unknown): boolean => value === null || typeof value === 'number'
  const isDay = (value: unknown): boolean => /^\d{4}-\d\d-\d\d$/.test(String(value))
})

describe('docs/metabase.md', () => {
  const page = readPage('metabase.md')
  const blocks = [...page.matchAll(/^ *```sql\n(.*?)```/gms)].map(([, sql = '']) => sql)
  const [views = '', tables = '', load = ''] = blocks
  const QUESTION =
    /^### (.+)\n\n.*\n\n```sql\n((?:(?!```).*\n)+)```\n\nThe same by the API: `POST (\S+)` with `(.+)`\.$/gm
  const questions = [...page.matchAll(QUESTION)].map(([, title = '', sql = '', path = '', body = '']) => ({
    title,
    path,
    body,
    sql: sql.replaceAll('{{start}}', `DATE '${RANGE.start_date}'`).replaceAll('{{end}}', `DATE '${RANGE.end_date}'`),
  }))

  beforeAll(async () => {
    const { parquet, csv } = databases
    await parquet!.run('SET old_implicit_casting = true')
    for (let connection = 0; connection < 2; connection++)
      await parquet!.run(views.replaceAll('/srv/exports/acme', join(dir, 'parquet')))
    await csv!.run(tables)
    const statements = load
      .replaceAll('/srv/exports/acme-csv', join(dir, 'csv'))
      .replaceAll(/\\copy (.*)$/gm, 'COPY $1;')
    for (let day = 0; day < 2; day++) await csv!.run(statements)
  })

  it('has all tables as views, and a question for each block of SQL behind the first three', () => {
    expect(views.match(/CREATE OR REPLACE VIEW/g)).toHaveLength(10)
    expect(questions).toHaveLength(6)
    expect(blocks).toHaveLength(3 + questions.length)
  })

  describe.each(EXPORT_FORMATS)('over %s', (format) => {
    it.each(questions.map((question) => [question.title, question] as const))('%s', async (_title, question) => {
      const rows = await databases[format]!.rows(question.sql)
      const body = { site_id: service.siteId, ...RANGE, ...JSON.parse(question.body) }
      const headers = { accept: 'application/x-ndjson' }
      const answer = await service.send({ method: 'POST', path: question.path, key: service.key, headers, body })
      expect(answer.status, answer.text).toBe(200)
      const answered = answer.text.trimEnd().split('\n')
      expect(answered.length).toBeGreaterThan(1)
      const names = Object.keys(rows[0] ?? {})
      expect(names.length).toBeGreaterThan(1)
      const expected = answered.map((line) => {
        const row: unknown = JSON.parse(line)
        return Object.fromEntries(names.map((name) => [name, readField(row, name === 'brand' ? 'brand.name' : name)]))
      })
      const inOrder = (all: readonly Record<string, unknown>[]) =>
        all.map((row) => names.map((name) => row[name])).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      expect(inOrder(rows)).toEqual(inOrder(expected).map((row) => row.map(toClose)))
    })
  })

  /** The texts of a row: no two rows share them. */
  const keyOf = (cells: readonly unknown[]): string => cells.filter((cell) => typeof cell === 'string').join('\n')
  const toClose = (value: unknown): unknown => (typeof value === 'number' ? expect.closeTo(value, 9) : value)
})

function readField(row: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, name) => (value as Record<string, unknown>)[name], row)
}
