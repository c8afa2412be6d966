import { setTimeout } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import { startServer } from '../../src/http/server.ts'
import { secretEnvironment } from '../collect/engines/secrets.ts'
import { setUpScan } from '../collect/support/scan-stage.ts'
import { addUser, describeInBrowser, findViolations, openBrowser, openVisit, settle } from './support/browser.ts'

let browser: Browser

/** A server over a site with three prompts that can be scanned for real money of the test engines. */
async function openStage(latencyMs: number) {
  const target = { engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' } as const
  const setup = { prompts: 3, targets: [target], samples: 1, concurrency: 1, usdDay: 5 }
  const stage = await setUpScan(setup, { latencyMs })
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const config = parseConfig({ dataDir: stage.data, environment: {} }, {}, '')
  const app = await openApp(config, { mode: 'server', environment: secretEnvironment() })
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
  return { app, bought, visit }
}

describeInBrowser('the scan view', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('says what a scan costs before it asks, follows it, and has its outcome', async () => {
    const { app, bought, visit } = await openStage(500)
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
    const { bought, visit } = await openStage(2_500)
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
    const { visit } = await openStage(0)
    await using opened = await visit('member')
    await opened.page.getByText('0 of 3 made today').waitFor()
    expect(await opened.page.getByRole('button', { name: /run now/i }).count()).toBe(0)
    expect(await findViolations(opened.page)).toEqual([])
  })
})
