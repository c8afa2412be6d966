import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, findViolations, openVisit, PASSWORD, settle, type VisitOptions } from './support/browser.ts'
import { openShownDemo, OWNER, type ShownDemo } from './support/shown-demo.ts'

const OVERVIEW = '/sites/fernwick.example/overview'
/** What a browser writes into its console when somebody isn't signed in. */
const NOT_SIGNED_IN = /status of 401/

let demo: ShownDemo

const KEEP_DRAWN = `
  const { serializeToString } = XMLSerializer.prototype
  XMLSerializer.prototype.serializeToString = function (drawn) {
    window.drawn = drawn
    return serializeToString.call(this, drawn)
  }
`
/** The texts of the first chart with their size and weight, as they are shown and as they were drawn for the picture. */
const READ_FONTS = `(() => {
  const read = (root, styleOf) => [...root.querySelectorAll('text')].map((text) => {
    const { fontSize, fontWeight } = styleOf(text)
    return [text.textContent, fontSize, fontWeight].join(' ')
  })
  return { shown: read(document.querySelector('.line-chart svg:has(text)'), getComputedStyle), drawn: read(window.drawn, (text) => text.style) }
})()`

describeInBrowser('the frame of the dashboard', () => {
  beforeAll(async () => {
    demo = await openShownDemo()
  })
  afterAll(() => demo?.close())

  const visit = (options: VisitOptions = {}) => openVisit(demo.browser, demo, options)
  const visitSignedIn = () => demo.visit({ viewport: { width: 1280, height: 900 } })

  it('signs in, shows the page that was asked for, and signs out', async () => {
    await using visitor = await visit()
    visitor.allow(NOT_SIGNED_IN)
    const { page } = visitor
    await page.goto(`${OVERVIEW}?engine=claude`)
    await page.getByLabel('Mail').fill(OWNER)
    await page.getByLabel('Password').fill('not the password at all')
    await page.keyboard.press('Enter')
    await expectText(page.getByRole('alert'), /mail|password/i)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?engine=claude')
    await page.getByRole('button', { name: `Account ${OWNER}` }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('asks for the password when the session ends, and goes on where the reader was', async () => {
    await using visitor = await visitSignedIn()
    visitor.allow(NOT_SIGNED_IN)
    const { page } = visitor
    await page.goto(`${OVERVIEW}?compare=none`)
    await settle(page)
    demo.app.catalog.sessions.endOf(demo.userId)
    await page.getByRole('link', { name: 'Tone' }).click()
    await page.getByLabel('Mail').fill(OWNER)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tone', level: 1 }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?compare=none')
    await settle(page)

    await page.getByRole('link', { name: 'How this is counted' }).first().click()
    await page.getByRole('dialog').waitFor()
    demo.app.catalog.sessions.endOf(demo.userId)
    await page.evaluate(`history.pushState(null, '', '?engine=claude'); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('signs in at once by a link that does, and keeps its secret out of the address', async () => {
    const { secret } = demo.app.catalog.users.createLink(demo.userId)
    await using visitor = await visit()
    await visitor.page.goto(`/sign-in#${secret}`)
    await visitor.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await expect.poll(() => new URL(visitor.page.url()).hash).toBe('')

    await using late = await visit()
    late.allow(/status of 404/)
    await late.page.goto(`/sign-in#${secret}`)
    await late.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  })

  it('takes an invitation, with a password of twelve characters', async () => {
    const { secret } = demo.app.catalog.users.invite({
      organizationId: demo.organizationId,
      mail: 'new@fernwick.example',
      role: 'member',
      inviter: OWNER,
    })
    await using visitor = await visit()
    const { page } = visitor
    await page.goto(`/sign-in#${secret}`)
    await page.getByRole('heading', { name: /^Welcome to / }).waitFor()
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create the account' }).click()
    expect(await page.getByRole('heading', { name: /^Welcome to / }).count()).toBe(1)
    await page.getByLabel('Password').fill('a password to remember')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.goto('/settings/sites')
    await settle(page)
    expect(await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents()).toEqual([
      'Sites',
      'Imports and storage',
      'Your sessions',
    ])
    await page.getByRole('link', { name: 'Imports and storage' }).click()
    await expect.poll(() => page.title()).toMatch(/^Imports and storage · Settings · /)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  })

  it('keeps days and filters in the URL, and takes them back by chips and by the browser', async () => {
    await using visitor = await visitSignedIn()
    const { page } = visitor
    await page.goto(OVERVIEW)
    await settle(page)
    await page.getByRole('button', { name: 'Engines' }).click()
    await page.getByLabel('Claude').check()
    await page.getByLabel('Gemini').check()
    await expect.poll(() => new URL(page.url()).search).toBe('?engine=claude,gemini')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Engines: 2')
    await page.getByRole('button', { name: 'Remove the filter Claude' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?engine=gemini')
    await page.getByRole('button', { name: /^Days: / }).click()
    await page.getByRole('button', { name: 'Last 7 days' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?from=2026-11-09&to=2026-11-15&engine=gemini')
    await page.getByRole('button', { name: /^Days: / }).click()
    await page.getByLabel('From', { exact: true }).fill('2026-11-14')
    await page.getByLabel('To', { exact: true }).fill('2026-11-12')
    await expectText(page.getByRole('alert'), /after the last/)
    await page.getByLabel('From', { exact: true }).fill('2026-06-01')
    await expectText(page.getByRole('alert'), /At most 93 days/)
    await page.getByLabel('From', { exact: true }).fill('2026-11-10')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).search).toBe('?from=2026-11-10&to=2026-11-12&engine=gemini')
    await page.goBack()
    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).toBe('?engine=gemini')
    await page.getByRole('link', { name: 'Visibility', exact: true }).click()
    await expect
      .poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
      .toBe('/sites/fernwick.example/visibility?engine=gemini')
  })

  it('leads from the rate of a prompt on an engine to its answers there', async () => {
    await using visitor = await visitSignedIn()
    const { page } = visitor
    await page.goto('/sites/fernwick.example/prompts?engine=claude')
    await settle(page)
    const row = page.locator('tr[data-key=comparison-03]')
    await row.getByRole('link', { name: /answers/ }).click()
    await settle(page)
    await expect.poll(() => new URL(page.url()).search).toBe('?engine=claude&prompt=comparison-03')
  })

  it('draws lines that the keyboard walks, a drag narrows, and a file keeps', async () => {
    await using visitor = await visitSignedIn()
    const { page } = visitor
    await page.goto('/sites/fernwick.example/visibility')
    await settle(page)
    const chart = page.getByRole('application').first()
    await chart.focus()
    await page.keyboard.press('End')
    await expectText(chart.getByRole('status'), /15 Nov.*Fernwick/s)
    await page.keyboard.press('ArrowLeft')
    await expectText(chart.getByRole('status'), /14 Nov/)
    await page.getByRole('button', { name: 'Halvorix' }).first().click()
    await expect.poll(() => chart.locator('.plot-name').allTextContents()).not.toContain('Halvorix')

    await page.evaluate(KEEP_DRAWN)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG' }).first().click(),
    ])
    expect(download.suggestedFilename()).toBe('fernwick.example-visibility-2026-10-19-2026-11-15.png')
    const fonts = await page.evaluate<{ shown: string[]; drawn: string[] }>(READ_FONTS)
    expect(fonts.shown.length).toBeGreaterThan(8)
    expect(fonts.drawn).toEqual(fonts.shown)
    const bytes = Buffer.concat(await (await download.createReadStream()).toArray())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.length).toBeGreaterThan(10_000)

    const box = await chart.boundingBox()
    if (box === null) throw new Error('The chart is not shown.')
    await page.mouse.move(box.x + box.width * 0.3, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, box.y + 100, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?from=2026-10-\d\d&to=2026-11-\d\d$/)
  })

  it('shows what a chart shows as a table, and how it is counted in a dialog that gives the focus back', async () => {
    await using visitor = await visitSignedIn()
    const { page } = visitor
    await page.goto('/sites/fernwick.example/visibility')
    await settle(page)
    const panel = page.locator('.panel', { hasText: 'Over time' }).first()
    await panel.getByRole('button', { name: 'Numbers' }).click()
    await panel.getByRole('columnheader', { name: 'Fernwick' }).waitFor()
    const link = panel.getByRole('link', { name: 'How this is counted' })
    await link.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('How this is counted')
    await page.goto('/methods#intervals')
    await settle(page)
    expect(await page.evaluate("document.getElementById('intervals').getBoundingClientRect().top < innerHeight")).toBe(
      true,
    )
  })

  it('keeps the theme that was chosen, and prints on white', async () => {
    await using visitor = await visitSignedIn()
    const { page } = visitor
    const readBackground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    await page.goto(OVERVIEW)
    await settle(page)
    const light = await readBackground()
    await page.getByRole('button', { name: `Account ${OWNER}` }).click()
    await page.getByRole('button', { name: 'Dark' }).click()
    const dark = await readBackground()
    expect(dark).not.toBe(light)
    await page.reload()
    await settle(page)
    expect(await readBackground()).toBe(dark)
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.emulateMedia({ media: 'print' })
    expect(await readBackground()).toBe('rgb(255, 255, 255)')
    expect(await page.locator('.side').isVisible()).toBe(false)
  })

  it('says that there is nothing, that nothing answers, and that a part is missing', async () => {
    await using visitor = await visitSignedIn()
    visitor.allow(/Failed to load resource|net::ERR_FAILED/)
    const { page } = visitor
    await page.goto('/sites/other.example/overview')
    await page.getByText('There is no site other.example here.').waitFor()
    await page.goto('/sites/fernwick.example/nothing')
    await page.getByText('There is no such page.').waitFor()
    await page.route('**/app.js', (route) => route.abort())
    await page.goto(OVERVIEW)
    await page.getByRole('link', { name: 'Load the page again' }).waitFor()
    await page.unroute('**/app.js')
    await page.route('**/work-views-*.js', (route) => route.abort())
    await page.goto('/sites/fernwick.example/actions')
    await page.getByText('This part of the dashboard could not be loaded.').waitFor()
    await page.route('**/ui/v1/session', (route) => route.abort())
    await page.goto(OVERVIEW)
    await page.getByRole('heading', { name: 'The service does not answer' }).waitFor()
    await page.unroute('**/ui/v1/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  })

  it('has nothing against it by WCAG 2.2 AA, in either theme, on either width', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        await using visitor = await demo.visit({ colorScheme, viewport: { width, height: 900 } })
        for (const path of [OVERVIEW, '/methods', '/sites/fernwick.example/nothing']) {
          await visitor.page.goto(path)
          await settle(visitor.page)
          expect(await findViolations(visitor.page), `${path} ${colorScheme} ${width}`).toEqual([])
          expect(
            await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth'),
            path,
          ).toBeLessThanOrEqual(0)
        }
      }
      await using stranger = await visit({ colorScheme })
      stranger.allow(NOT_SIGNED_IN)
      await stranger.page.goto('/')
      await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await findViolations(stranger.page), `sign-in ${colorScheme}`).toEqual([])
    }
  })
})

/** Waits until an element says something. */
async function expectText(element: ReturnType<Page['getByRole']>, text: RegExp): Promise<void> {
  await element.filter({ hasText: text }).first().waitFor()
}
