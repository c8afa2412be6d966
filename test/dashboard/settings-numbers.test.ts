import { basename } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LakeState } from '../../src/http/dashboard/operations/get-lake.ts'
import { run } from '../cli/support/run.ts'
import { describeInBrowser, settle, turnTo } from './support/browser.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'
import { listBareNumbers, readValues } from './support/values.ts'
import { writeBytes, writeCount, writeDay, writeMoment } from './support/written-values.ts'

const NOW = Date.parse('2026-11-16T08:00:00.000Z')
const clock = { now: () => NOW }
/** More than a page of the audit log. */
const KEYS = 52

/** A row of `/ui/v1` or of the command line. */
// oxlint-disable-next-line typescript/no-explicit-any
type Row = Readonly<Record<string, any>>
type Cells = readonly string[]

describeInBrowser('the numbers of the settings', () => {
  let demo: ShownDemo
  beforeAll(async () => {
    demo = await openShownDemo()
    await runLine('users', 'invite', '--role', 'member', 'ben@fernwick.example')
    await runLine('users', 'invite', '--role', 'owner', 'eve@fernwick.example')
    await runLine('users', 'revoke', 'eve@fernwick.example')
    for (let key = 0; key < KEYS; key++) await runLine('keys', 'create', '--name', `key ${key}`, '--expires', '90')
    await runLine('keys', 'revoke', demo.app.catalog.keys.list().at(-1)!.id)
    await demo.send({ path: '/v1/sites', key: demo.key })
    const session = { address: '192.0.2.7', client: 'Mozilla/5.0 (X11; Linux) Firefox/140.0', isConfirmed: false }
    demo.app.catalog.sessions.open(demo.userId, session)
  })
  afterAll(() => demo?.close())

  async function runLine(...words: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await run([...words, '--data-dir', demo.dataDir], { clock })
    expect([status, stderr.includes('error')]).toEqual([0, false])
    return stdout
  }
  const runJson = async (...words: readonly string[]) => JSON.parse(await runLine(...words, '--json'))

  async function open(part: string) {
    const visit = await demo.visit({ nowMs: NOW })
    await turnTo(visit.page, `/settings/${part}`)
    await settle(visit.page)
    return visit
  }

  /** Past the page and what a test does to its requests. */
  async function ask(page: Page, path: string) {
    const cookies = await page.context().cookies(demo.url.replace('http:', 'https:'))
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const { data } = (await (await fetch(`${demo.url}/ui/v1${path}`, { headers: { cookie } })).json()) as Row
    return data
  }

  test('members', async () => {
    await using visit = await open('members')
    const rows: readonly Row[] = await ask(visit.page, '/members')
    const cells = rows.map(({ id, mail, role, status, created_at, last_sign_in_at }) => [
      id === demo.userId ? `${mail}, you` : mail,
      role,
      status,
      writeDay(created_at),
      last_sign_in_at === null ? 'never' : writeMoment(last_sign_in_at),
    ])
    expect(await readCells(visit.page, 'Members', 5)).toEqual(cells)
    expect(rows.map(({ status }) => status).toSorted()).toEqual(['active', 'invited', 'revoked'])
    expectSameRows(rows, (await runJson('users', 'list')).data)
  })

  test('keys', async () => {
    await using visit = await open('access')
    const { page } = visit
    const rows: readonly Row[] = await ask(page, '/keys')
    const cells = rows.map(({ id, name, permission, status, created_at, creator, expires_at, last_used_at }) => [
      `${name} ${id}`,
      permission === 'write' ? 'read, change prompts' : 'read',
      status,
      `${writeDay(created_at)} ${creator}`,
      writeDay(expires_at),
      last_used_at === null ? 'never' : writeMoment(last_used_at),
    ])
    const shown = [...(await readCells(page, 'API keys', 6))]
    const pages = page.getByRole('navigation', { name: 'Pages: API keys' })
    while (await pages.getByRole('button', { name: 'Next' }).isEnabled()) {
      const turnedFrom = await pages.innerText()
      await pages.getByRole('button', { name: 'Next' }).click()
      await expect.poll(() => pages.innerText()).not.toBe(turnedFrom)
      shown.push(...(await readCells(page, 'API keys', 6)))
    }
    expect(shown.toSorted(byText)).toEqual(cells.toSorted(byText))
    expect(await pages.innerText()).toContain(`of ${KEYS + 1}`)
    expectSameRows(rows, (await runJson('keys', 'list')).data)
  })

  test('sessions', async () => {
    await using visit = await open('account')
    const rows: readonly Row[] = await ask(visit.page, '/sessions')
    const shown = await readCells(visit.page, 'Your sessions', 4)
    const moments = rows.map(({ created_at, last_used_at, expires_at }) =>
      [created_at, last_used_at, expires_at].map(writeMoment),
    )
    expect(shown.map((cells) => cells.slice(1)).toSorted(byText)).toEqual(moments.toSorted(byText))
    expect(shown.filter(([browserName = '']) => browserName.includes('this one'))).toHaveLength(1)
    expect(shown.some(([browserName = '']) => browserName === 'Firefox on Linux 192.0.2.7')).toBe(true)
  })

  test('imports', async () => {
    await using visit = await open('data')
    const rows: readonly Row[] = await ask(visit.page, `/sites/${demo.siteId}/imports`)
    const shown = (await readValues(visit.page)).filter(({ where }) => where === 'Imports')
    const counts = rows.flatMap(({ id, counts: of }) =>
      Object.entries(of as Readonly<Record<string, number>>).flatMap(([metric, count]) =>
        count === 0 ? [] : [[id, metric, count, writeCount(count)]],
      ),
    )
    expect(shown.map(({ key, metric, value, text }) => [key, metric, value, text])).toEqual(counts)
    expect(counts.length).toBeGreaterThan(5)
    const cells = await readCells(visit.page, 'Imports and deletions, newest first', 5)
    expect(cells.map(([when, , , by, id]) => [when, by, id])).toEqual(
      rows.map(({ created_at, actor, id }) => [writeMoment(created_at), actor, id]),
    )
    const printed: readonly Row[] = (await runJson('import', 'list', '--all', '--site', demo.siteId)).data
    expectSameRows(
      rows,
      printed.map((row) => ({ ...row, files: row['files'].map((file: string) => basename(file)) })),
    )
  })

  test('storage and retention', async () => {
    await using visit = await open('data')
    const { page } = visit
    const lake: LakeState = await ask(page, '/lake')
    expect(await listStorageFaults(page, lake)).toEqual([])
    const kept = await readCells(page, 'How long data are kept', 3)
    expect(kept.map((cells) => cells.slice(1))).toEqual(lake.retention.map(() => ['for good', 'the beginning']))
    const days = ['16 Nov, 08:00', 'the last 200', ...lake.retention.map(({ setting }) => setting)]
    const ids: readonly Row[] = await ask(page, `/sites/${demo.siteId}/imports`)
    expect(await listBareNumbers(page, [...days, ...ids.map(({ id }) => String(id))])).toEqual([])
    const { snapshot, files, rows, bytes, sites, retention } = await runJson('lake', 'status')
    expect({ snapshot, files, rows, bytes, retention }).toEqual({ ...lake, sites: undefined })
    expect(sites).toMatchObject(lake.sites)
  })

  test('a retention that is set', async () => {
    await using visit = await open('account')
    const { page } = visit
    await page.route('**/ui/v1/lake', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('"period":"keep"', '"period":"24mo"')
      await route.fulfill({ response, body: text.replaceAll('"first_day":null', '"first_day":"2024-11-16"') })
    })
    await turnTo(page, '/settings/data')
    await settle(page)
    const kept = await readCells(page, 'How long data are kept', 3)
    expect(kept.map((cells) => cells.slice(1))).toEqual(Array.from({ length: 3 }, () => ['24 months', '16 Nov 2024']))
  })

  test('audit', async () => {
    await using visit = await open('audit')
    const { page } = visit
    const printed: readonly Row[] = (await runJson('audit', '--limit', '1000')).data
    const rows: readonly Row[] = await ask(page, '/audit?limit=100')
    expect(rows.length).toBeGreaterThan(50)
    expectSameRows(rows, printed)
    const shown = [...(await readCells(page, 'Changes, newest first', 4))]
    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(async () => (await readCells(page, 'Changes, newest first', 4)).length).toBe(rows.length - 50)
    shown.push(...(await readCells(page, 'Changes, newest first', 4)))
    expect(shown.map(([when, who, , of]) => [when, who, of])).toEqual(
      rows.map(({ at, actor, subject }) => [writeMoment(at), actor, subject]),
    )
  })

  const WRONG: Readonly<Record<string, (text: string) => string>> = {
    'files and rows that changed places': (text) =>
      text.replaceAll(/"(files|rows)":/g, (_all, name) => (name === 'files' ? '"rows":' : '"files":')),
    'one file more': (text) => text.replace(/"files":(\d+)/, (_all, files) => `"files":${Number(files) + 1}`),
    'a data set that is left out': (text) => text.replace(/\{"dataset":"answers"[^}]*\},/, ''),
  }

  test.each(Object.entries(WRONG))('finds out %s', async (_name, spoil) => {
    await using visit = await open('account')
    const { page } = visit
    await page.route('**/ui/v1/lake', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: spoil(await response.text()) })
    })
    await turnTo(page, '/settings/data')
    await settle(page)
    expect(await listStorageFaults(page, await ask(page, '/lake'))).not.toEqual([])
  })
})

