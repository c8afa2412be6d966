import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../support/golden.ts'
import { describeInBrowser, openVisit, PASSWORD, settle } from './support/browser.ts'
import { openShownDemo, OWNER, type ShownDemo } from './support/shown-demo.ts'

const NOW = Date.parse('2026-11-16T08:00:00.000Z')
const PAGE = 'docs/dashboard.md'
const TABS_MAX = 150

/** A task as the page of the docs tells it: the keys, and what a screen reader finds on the way. */
interface Task {
  readonly title: string
  readonly steps: string[]
}

describeInBrowser('the keyboard alone', () => {
  let demo: ShownDemo
  const tasks: Task[] = []
  beforeAll(async () => {
    demo = await openShownDemo()
  })
  afterAll(() => demo?.close())

  /** A task without a mouse: what is done is written down, with what the browser tells a screen reader. */
  function begin(title: string, page: Page) {
    const task: Task = { title, steps: [] }
    tasks.push(task)
    const press = async (key: string): Promise<void> => {
      await page.keyboard.press(key)
      task.steps.push(`<kbd>${key === 'Space' ? 'Space' : key}</kbd>`)
    }
    return {
      press,
      type: async (text: string, shown = text): Promise<void> => {
        await page.keyboard.type(text)
        task.steps.push(`“${shown}”`)
      },
      /** Walks by the tabulator to what has this name, and presses a key there. */
      to: async (name: string | RegExp, key?: string): Promise<void> => {
        for (let tabs = 0; !fits(await nameFocus(page), name); tabs++) {
          if (tabs === TABS_MAX) throw new Error(`${TABS_MAX} tabs do not lead to ${String(name)}.`)
          await page.keyboard.press('Tab')
        }
        task.steps.push(`<kbd>Tab</kbd> to “${await nameFocus(page)}”`)
        if (key !== undefined) await press(key)
      },
      hear: async (part: Locator): Promise<void> => {
        const tree = (await part.ariaSnapshot()).replaceAll(/alk_\w+/g, 'alk_…').replaceAll(/:\d{4,5}\b/g, ':8080')
        task.steps.push(`\n\n\`\`\`yaml\n${tree}\n\`\`\`\n\n`)
      },
    }
  }

  test('signs in', async () => {
    await using visit = await openVisit(demo.browser, demo, { nowMs: NOW })
    visit.allow(/status of 401/)
    const { page } = visit
    await page.goto('/sites/fernwick.example/overview')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { hear, type, press } = begin('Sign in', page)
    await hear(page.getByRole('main'))
    await type(OWNER)
    await press('Tab')
    await type(PASSWORD, 'the password')
    await press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await settle(page)
  })

  test('filters', async () => {
    await using visit = await demo.visit({ nowMs: NOW })
    const { page } = visit
    await page.goto('/sites/fernwick.example/overview')
    await settle(page)
    const { hear, press, to } = begin('Look at one engine alone', page)
    await to('To the content', 'Enter')
    await to('Engines', 'Enter')
    await to('ChatGPT', 'Space')
    await press('Escape')
    expect(await nameFocus(page)).toBe('Engines: 1')
    await settle(page)
    await expect.poll(() => new URL(page.url()).search).toBe('?engine=chatgpt')
    await hear(page.getByRole('group', { name: 'Days and filters' }))
  })

  test('confirms a competitor', async () => {
    await using visit = await demo.visit({ nowMs: NOW })
    const { page } = visit
    await page.goto('/sites/fernwick.example/competitors')
    await settle(page)
    const undecided = demo.app.catalog.competitors.list(demo.siteId).filter(({ confirmed }) => !confirmed)
    const { hear, to } = begin('Confirm a competitor', page)
    await to('To the content', 'Enter')
    await to(/^Confirm /, 'Enter')
    await page.getByRole('status').getByText('is ranked from now on').waitFor()
    await settle(page)
    await hear(page.locator('.toasts'))
    const left = demo.app.catalog.competitors.list(demo.siteId).filter(({ confirmed }) => !confirmed)
    expect(left.length).toBe(undecided.length - 1)
  })

  test('marks a card as done', async () => {
    await using visit = await demo.visit({ nowMs: NOW })
    const { page } = visit
    await page.goto('/sites/fernwick.example/actions')
    await settle(page)
    const open = demo.app.catalog.cards.list(demo.siteId, 'open').length
    const { hear, to, type } = begin('Mark a card as done', page)
    await to('To the content', 'Enter')
    await to(/^(High|Medium|Low) impact/, 'Enter')
    await to('Mark as done…', 'Enter')
    await to('What was done (optional)')
    await type('A page that compares both')
    await hear(page.getByRole('dialog'))
    await to('Mark as done', 'Enter')
    await page.getByRole('status').getByText('Marked as done').waitFor()
    await settle(page)
    expect(demo.app.catalog.cards.list(demo.siteId, 'open').length).toBe(open - 1)
  })

  test('creates a key', async () => {
    await using visit = await demo.visit({ nowMs: NOW, isConfirmed: false })
    visit.allow(/status of 403/)
    const { page } = visit
    await page.goto('/settings/access')
    await settle(page)
    const { hear, to, type, press } = begin('Create a key', page)
    await to('To the content', 'Enter')
    await to('New key…', 'Enter')
    await page.getByRole('dialog').waitFor()
    await type('Grafana')
    await hear(page.getByRole('dialog'))
    await press('Enter')
    await page.getByRole('heading', { name: 'Your password, please' }).waitFor()
    await type(PASSWORD, 'the password')
    await press('Enter')
    await page.getByRole('heading', { name: 'The key “Grafana”' }).waitFor()
    await hear(page.getByRole('dialog'))
    await to('Done', 'Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await settle(page)
    expect(await page.getByRole('row', { name: /Grafana/ }).count()).toBe(1)
  })

  test('is told in the docs', () => {
    const before = readFileSync(join(import.meta.dirname, '../..', PAGE), 'utf8')
    const told = tasks.map(({ title, steps }) => `### ${title}\n\n${toText(steps)}`).join('\n\n')
    const parts = /^([\s\S]*<!-- keyboard -->\n)[\s\S]*(<!-- \/keyboard -->[\s\S]*)$/.exec(before)
    if (parts === null) throw new Error(`${PAGE} has no place for what the keyboard does.`)
    expect(tasks).toHaveLength(5)
    expectGolden(PAGE, `${parts[1]}\n${told}\n\n${parts[2]}`)
  })
})

const toText = (steps: readonly string[]): string =>
  steps
    .join(', ')
    .replaceAll(/(?:, )?(\n\n```[\s\S]*?```\n\n)(?:, )?/g, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

const fits = (name: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name)

/** What a screen reader calls that which has the focus. */
const nameFocus = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const focused = document.activeElement
    const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.firstChild?.textContent ?? focused.innerText
    return (focused.labels?.length ? (focused.labels[0].querySelector('.label') ?? focused.labels[0]).innerText.split('\\n')[0] : label).replaceAll("\\n", " ").trim()
  })()`)
