import type { Page } from 'playwright-core'
import type { ShownDemo } from './shown-demo.ts'

const SITE = '/sites/fernwick.example'

/** A change by keys alone, what says that it is done, and what has the focus then. */
export interface Change {
  readonly what: string
  /** What has to be there for it that the demo doesn't have. */
  readonly prepare?: (demo: ShownDemo) => void
  readonly path: string
  readonly width?: number
  readonly act: (page: Page) => Promise<void>
  /** A text that isn't there before; left out where `act` itself waits until all is done. */
  readonly said?: RegExp
  readonly focused: RegExp
}

/** Presses the first button of that name by keys. */
export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.locator('main').getByRole('button', { name }).first().press('Enter')
const agree = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter')
const openCard = (page: Page): Promise<void> => page.locator('.card-title').first().press('Enter')

export const CHANGES: readonly Change[] = [
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
  {
    what: 'another answer is read instead of the one that it was in',
    path: `${SITE}/answers`,
    act: async (page) => {
      await page.locator('article').getByRole('button', { name: 'Copy as curl' }).focus()
      await page.keyboard.press('j')
    },
    said: /^Answer 2 of/,
    focused: /\?$/,
  },
  {
    what: 'an answer takes the place of the list on a narrow page',
    path: `${SITE}/answers`,
    width: 390,
    act: (page) => page.locator('.answer-list a').first().press('Enter'),
    said: /^← All answers$/,
    focused: /^Answers$/,
  },
  {
    what: 'the list takes the place of an answer on a narrow page',
    path: `${SITE}/answers`,
    width: 390,
    act: async (page) => {
      await page.locator('.answer-list a').first().press('Enter')
      await page.getByRole('link', { name: '← All answers' }).press('Enter')
      await page.locator('.answer-list').waitFor()
    },
    focused: /^Answers$/,
  },
]
