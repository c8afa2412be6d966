import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser, describeInBrowser, openVisit, PASSWORD, settle, turnTo } from './support/browser.ts'
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

/** A change by keys alone, what says that it is done, and what has the focus then. */
interface Change {
  readonly what: string
  /** What has to be there for it that the demo doesn't have. */
  readonly prepare?: (demo: ShownDemo) => void
  readonly path: string
  readonly act: (page: Page) => Promise<void>
  /** A text that isn't there before; left out where `act` itself waits until all is done. */
  readonly said?: RegExp
  readonly focused: RegExp
}

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.locator('main').getByRole('button', { name }).first().press('Enter')
const agree = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter')
const openCard = (page: Page): Promise<void> => page.locator('.card-title').first().press('Enter')

const CHANGES: readonly Change[] = [
  {
    what: 'a competitor is confirmed',
    path: `${SITE}/competitors`,
    act: (page) => press(page, /^Confirm /),
    said: /is ranked from now on/,
    focused: /^Competitors to decide about$/,
  },
  {
    what: 'a competitor is ranked no more',
    path: `${SITE}/competitors`,
    act: (page) => press(page, /^Stop ranking /),
    said: /isn’t ranked any more/,
    focused: /^Who is named$/,
  },
  {
    what: 'a name is ignored',
    path: `${SITE}/competitors`,
    act: async (page) => {
      await press(page, /^Ignore /)
      await agree(page, 'Ignore')
    },
    said: /is ignored/,
    focused: /^Competitors to decide about$/,
  },
  {
    what: 'a name is made a spelling',
    path: `${SITE}/competitors`,
    act: async (page) => {
      await press(page, / is another name of/)
      await agree(page, 'Merge')
    },
    said: /is a spelling of/,
    focused: /^Competitors to decide about$/,
  },
  {
    what: 'a card is done',
    path: `${SITE}/actions`,
    act: async (page) => {
      await openCard(page)
      await press(page, 'Mark as done…')
      await agree(page, 'Mark as done')
    },
    said: /^Marked as done/,
    focused: / impact/,
  },
  {
    what: 'a card is dismissed in the list of those that are open',
    path: `${SITE}/actions?status=open`,
    act: async (page) => {
      await openCard(page)
      await press(page, 'Dismiss…')
      await agree(page, 'Dismiss')
    },
    said: /^Dismissed/,
    focused: /^Cards$/,
  },
  {
    what: 'a card is open again',
    prepare: ({ app: { catalog }, siteId }) => {
      const [card] = catalog.cards.list(siteId, 'open')
      catalog.cards.dismiss(siteId, card!.id)
    },
    path: `${SITE}/actions?status=dismissed`,
    act: async (page) => {
      await openCard(page)
      await press(page, 'Open again')
    },
    said: /^Open again/,
    focused: /^Cards$/,
  },
  {
    what: 'a prompt is switched off among those that are on',
    path: `${SITE}/prompts?status=active`,
    act: (page) => page.getByRole('switch').first().press('Space'),
    said: /1 prompt switched off/,
    focused: /^Prompts$/,
  },
  {
    what: 'a prompt is switched on among those that are off',
    path: `${SITE}/prompts?status=disabled`,
    act: (page) => page.getByRole('switch').first().press('Space'),
    said: /1 prompt switched on/,
    focused: /^Prompts$/,
  },
  {
    what: 'the first page is there, and no way back',
    path: `${SITE}/prompts?page=2`,
    act: (page) => press(page, 'Back'),
    said: /^1–25 of/,
    focused: /^Prompts$/,
  },
  {
    what: 'chosen prompts are switched off',
    path: `${SITE}/prompts?status=active`,
    act: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .press('Space')
      await press(page, 'Switch off')
    },
    said: /1 prompt switched off/,
    focused: /^Prompts$/,
  },
  {
    what: 'a key is revoked',
    path: '/settings/access',
    act: async (page) => {
      await press(page, /^Revoke the key /)
      await agree(page, 'Revoke')
    },
    said: /^The key is revoked/,
    focused: /^API keys$/,
  },
  {
    what: 'a member is invited',
    path: '/settings/members',
    act: async (page) => {
      await press(page, 'Invite…')
      await page.getByLabel('Mail').pressSequentially('new@fernwick.example')
      await page.getByLabel('Mail').press('Enter')
      await page.getByRole('dialog', { name: 'An invitation' }).waitFor()
      await agree(page, 'Done')
    },
    said: /new@fernwick\.example/,
    focused: /^Invite…$/,
  },
  {
    what: 'access is taken away',
    path: '/settings/members',
    act: async (page) => {
      await press(page, 'Change member@fernwick.example')
      await press(page, 'Take away access…')
      await agree(page, 'Take away access')
    },
    said: /and was signed out/,
    focused: /^Members$/,
  },
  {
    what: 'a session is ended',
    prepare: ({ app: { catalog }, userId }) => {
      catalog.sessions.open(userId, { address: '127.0.0.1', client: 'another' })
    },
    path: '/settings/account',
    act: (page) => press(page, /^End the session/),
    said: /^The session is ended/,
    focused: /^Your sessions$/,
  },
  {
    what: 'a filter is taken back',
    path: `${SITE}/overview?engine=claude`,
    act: async (page) => {
      await press(page, 'Remove the filter Claude')
      await page.getByRole('button', { name: 'Remove the filter Claude' }).waitFor({ state: 'detached' })
    },
    focused: /^Overview$/,
  },
]

let demo: ShownDemo

describeInBrowser('the focus', () => {
  beforeAll(async () => {
    demo = await openShownDemo()
    const { organizationId } = demo
    await addUser(demo, { organizationId, mail: 'member@fernwick.example', role: 'member' })
  })
  afterAll(() => demo?.close())

  it.for(CHANGES)('stays in the page when $what', async ({ prepare, path, act, said, focused }) => {
    prepare?.(demo)
    await using visit = await demo.visit({ viewport: { width: 1280, height: 900 } })
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
