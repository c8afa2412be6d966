import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asked, followQuestions, openApiRows, parseCurls, toKey } from './support/asked.ts'
import { describeInBrowser, settle, turnTo, type Visit } from './support/browser.ts'
import { type Reply, findFault } from './support/number-check.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'
import { keepCopies, readPage, type ShownNumber } from './support/shown-numbers.ts'
import { isWanted, listMisreadings, NUMBER_VIEWS, plainly, type Stated, stated, toUrl } from './support/stated.ts'

const NOW = Date.parse('2026-11-16T08:00:00.000Z')
const STATES = 50
const SEED = 20261122
const run = promisify(execFile)

describeInBrowser('the numbers of the pages are the API’s', () => {
  let demo: ShownDemo
  let rowsOf: ReturnType<typeof openApiRows>
  beforeAll(async () => {
    demo = await openShownDemo()
    rowsOf = openApiRows(demo)
  })
  afterAll(() => demo?.close())

  interface Read {
    readonly visit: Visit
    readonly asked: ReadonlyMap<string, Asked>
  }

  /** A page on which nothing was asked yet. */
  async function open(): Promise<Read> {
    const visit = await demo.visit({ nowMs: NOW })
    await keepCopies(visit.page)
    return { visit, asked: followQuestions(visit.page) }
  }

  async function turn({ visit: { page } }: Read, state: Stated): Promise<void> {
    await turnTo(page, toUrl(state))
    await settle(page)
  }

  /** What is wrong with the page that should show a state, and how many numbers were held against the API. */
  async function check({ visit: { page }, asked }: Read, state: Stated) {
    const { panels, figures, tables } = await readPage(page)
    const faults: string[] = (await page.getByText('has a fault').count()) > 0 ? ['the view broke'] : []
    const reply = async (questions: readonly Asked[]): Promise<Reply[]> =>
      Promise.all(
        questions.map(async (question) => ({
          question,
          rows: (await rowsOf(question)).filter((row) => isWanted(state, question, row)),
        })),
      )
    const byPanel: Reply[][] = []
    for (const { title, curl } of panels) {
      const questions = parseCurls(curl, demo.url)
      for (const question of questions) {
        if (!asked.has(toKey(question))) faults.push(`${title}: copies a question that the page did not ask: ${curl}`)
        for (const wrong of listMisreadings(state, question)) faults.push(`${title}: ${wrong}`)
      }
      byPanel.push(await reply(questions))
    }
    const outside = await reply([...asked.values()].filter(({ path }) => path.startsWith('/reports/')))
    for (const shown of [...figures, ...tables]) {
      const fault = findFault(shown, byPanel[shown.panel] ?? outside)
      if (fault !== undefined) faults.push(describeShown(shown, panels[shown.panel]?.title, fault))
    }
    return { faults: [...new Set(faults)], numbers: figures.length + tables.length }
  }

  test.each(NUMBER_VIEWS)('%s', async (view) => {
    const read = await open()
    await using _ = read.visit
    await turn(read, plainly(view))
    const { faults, numbers } = await check(read, plainly(view))
    expect(faults).toEqual([])
    expect(numbers).toBeGreaterThan(view === 'answers' ? 1 : 20)
  })

  test(`${STATES} states that a URL can have`, { timeout: 600_000 }, async () => {
    const read = await open()
    await using _ = read.visit
    let total = 0
    await fc.assert(
      fc.asyncProperty(stated, async (state) => {
        await turn(read, state)
        const { faults, numbers } = await check(read, state)
        total += numbers
        expect([toUrl(state), faults]).toEqual([toUrl(state), []])
      }),
      { numRuns: STATES, seed: SEED, endOnFailure: true },
    )
    expect(total).toBeGreaterThan(STATES * 50)
  })

  test.each(['overview', 'competitors', 'sources', 'crawlers'] as const)(
    '%s: copied commands and files hold every row',
    async (view) => {
      const read = await open()
      await using _ = read.visit
      const { page } = read.visit
      await turn(read, plainly(view))
      const { panels } = await readPage(page)
      let rows = 0
      for (const { title, curl } of panels) {
        for (const [index, line] of curl.split('\n').filter(Boolean).entries()) {
          const [question] = parseCurls(line, demo.url)
          const all = await rowsOf(question!)
          const given = await runCommand(line, demo.key)
          if (question?.body?.['limit'] === 1) expect(given.total, `${title}: ${line}`).toBe(all.length)
          else expect(given.rows, `${title}: ${line}`).toEqual(all)
          rows += given.rows.length
          if (index > 0) continue
          const panel = page.locator('.panel', { has: page.getByRole('heading', { name: title, exact: true }) })
          expect((await saveCsv(page, panel)).rows, title).toHaveLength(all.length)
        }
      }
      expect(rows).toBeGreaterThan(50)
    },
  )

  test('a file of answers that the page chose holds these alone, under a name of its own', async () => {
    const read = await open()
    await using _ = read.visit
    const { page } = read.visit
    await turnTo(page, '/sites/fernwick.example/answers?tone=negative')
    await settle(page)
    const panel = page.locator('.reader-list .panel')
    const said = (await panel.locator('.sentence').textContent()) ?? ''
    const { name, rows } = await saveCsv(page, panel)
    expect(name).toBe('fernwick.example-answers-2026-10-19-2026-11-15-answers.csv')
    expect(new Set(rows.map(({ sentiment }) => sentiment))).toEqual(new Set(['negative']))
    expect(said).toContain(`${rows.length} `)
  })

  test('cards say what the API’s cards say', async () => {
    const read = await open()
    await using _ = read.visit
    await turnTo(read.visit.page, `/sites/fernwick.example/actions`)
    await settle(read.visit.page)
    const cards = await rowsOf({ method: 'GET', path: `/sites/${demo.siteId}/actions?status=open`, body: undefined })
    for (const { id, title, why } of cards) {
      const shown = read.visit.page.locator(`.card[data-key="${String(id)}"]`)
      expect(await shown.textContent()).toContain(title)
      expect(await shown.textContent()).toContain(why)
    }
    expect(cards.length).toBeGreaterThan(3)
  })

  const WRONG: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'an answer that is altered on its way': (page) =>
      page.route('**/ui/v1/reports/visibility', async (route) => {
        const response = await route.fetch()
        const text = await response.text()
        await route.fulfill({ response, body: text.replaceAll(/"mention_rate":0\.(\d)/g, '"mention_rate":0.0$1') })
      }),
    'a question for other days than those of the URL': (page) =>
      page.route('**/ui/v1/reports/visibility', (route) =>
        route.continue({ postData: (route.request().postData() ?? '').replace('"2026-10-19"', '"2026-10-20"') }),
      ),
    'a text that says another number than its value': async (page) => {
      await turnTo(page, toUrl(plainly('overview')))
      await settle(page)
      await page.evaluate(`document.querySelector('.tile .headline').textContent = '99%'`)
    },
    'a value that nobody gave': async (page) => {
      await turnTo(page, toUrl(plainly('overview')))
      await settle(page)
      await page.evaluate(`{
        const headline = document.querySelector('.tile .headline')
        headline.dataset.value = '0.99'
        headline.textContent = '99%'
      }`)
    },
    'counts below a share that are those of another row': async (page) => {
      await turnTo(page, toUrl(plainly('overview')))
      await settle(page)
      await page.evaluate(`document.querySelector('.rate .basis').textContent = '1 of 3'`)
    },
  }

  test.each(Object.entries(WRONG))('finds out %s', async (_name, spoil) => {
    const read = await open()
    await using _ = read.visit
    await spoil(read.visit.page)
    if (read.visit.page.url() === 'about:blank') await turn(read, plainly('overview'))
    expect((await check(read, plainly('overview'))).faults).not.toEqual([])
  })

  test('finds out a page that forgets what its URL says', async () => {
    const read = await open()
    await using _ = read.visit
    await turn(read, plainly('overview'))
    const missing: readonly Partial<Stated>[] = [
      { engine: ['chatgpt'] },
      { category: ['Pricing'] },
      { from: '2026-11-01' },
      { to: '2026-11-10' },
      { compare: 'none' },
    ]
    for (const said of missing) {
      const { faults } = await check(read, { ...plainly('overview'), ...said })
      expect([said, faults.length > 0]).toEqual([said, true])
    }
  })
})

