import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, settle, turnTo, type Visit } from './support/browser.ts'
import { readSeen, type SeenPart, seeParts, watchParts } from './support/parts.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'

const NOW = Date.parse('2026-11-16T08:00:00.000Z')
const SITE = '/sites/fernwick.example'
const DAYS = { from: '2026-08-18', to: '2026-11-15' }
const ENGINE = { engine: 'claude' }
const ALONE = { compare: 'none' }

/** What a reader changes on each view, and what of it is then asked anew. */
const CHANGES: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  overview: [DAYS, ENGINE, ALONE],
  visibility: [DAYS, ENGINE, { metric: 'citation_rate' }, { by: 'platform' }, { cells: 'category' }],
  answers: [DAYS, ENGINE, { tone: 'negative' }],
  sources: [DAYS, ENGINE, { entity: 'page' }],
  competitors: [DAYS, ENGINE],
  tone: [DAYS, ENGINE, { show: 'negative' }],
  crawlers: [DAYS, { by: 'purpose' }],
  visitors: [DAYS, { source: 'chatgpt' }],
  prompts: [DAYS, ENGINE, { sort: '-rate' }],
  actions: [{ status: 'done' }],
  scan: [],
}

/** What each view reads, by the ends of the paths: each is refused alone. */
const READ: Readonly<Record<string, readonly RegExp[]>> = {
  // Of the changes all, those by prompt, and those of the own brand in all.
  overview: [/visibility /, /changes /, /actions /, /quality/, /changes .*"prompt"/, /changes (?!.*group_by)/],
  visibility: [/visibility /, /changes /, /visibility .*"prompt"/, /visibility .*"date"/],
  answers: [/answers /, /citations /],
  sources: [/citations /, /changes /, /visibility /],
  competitors: [/competitor-evidence/, /changes /, /visibility .*"date"/, /answers /],
  tone: [/sentiment /, /answers /],
  crawlers: [/bots /, /referrals /, /bots .*"verified"/],
  visitors: [/referrals /, /bots /],
  prompts: [/prompts/, /visibility /, /visibility .*"platform"/, /usage/],
  actions: [/actions/, /action-notes/],
  scan: [/scan/],
}

describeInBrowser('while replies are on their way, or refused', () => {
  let demo: ShownDemo
  let visit: Visit
  let page: Page
  /** What becomes of a question: it goes through, waits, is refused, or its cursor is too old. */
  let rule: (question: string) => 'pass' | 'hold' | 'refuse' | 'expire' = () => 'pass'
  let held: Route[] = []
  /** How many were refused. */
  let refused = 0

  beforeAll(async () => {
    demo = await openShownDemo()
    visit = await demo.visit({ nowMs: NOW })
    visit.allow(/status of (429|410)/)
    page = visit.page
    await page.route('**/ui/v1/**', (route) => {
      const asked = route.request()
      const what = rule(`${new URL(asked.url()).pathname} ${asked.postData() ?? ''}`)
      if (what === 'hold') return void held.push(route)
      if (what === 'pass') return route.continue()
      refused += 1
      if (what === 'expire') return route.fulfill({ status: 410, json: { error: { code: 'cursor_expired' } } })
      return route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: REFUSED } } })
    })
  })
  afterAll(async () => {
    await visit[Symbol.asyncDispose]()
    await demo.close()
  })

  /** Lets through what waits, the last question first, and what is asked then. */
  async function letGo(): Promise<void> {
    for (let looks = 0; looks < 4; looks = held.length > 0 ? 0 : looks + 1) {
      await held.pop()?.continue()
      await page.waitForTimeout(25)
    }
    rule = () => 'pass'
  }

  test.each(Object.entries(CHANGES))('%s shows what belongs to one question', async (view, changes) => {
    const faults: string[] = []
    const change = async (url: string): Promise<void> => {
      const before = page.url() === 'about:blank' ? [] : await seeParts(page)
      rule = (question) => (/\/session|\/sites /.test(question) ? 'pass' : 'hold')
      if (before.length > 0) await watchParts(page)
      await turnTo(page, url)
      await page.waitForTimeout(60)
      await letGo()
      await settle(page)
      const after = await seeParts(page)
      const seen = await readSeen(page)
      for (const part of seen)
        if (!isOfOne(part, before, after)) faults.push(describe(url, part, [...before, ...after]))
    }
    await turnTo(page, '/methods')
    await settle(page)
    await watchParts(page)
    await change(`${SITE}/${view}`)
    for (const more of changes) await change(`${SITE}/${view}?${new URLSearchParams(more).toString()}`)
    expect(faults).toEqual([])
  })

  test.each(Object.entries(READ))('%s says what is refused, and claims nothing', async (view, questions) => {
    rule = () => 'pass'
    await page.goto(`${SITE}/${view}`)
    await settle(page)
    const whole = await seeParts(page)
    const faults: string[] = []
    for (const one of questions) {
      refused = 0
      rule = (question) => (one.test(question) ? 'refuse' : 'pass')
      await page.reload()
      await settle(page)
      const parts = await seeParts(page)
      const alerts = await page.locator('main [role=alert]').allTextContents()
      if (refused === 0) faults.push(`${one} was never asked`)
      if (!alerts.some((alert) => alert.includes(REFUSED))) faults.push(`${one}: nothing says that it is refused`)
      for (const part of parts) if (!isOfOne(part, [], whole, 0)) faults.push(describe(String(one), part, whole))
    }
    rule = () => 'pass'
    expect(faults).toEqual([])
  })

  test('a list whose page is gone begins anew', async () => {
    rule = () => 'pass'
    await page.goto(`${SITE}/answers`)
    await settle(page)
    const list = page.locator('.reader-list')
    const first = await list.locator('.answer-list').innerText()
    await list.getByRole('button', { name: 'Next' }).click()
    await settle(page)
    expect(await list.locator('.answer-list').innerText()).not.toBe(first)
    refused = 0
    rule = (question) => (question.includes('"cursor"') ? 'expire' : 'pass')
    await list.getByRole('button', { name: 'Next' }).click()
    await settle(page)
    expect(refused).toBe(1)
    expect(await list.locator('.answer-list').innerText()).toBe(first)
    expect(await page.locator('main [role=alert]').count()).toBe(0)
  })
})

const REFUSED = 'Too many questions at once.'

/**
 * Whether a part shows what it showed before, or what it shows after; as long as it waits, or says what is refused, it may
 * show less of it.
 */
function isOfOne(part: SeenPart, before: readonly SeenPart[], after: readonly SeenPart[], waits = 1): boolean {
  const same = ({ name, texts }: SeenPart): boolean => name === part.name && texts.join('\n') === part.texts.join('\n')
  if ([...before, ...after].some(same)) return true
  if (part.alerts.length === 0 && !(part.isWaiting && waits > 0)) return false
  // The title stands before anything else does.
  return after.some((one) => part.texts.every((text) => text === part.name || one.texts.includes(text)))
}

function describe(when: string, part: SeenPart, settled: readonly SeenPart[]): string {
  const known = new Set(settled.flatMap(({ name, texts }) => (name === part.name ? texts : [])))
  const strange = part.texts.filter((text) => !known.has(text)).slice(0, 4)
  return `${when}: “${part.name}” says ${strange.length > 0 ? strange.join(' | ') : `${part.texts.length} of its texts alone`}`
}