/** The first cells of each row of a table, as they are read. */
async function readCells(page: Page, caption: string, cells: number): Promise<readonly Cells[]> {
  const rows = await page.evaluate<readonly Cells[]>(`{
    const table = [...document.querySelectorAll('table')].find((one) => one.caption.textContent === ${JSON.stringify(caption)})
    ;[...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText))
  }`)
  return rows.map((row) => row.slice(0, cells).map((text) => text.replaceAll(/\s+/g, ' ').trim()))
}

/** What is shown of the storage that isn't so, and what isn't shown. */
async function listStorageFaults(page: Page, { sites, ...lake }: LakeState): Promise<readonly string[]> {
  const shown = (await readValues(page)).filter(({ where }) => where === 'What is stored')
  const countOf = (count: number, one: string): string => `${writeCount(count)} ${one}${count === 1 ? '' : 's'}`
  const expected = [
    ['', '', 'rows', lake.rows, countOf(lake.rows, 'row')],
    ['', '', 'files', lake.files, countOf(lake.files, 'file')],
    ['', '', 'bytes', lake.bytes, writeBytes(lake.bytes)],
    ['', '', 'snapshot', lake.snapshot, String(lake.snapshot)],
    ...sites.flatMap(({ site_id, datasets }) =>
      datasets.flatMap(({ dataset, rows, files, bytes }) => [
        [`${site_id} ${dataset}`, 'Rows', 'rows', rows, writeCount(rows)],
        [`${site_id} ${dataset}`, 'Files', 'files', files, writeCount(files)],
        [`${site_id} ${dataset}`, 'Size', 'bytes', bytes, writeBytes(bytes)],
      ]),
    ),
  ].map((line) => line.join(' | '))
  const read = shown.map(({ key, label, metric, value, text }) => [key, label, metric, value, text].join(' | '))
  return [...read.filter((line) => !expected.includes(line)), ...expected.filter((line) => !read.includes(line))]
}

/** The rows of `/ui/v1` are those that the command line prints, which may say more of them. */
function expectSameRows(rows: readonly Row[], printed: readonly Row[]): void {
  const byId = (one: Row, other: Row): number => (String(one['id']) < String(other['id']) ? -1 : 1)
  expect(printed.toSorted(byId)).toMatchObject(rows.toSorted(byId))
  expect(printed).toHaveLength(rows.length)
}

const byText = (one: Cells, other: Cells): number => (one.join() < other.join() ? -1 : 1)