const describeShown = ({ metric, keys, head, text }: ShownNumber, panel: string | undefined, fault: string): string =>
  [panel ?? 'outside of panels', metric ?? '', [...keys, head].join(' '), text.trim().slice(0, 60), fault].join(' | ')

/** What the CSV of a panel holds, and what it is called. */
async function saveCsv(page: Page, panel: Locator) {
  const [file] = await Promise.all([page.waitForEvent('download'), panel.getByRole('button', { name: 'CSV' }).click()])
  const csv = Buffer.concat(await (await file.createReadStream()).toArray()).toString()
  return { name: file.suggestedFilename(), rows: parse<Record<string, string>>(csv, { columns: true }) }
}

/** What a copied command prints: the rows of a list, a thing, or a report's first page with the number of all. */
async function runCommand(line: string, key: string): Promise<{ rows: readonly unknown[]; total: unknown }> {
  const { stdout } = await run('bash', ['-c', line], { env: { ...process.env, KEY: key }, maxBuffer: 2 ** 26 })
  if (line.includes('x-ndjson')) {
    const rows = stdout.split('\n').filter(Boolean)
    return { rows: rows.map((row) => JSON.parse(row) as unknown), total: rows.length }
  }
  const { info, data } = JSON.parse(stdout) as { info?: { total_results?: number }; data: unknown }
  return { rows: Array.isArray(data) ? data : [data], total: info?.total_results }
}
