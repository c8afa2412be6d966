import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, findViolations, PASSWORD, settle } from './support/browser.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'

/** What a browser writes into its console when the service refuses something. */
const REFUSED = /status of 403/

let demo: ShownDemo

describeInBrowser('changes in the dashboard', () => {
  beforeAll(async () => {
    demo = await openShownDemo()
  })
  afterAll(() => demo?.close())

  it('make a key after the password, show it once, try it, and revoke it', async () => {
    await using visit = await demo.visit({ isConfirmed: false })
    visit.allow(REFUSED)
    const { page } = visit
    await page.goto('/settings/access')
    await settle(page)
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill('لوحة')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const asked = page.getByRole('dialog', { name: 'Your password, please' })
    await asked.getByLabel('Password').fill('not the password')
    await asked.getByRole('button', { name: 'Confirm' }).click()
    await asked.getByRole('alert').waitFor()
    await asked.getByLabel('Password').fill(PASSWORD)
    await asked.getByRole('button', { name: 'Confirm' }).click()
    const made = page.getByRole('dialog', { name: 'The key “لوحة”' })
    const shown = made.getByLabel('Key', { exact: true })
    await shown.waitFor()
    await page.keyboard.press('Enter')
    const value = await shown.inputValue()
    expect(await made.getByLabel('To try it', { exact: true }).inputValue()).toBe(
      `curl -s -H 'X-API-Key: ${value}' ${demo.url}/v1/sites`,
    )
    expect(await findViolations(page)).toEqual([])
    const ask = () => fetch(`${demo.url}/v1/sites`, { headers: { 'x-api-key': value } })
    expect((await ask()).status).toBe(200)
    await made.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await settle(page)
    expect(await page.content()).not.toContain(value)
    await page.getByRole('button', { name: 'Revoke the key لوحة' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('status').getByText('The key is revoked.').waitFor()
    expect((await ask()).status).toBe(401)
  })

  it('mark a card done with a note, and open it again', async () => {
    await using visit = await demo.visit()
    const { page } = visit
    await page.goto('/sites/fernwick.example/actions')
    await settle(page)
    const [card] = demo.app.catalog.cards.list(demo.siteId, 'open')
    const title = card?.title ?? ''
    await page.getByRole('button', { name: title }).click()
    await page.getByRole('button', { name: 'Mark as done…' }).click()
    await page.getByLabel('What was done (optional)').fill('Let them in.')
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as done', exact: true }).click()
    await page.getByText('Measuring; the result is due').waitFor()
    await page.locator('.card-note').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('card')).toBe(card?.id)
    expect(await page.locator('.card-open').innerText()).toMatch(/“?Let them in\.”? owner@fernwick\.example/)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Open again' }).click()
    await page.getByRole('button', { name: 'Mark as done…' }).waitFor()
    expect(demo.app.catalog.cards.find(card?.siteId ?? '', card?.id ?? '')?.status).toBe('open')
  })

  it('lead from a count in a card to the view with the filters that show it', async () => {
    await using visit = await demo.visit()
    const { page } = visit
    await page.goto('/sites/fernwick.example/actions')
    await settle(page)
    await page.getByRole('button', { name: /Repair \/docs\/api\/webhooks/ }).click()
    await page.getByRole('link', { name: '119 of 138 hits' }).click()
    await page.getByRole('heading', { name: 'Crawlers', level: 1 }).waitFor()
    await settle(page)
    const read = (metric: string) => page.locator(`.tile [data-metric=${metric}]`).getAttribute('data-value')
    expect([await read('error_hits'), await read('hits')]).toEqual(['119', '138'])
    await page.getByRole('button', { name: 'Remove the filter Page: /docs/api/webhooks' }).click()
    await settle(page)
    expect(await read('hits')).toBe('9385')
  })
})
