import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser, describeInBrowser, settle } from './support/browser.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'

let demo: ShownDemo

describeInBrowser('pages that are not as usual', () => {
  beforeAll(async () => {
    demo = await openShownDemo()
  })
  afterAll(() => demo?.close())

  it('say nothing of days that could not be asked for', async () => {
    await using visitor = await demo.visit()
    visitor.allow(/status of 503/)
    const { page } = visitor
    const error = { code: 'overloaded', message: 'Too many reports wait. Try again later.', request_id: 'req_1' }
    await page.route('**/ui/v1/reports/*', (route) => route.fulfill({ status: 503, json: { error } }))
    await page.goto('/sites/fernwick.example/overview')
    await settle(page)
    const panel = page.locator('.panel', { hasText: 'Named in answers, day by day' })
    await panel.getByText(error.message).waitFor()
    expect(await panel.textContent()).not.toContain('have no answers')
  })

  it('ask once for how this is counted, and say when it can’t be loaded', async () => {
    const { organizationId } = demo
    const userId = await addUser(demo, { organizationId, mail: 'reader@fernwick.example', role: 'member' })
    await using visitor = await demo.visit({ userId })
    visitor.allow(/Failed to load resource/)
    const { page } = visitor
    const asked: string[] = []
    await page.route('**/methods.md', (route) => {
      asked.push(route.request().url())
      return asked.length === 1 ? route.abort() : route.continue()
    })
    await page.goto('/methods')
    await page.getByText('This part of the dashboard could not be loaded.').waitFor()
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await page.getByRole('heading', { name: 'Intervals', level: 2 }).waitFor()
    await page.locator('.side').getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'How this is counted' }).first().click()
    await page.getByRole('dialog', { name: 'Mention rate' }).waitFor()
    expect(asked).toHaveLength(2)
  })

  it('lead from the settings and the methods back to the site that was shown, after a reload too', async () => {
    const { organizations, sites } = demo.app.catalog
    const { id } = organizations.create({ name: 'Two Sites' })
    sites.create({ organizationId: id, name: 'First', domain: 'first.example' })
    sites.create({ organizationId: id, name: 'Second', domain: 'second.example' })
    const userId = await addUser(demo, { organizationId: id, mail: 'two@sites.example', role: 'owner' })
    await using visitor = await demo.visit({ userId, viewport: { width: 1280, height: 900 } })
    const { page } = visitor
    for (const domain of ['first.example', 'second.example']) {
      await page.goto(`/sites/${domain}/tone`)
      await settle(page)
      await page.locator('.side').getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'API and AI assistants' }).click()
      await expect.poll(() => page.title()).toMatch(/^API and AI assistants · /)
      await page.reload()
      await page.getByRole('button', { name: 'Site: ' }).filter({ hasText: domain }).waitFor()
      await page.locator('.side').getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/sites/${domain}/overview`)
      await page.getByRole('button', { name: /^Account / }).click()
      await page.getByRole('link', { name: 'How this is counted' }).first().click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/methods')
      await page.reload()
      await page.getByRole('button', { name: 'Site: ' }).filter({ hasText: domain }).waitFor()
    }
  })
})
