import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser, describeInBrowser, openVisit, PASSWORD, settle, turnTo } from './support/browser.ts'
import { CHANGES, press } from './support/focus-changes.ts'
import { openShownDemo, OWNER, type ShownDemo } from './support/shown-demo.ts'

const SITE = '/sites/fernwick.example'

/** Counts the frames in which nothing had the focus after something had it. */
const WATCH = `
  window.lost = 0
  const look = () => {
    const isNowhere = document.activeElement === null || document.activeElement === document.body
    if (window.isBegun && isNowhere) window.lost += 1
    window.isBegun ||= !isNowhere
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

/** The name of the field that has the focus once a dialog opens, before anything else is drawn. */
const NAME_FIRST = `new Promise((resolve) => {
  new MutationObserver(() => {
    if (document.querySelector('dialog:modal')) resolve(document.activeElement.name)
  }).observe(document.body, { childList: true, subtree: true, attributes: true })
})`

let demo: ShownDemo

describeInBrowser('the focus', () => {
  beforeAll(async () => {
    demo = await openShownDemo()
    const { organizationId } = demo
    await addUser(demo, { organizationId, mail: 'member@fernwick.example', role: 'member' })
  })
  afterAll(() => demo?.close())

  it.for(CHANGES)('stays in the page when $what', async ({ prepare, path, width = 1280, act, said, focused }) => {
    prepare?.(demo)
    await using visit = await demo.visit({ viewport: { width, height: 900 } })
    const { page } = visit
    await page.addInitScript(WATCH)
    await page.goto(path)
    await settle(page)
    await act(page)
    if (said !== undefined) await page.getByText(said).first().waitFor()
    await settle(page)
    expect(await page.evaluate("document.activeElement.closest('main, dialog') !== null")).toBe(true)
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(focused)
    expect(await page.evaluate('window.lost')).toBe(0)
    await page.keyboard.press('Tab')
    expect(await page.locator(':is(h1, h2, h3, h4)[tabindex]').count()).toBe(0)
  })

  it('is in the first field of a dialog as soon as that is open', async () => {
    await using visit = await demo.visit()
    const { page } = visit
    await page.goto('/settings/members')
    await settle(page)
    const field = page.evaluate<string>(NAME_FIRST)
    await press(page, 'Invite…')
    expect(await field).toBe('mail')
  })

  it('comes to the page that is shown after the sign-in', async () => {
    await using visit = await openVisit(demo.browser, demo)
    visit.allow(/status of 401/)
    const { page } = visit
    await page.goto(`${SITE}/overview`)
    await page.getByLabel('Mail').fill(OWNER)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await settle(page)
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Overview')
  })

  it.for(['mouse', 'finger'])('leaves what a %s presses where it is when a menu closes by that', async (by) => {
    await using visit = await demo.visit({ viewport: { width: 1280, height: 900 }, hasTouch: by === 'finger' })
    const { page } = visit
    await page.goto(`${SITE}/overview`)
    await settle(page)
    await page.getByRole('button', { name: 'Engines' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Claude' }).press('Space')
    await page.getByRole('button', { name: 'Remove the filter Claude' }).waitFor()
    await settle(page)
    await page.mouse.wheel(0, 700)
    await expect.poll(() => page.evaluate('scrollY')).toBe(700)
    const all = await page.getByRole('button', { name: 'Copy as curl' }).all()
    const boxes = await Promise.all(all.map((one) => one.boundingBox()))
    const box = boxes.find((one) => one !== null && one.y > 100 && one.y < 800)!
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const
    await (by === 'finger' ? page.touchscreen.tap(...middle) : page.mouse.click(...middle))
    await page.getByText('The command is copied').waitFor()
    expect(await page.evaluate('scrollY')).toBe(700)
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Copy as curl')
  })

  it('stays nowhere once a reader took it away', async () => {
    await using visit = await demo.visit({ viewport: { width: 1280, height: 900 } })
    const { page } = visit
    await page.goto(`${SITE}/overview?engine=claude`)
    await settle(page)
    const chip = page.getByRole('button', { name: 'Remove the filter Claude' })
    await chip.focus()
    await page.locator('.side h2').first().click()
    await turnTo(page, `${SITE}/overview`)
    await chip.waitFor({ state: 'detached' })
    await settle(page)
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
  })
})
