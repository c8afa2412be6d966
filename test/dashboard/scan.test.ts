import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import type { ScanLook, ScanReply } from '../../src/http/dashboard/operations/get-scan.ts'
import { startServer } from '../../src/http/server.ts'
import { run } from '../cli/support/run.ts'
import type { Script } from '../collect/engines/script.ts'
import { secretEnvironment } from '../collect/engines/secrets.ts'
import { setUpScan } from '../collect/support/scan-stage.ts'
import { addUser, describeInBrowser, findViolations, openBrowser, openVisit, settle } from './support/browser.ts'
import { listRunFaults, listScanFaults } from './support/scan-numbers.ts'

let browser: Browser

/** A server over a site with three prompts that can be scanned for real money of the test engines. */
async function openStage(script: Script, config: object = {}) {
  const targets = [
    { engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' },
    { engine: 'perplexity', provider: 'perplexity', model: 'sonar' },
  ] as const
  const setup = { prompts: 3, targets: 'budget' in config ? targets : targets.slice(0, 1), samples: 1 }
  const stage = await setUpScan({ ...setup, concurrency: 1, usdDay: 5 }, script)
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const path = join(stage.data, 'scan.json')
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...config }))
  const settings = parseConfig({ dataDir: stage.data, environment: {} }, {}, '')
  const app = await openApp(settings, { mode: 'server', environment: secretEnvironment() })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const server = await startServer(app, { host: '127.0.0.1', port: 0, log: { write: () => {} } })
  onTestFinished(() => server.close())
  const { organizationId } = app.catalog.sites.get('acme')
  const bought = () => stage.engines.ledger.entries.filter((entry) => entry.bought).length
  const visit = async (role: 'owner' | 'member') => {
    const service = { app, url: server.url }
    const userId = await addUser(service, { organizationId, mail: `${role}@acme.com`, role })
    const opened = await openVisit(browser, service, { userId })
    await opened.page.goto('/sites/acme.com/scan')
    await settle(opened.page)
    return opened
  }
  return { app, engines: stage.engines, data: stage.data, bought, visit }
}

type Stage = Awaited<ReturnType<typeof openStage>>

async function scanOnce({ app }: Stage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unwatch = app.scans.watch(({ kind }) => kind === 'ended' && resolve())
  await app.scans.begin(app.catalog.sites.get('acme'))
  await promise
  unwatch()
}

/** Loads the page anew, and gives what the service says for the moment that it shows. */
async function reload(page: Page): Promise<ScanLook> {
  for (;;) {
    const before = await askScan(page)
    await page.reload()
    await settle(page)
    if (JSON.stringify(await askScan(page)) === JSON.stringify(before)) return before
  }
}

/** Past the page and what a test does to its requests. */
async function askScan(page: Page): Promise<ScanLook> {
  const { origin } = new URL(page.url())
  const cookies = await page.context().cookies(origin.replace('http:', 'https:'))
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const reply = await fetch(`${origin}/ui/v1/sites/acme/scan`, { headers: { cookie } })
  const { data } = (await reply.json()) as { readonly data: ScanReply }
  if (!data.configured) throw new Error(data.why)
  return data
}

/** What the command line prints of the same. */
async function runJson({ data }: Stage, ...words: readonly string[]) {
  const argv = ['scan', ...words, '--site', 'acme.com', '--json', '--data-dir', data]
  const { stdout } = await run(argv, { clock: systemClock, environment: secretEnvironment() })
  return JSON.parse(stdout)
}

async function expectSameAsPrinted(stage: Stage, { plan, targets, last, runs }: ScanLook): Promise<void> {
  const { open: _open, samples: _samples, cannot, ...planned } = plan
  const printed = await runJson(stage, 'plan')
  expect(printed).toMatchObject({ ...planned, cannot })
  expect(printed.targets.map((target: { id: string; calls: number }) => [target.id, target.calls])).toEqual(
    targets.map(({ id, planned_calls }) => [id, planned_calls]),
  )
  const [{ targets: outcomes, run: newest, date } = { targets: [], run: null, date: null }] = (
    await runJson(stage, 'status')
  ).data
  expect(outcomes).toEqual(last?.targets ?? [])
  const { date: day, ...first } = runs[0] ?? { date: null }
  expect([date, newest]).toEqual([last?.date ?? null, runs.length === 0 ? null : first])
  expect(day).toBe(date)
}

