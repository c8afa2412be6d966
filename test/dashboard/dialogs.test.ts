import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser, describeInBrowser, findViolations, settle, type VisitOptions } from './support/browser.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'

let demo: ShownDemo

describeInBrowser('dialogs and tries of the dashboard', () => {
  beforeAll(async () => {
    demo = await openShownDemo()
  })
  afterAll(() => demo?.close())

  const open = async (path: string, options: VisitOptions = {}) => {
    const visit = await demo.visit({ viewport: { width: 1280, height: 900 }, ...options })
    await visit.page.goto(path)
    await settle(visit.page)
    return visit
  }

  it('switch a prompt once, however fast one clicks', async () => {
    await using visit = await open('/sites/fernwick.example/prompts')
    const { page } = visit
    const held = await holdReply(page, '**/prompts/status', 'PATCH')
    const list = await holdReply(page, '**/sites/*/prompts', 'GET')
    const one = page.getByRole('switch', { checked: true }).first()
    const name = (await one.getAttribute('aria-label')) ?? ''
    const same = page.getByRole('switch', { name, exact: true })
    await same.dblclick()
    await same.press('Enter')
    held.release()
    await page.locator('.toasts').getByText('1 prompt switched off.').waitFor()
    await same.press('Space')
    list.release()
    await settle(page)
    expect(held.asked()).toBe(1)
    expect(await page.locator('.toasts p').allTextContents()).toEqual(['1 prompt switched off.'])
    await same.press('Space')
    await page.locator('.toasts').getByText('1 prompt switched on.').waitFor()
    await settle(page)
  })

  it('make one link at a time for members', async () => {
    const { organizationId } = demo
    for (const one of ['a', 'b']) {
      await addUser(demo, { organizationId, mail: `${one}@fernwick.example`, role: 'member' })
    }
    await using visit = await open('/settings/members')
    const { page } = visit
    const held = await holdReply(page, '**/members/*/reset', 'POST')
    await page.getByRole('button', { name: 'Change a@fernwick.example' }).click()
    await page.getByRole('button', { name: 'New link to sign in with…' }).click()
    await page.getByRole('button', { name: 'Change b@fernwick.example' }).click({ force: true })
    expect(await page.getByRole('button', { name: 'New link to sign in with…' }).count()).toBe(0)
    held.release()
    await page.getByRole('dialog', { name: 'A new link' }).getByText('a@fernwick.example').waitFor()
  })

  it('say in words that a reply was cut off', async () => {
    await using visit = await open('/settings/access')
    visit.allow(/^error: /)
    const { page } = visit
    await page.route('**/ui/v1/keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 201, contentType: 'application/json', body: '{"data":' })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill('Grafana')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('alert').getByText('could not be read').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('say what the service refuses, field by field, and of many faults the first ones', async () => {
    await using visit = await open('/settings/access')
    visit.allow(/status of 400/)
    const { page } = visit
    const dialog = page.getByRole('dialog')
    const readFault = () => dialog.getByRole('alert').innerText()
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill('n'.repeat(300))
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    expect(await readFault()).toBe('Something here isn’t valid.\nName: Use at most 200 characters.')

    await page.goto('/sites/fernwick.example/prompts')
    await settle(page)
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Category or market…' }).click()
    await dialog.getByLabel('Market').selectOption('another')
    await dialog.getByLabel('Market').last().fill('m'.repeat(300))
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    expect(await readFault()).toBe('Something here isn’t valid.\nMarket: Use at most 200 characters.')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Add prompts' }).click()
    await page.getByLabel('Prompts, one a line').fill(['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n'))
    // As they are kept, each of these letters is two.
    await page.getByLabel('Market').fill('\u0958'.repeat(150))
    await dialog.getByRole('button', { name: 'See what would happen' }).click()
    await dialog.getByRole('alert').waitFor()
    expect((await readFault()).split('\n')).toEqual([
      'Something here isn’t valid.',
      ...[1, 2, 3, 4, 5].map((line) => `Line ${line}, market: Use at most 200 characters.`),
      'And 2 more.',
    ])
  })

  it('have toasts that say the same of what has no dialog', async () => {
    await using visit = await open('/sites/fernwick.example/tone')
    visit.allow(/status of 400/)
    const { page } = visit
    await page.route('**/ui/v1/reports/*', (route) => route.continue({ postData: '{"start_date":"soon"}' }))
    await page.getByRole('button', { name: 'CSV' }).first().click()
    await page.locator('.toasts p').waitFor()
    expect(await page.locator('.toasts p').innerText()).toBe(
      'Something here isn’t valid.\nSite id: Required. Add it.\nStart date: Use a day in the form YYYY-MM-DD.\nEnd date: Required. Add it.',
    )
  })

  it('stay while a key is made, whose value they show once', async () => {
    await using visit = await open('/settings/access')
    const { page } = visit
    const held = await holdReply(page, '**/ui/v1/keys', 'POST')
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill('Looker')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New key' })
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Close' }).click({ force: true })
    await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true })
    await page.mouse.click(10, 450)
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')
    expect(await page.evaluate("document.querySelector('dialog').matches(':modal')")).toBe(true)
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Looker')
    held.release()
    const made = page.getByRole('dialog', { name: 'The key “Looker”' })
    expect(await made.getByLabel('Key', { exact: true }).inputValue()).toMatch(/^alk_/)
    await page.keyboard.press('Escape')
    await made.waitFor({ state: 'detached' })
  })

  it('keep what was typed when a drag ends beside them, or no file is picked', async () => {
    await using visit = await open('/sites/fernwick.example/prompts')
    const { page } = visit
    await page.getByRole('button', { name: 'Add prompts' }).click()
    const field = page.getByLabel('Prompts, one a line')
    await field.fill('Which helpdesk suits a small shop?')
    const box = await field.boundingBox()
    if (box === null) throw new Error('The field is not shown.')
    await page.mouse.move(box.x + 60, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(20, box.y + 20, { steps: 4 })
    await page.mouse.up()
    expect(await field.inputValue()).toBe('Which helpdesk suits a small shop?')
    await page.getByRole('button', { name: 'CSV file' }).click()
    await page.locator('input[type=file]').dispatchEvent('cancel', { bubbles: true })
    await page.getByRole('button', { name: 'Type them' }).click()
    expect(await field.inputValue()).toBe('Which helpdesk suits a small shop?')
    await page.mouse.click(20, 450)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('have toasts in them, where they are seen and heard, and leave them to the page', async () => {
    await using visit = await open('/settings/access', { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = visit
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill('Superset')
    await page.keyboard.press('Enter')
    const made = page.getByRole('dialog', { name: 'The key “Superset”' })
    const region = made.getByRole('status')
    await region.waitFor({ state: 'attached' })
    await made.getByRole('button', { name: 'Copy: Key' }).click()
    await region.getByText('The key is copied.').waitFor()
    expect(await page.locator('.toasts p').count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    await made.getByRole('button', { name: 'Done' }).click()
    await made.waitFor({ state: 'detached' })
    await page.locator('#app > .toasts').getByText('The key is copied.').waitFor()
    await page.getByText('The key is copied.').waitFor({ state: 'detached' })
  })

  it('go with the page that they stand over', async () => {
    await using visit = await open('/sites/fernwick.example/overview')
    const { page } = visit
    await page.getByRole('link', { name: 'Tone', exact: true }).click()
    await page.getByRole('heading', { name: 'Tone', level: 1 }).waitFor()
    await settle(page)
    await page.getByRole('link', { name: 'How this is counted' }).first().click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('give a form back whose password dialog is left by the browser’s back', async () => {
    await using visit = await open('/settings/access?a', { isConfirmed: false })
    visit.allow(/status of 403/)
    const { page } = visit
    await page.evaluate("history.pushState(null, '', '?b')")
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill('Metabase')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Your password, please' }).waitFor()
    await page.goBack()
    await page.getByRole('dialog', { name: 'Your password, please' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').inputValue()).toBe('Metabase')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('ask before access is taken away', async () => {
    const { organizationId } = demo
    const id = await addUser(demo, { organizationId, mail: 'c@fernwick.example', role: 'member' })
    const isRevoked = () => demo.app.catalog.users.find(id)?.revokedAt !== null
    await using visit = await open('/settings/members')
    const { page } = visit
    await page.getByRole('button', { name: 'Change c@fernwick.example' }).click()
    await page.getByRole('button', { name: 'Take away access…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take away access?' })
    await dialog.getByText('c@fernwick.example').waitFor()
    expect(isRevoked()).toBe(false)
    await dialog.getByRole('button', { name: 'Take away access' }).click()
    await page.getByText('c@fernwick.example can’t sign in any more, and was signed out.').waitFor()
    expect(isRevoked()).toBe(true)
  })

  it('leave owners what a member may see once they are one, by their own hand or another’s', async () => {
    const { organizationId } = demo
    const id = await addUser(demo, { organizationId, mail: 'second@fernwick.example', role: 'owner' })
    const ofMember = ['Sites', 'Imports and storage', 'Your sessions']
    await using visit = await open('/settings/members', { userId: id })
    visit.allow(/status of 403/)
    const { page } = visit
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await page.getByRole('button', { name: 'Change second@fernwick.example' }).click()
    await page.getByRole('button', { name: 'Make a member' }).click()
    await page.getByText('second@fernwick.example is now member.').waitFor()
    await settle(page)
    expect(await tabs.allTextContents()).toEqual(ofMember)

    demo.app.catalog.users.setRole(id, 'owner')
    await page.reload()
    await settle(page)
    expect(await tabs.count()).toBe(6)
    demo.app.catalog.users.setRole(id, 'member')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('link', { name: 'Audit log' }).waitFor({ state: 'detached' })
    expect(await tabs.allTextContents()).toEqual(ofMember)
  })

  it('follow no address of a card that is none of the web', async () => {
    await using visit = await demo.visit()
    const { page } = visit
    await page.route('**/ui/v1/sites/*/actions*', async (route) => {
      const response = await route.fetch()
      const cards = await response.text()
      const hostile = JSON.stringify('javascript:alert(1)//\u202e')
      await route.fulfill({ response, body: cards.replaceAll(/"target_url":"[^"]*"/g, `"target_url":${hostile}`) })
    })
    await page.goto('/sites/fernwick.example/actions')
    await settle(page)
    const [card] = demo.app.catalog.cards.list(demo.siteId, 'open')
    await page.getByRole('button', { name: card?.title ?? '' }).click()
    await page.getByText('javascript:alert(1)//[U+202E]').waitFor()
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
  })
})

/** Holds the replies at a path back until `release`, and counts them. */
async function holdReply(page: Page, path: string, method: 'GET' | 'POST' | 'PATCH') {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue()
    asked += 1
    const response = await route.fetch()
    await promise
    await route.fulfill({ response })
  })
  return { release: resolve, asked: () => asked }
}