describeInBrowser('the scan view', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('says what a scan costs before it asks, follows it, and has its outcome', async () => {
    const { app, bought, visit } = await openStage({ latencyMs: 500 })
    await using opened = await visit('owner')
    const { page } = opened
    await page.getByRole('button', { name: 'Run now…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask the engines now?' })
    const looked = await app.scans.look(app.catalog.sites.get('acme'))
    const high = 'look' in looked ? looked.look.plan.open.cost_usd_high : 0
    expect(await dialog.innerText()).toContain('3 calls for acme.com')
    expect(await dialog.innerText()).toContain(`$${high.toFixed(2)}`)
    expect(await findViolations(page)).toEqual([])
    expect(bought()).toBe(0)
    await dialog.getByRole('button', { name: /^Ask now/ }).click()
    await page.getByText('A scan runs').waitFor()
    expect(await page.getByRole('button', { name: 'Run now…' }).count()).toBe(0)
    await page.getByText('3 of 3 made today').waitFor()
    await page.getByText('complete', { exact: true }).waitFor()
    expect(bought()).toBe(3)
    expect(await page.getByRole('button', { name: 'Run now…' }).isDisabled()).toBe(true)
  })

  test('asks again after a failure, keeps what it had when one look fails, and waits for slow replies', async () => {
    const { bought, visit } = await openStage({ latencyMs: 2_500 })
    await using opened = await visit('owner')
    opened.allow(/net::ERR_FAILED/)
    const { page } = opened
    const alert = page.locator('main').getByRole('alert')
    let look = 0
    const failing = new Set([1])
    await page.route('**/ui/v1/sites/*/scan', async (route) => {
      look += 1
      if (failing.has(look)) return route.abort()
      // Slower than the view asks again.
      if (look > 2) await setTimeout(3_500)
      await route.continue()
    })
    await page.reload()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('0 of 3 made today').waitFor()
    failing.add(4)
    await page.getByRole('button', { name: 'Run now…' }).click()
    await page.getByRole('button', { name: /^Ask now/ }).click()
    await page.getByText('3 of 3 made today').waitFor()
    await page.getByText('complete', { exact: true }).waitFor()
    expect(await alert.count()).toBe(0)
    expect(look).toBeGreaterThanOrEqual(5)
    expect(bought()).toBe(3)
  })

  test('shows a member the plan, and no way to spend money', async () => {
    const { visit } = await openStage({})
    await using opened = await visit('member')
    await opened.page.getByText('0 of 3 made today').waitFor()
    expect(await opened.page.getByRole('button', { name: /run now/i }).count()).toBe(0)
    expect(await findViolations(opened.page)).toEqual([])
  })

  const BUDGET = { usd_day: 5, usd_month: 60, targets: { perplexity: { usd_day: 0.03 } } }
  const SCHEDULES = [{ site: 'acme', cron: '0 6 * * *', zone: 'UTC' }]

  test('shows the service’s numbers before a scan, after failures, and after two scans', async () => {
    const failing = { rules: [{ provider: 'openai', question: 'tool 1', act: { do: 'refuse', status: 400 } }] } as const
    const stage = await openStage(failing, { budget: BUDGET, schedules: SCHEDULES })
    await using opened = await stage.visit('owner')
    const { page } = opened
    const expectSame = async (): Promise<ScanLook> => {
      const look = await reload(page)
      expect(await listScanFaults(page, look)).toEqual([])
      await expectSameAsPrinted(stage, look)
      await page.getByRole('button', { name: 'Run now…' }).click()
      expect(await listRunFaults(page, look)).toEqual([])
      return look
    }
    expect(await expectSame()).toMatchObject({ plan: { made: 0, calls: 6 }, runs: [], last: null })
    await scanOnce(stage)
    const failed = await expectSame()
    expect(failed.last?.targets.flatMap(({ reasons }) => reasons.map(({ status }) => status)).toSorted()).toEqual([
      'failed',
      'skipped_budget',
    ])
    stage.engines.script = {}
    await scanOnce(stage)
    expect(await expectSame()).toMatchObject({ runs: [{ status: 'partial' }, { status: 'partial' }] })
  })

  const WRONG: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'a budget without what is reserved': (page) =>
      alter(page, (text) => {
        const { data } = JSON.parse(text) as { readonly data: ScanLook }
        const [reserved = 0] = (data.last?.targets ?? []).map((target) => target.reserved_usd)
        const { budget } = data.plan
        const spent_usd_day = (budget?.spent_usd_day ?? 0) - reserved
        return JSON.stringify({ data: { ...data, plan: { ...data.plan, budget: { ...budget, spent_usd_day } } } })
      }),
    'counts under the heads of others': (page) =>
      alter(page, (text) =>
        text.replaceAll(/"(asked|failed)":/g, (_all, name) => (name === 'asked' ? '"failed":' : '"asked":')),
      ),
    'a cost that is rounded down': (page) =>
      page.evaluate(`for (const value of document.querySelectorAll('[data-metric$=_high]')) {
        value.textContent = value.textContent.replace(/\\d(?=\\D*$)/, (digit) => Math.max(0, digit - 1))
      }`),
    'a number that has no value': (page) =>
      page.evaluate(`document.querySelector('section.panel p.sentence').append('7 calls')`),
  }

  async function alter(page: Page, change: (text: string) => string): Promise<void> {
    await page.route('**/ui/v1/sites/*/scan', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: change(await response.text()) })
    })
    await page.reload()
    await settle(page)
  }

  test('shows the service’s numbers while a scan runs, and finds out wrong ones', async () => {
    const silent = { rules: [{ provider: 'openai', act: { do: 'silence', bought: false } }] } as const
    const stage = await openStage(silent, { budget: BUDGET })
    await using opened = await stage.visit('owner')
    const { page } = opened
    await stage.app.scans.begin(stage.app.catalog.sites.get('acme'))
    await expect.poll(async () => (await askScan(page)).last?.targets[0]?.asked).toBe(1)
    const look = await reload(page)
    expect(look.last?.targets[0]?.reserved_usd).toBeGreaterThan(0)
    expect(await listScanFaults(page, look)).toEqual([])
    await expectSameAsPrinted(stage, look)
    for (const [name, spoil] of Object.entries(WRONG)) {
      await spoil(page)
      expect([name, (await listScanFaults(page, look)).length > 0]).toEqual([name, true])
      await page.unrouteAll()
      expect(await reload(page)).toEqual(look)
      expect([name, await listScanFaults(page, look)]).toEqual([name, []])
    }
    await stage.app.scans.stop(100)
    const stopped = await reload(page)
    expect(stopped).toMatchObject({ running: null, last: { targets: [{ uncertain: 1 }, {}] } })
    expect(await listScanFaults(page, stopped)).toEqual([])
  })
})
