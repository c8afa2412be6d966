import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser, findViolations, openVisit, settle, turnTo, type Visit } from './support/browser.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'

const NOW = Date.parse('2026-11-16T08:00:00.000Z')
/** A theme changes nothing but colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

const SITE = '/sites/fernwick.example'
const PAGES: Readonly<Record<string, string>> = {
  overview: `${SITE}/overview`,
  'overview without comparison': `${SITE}/overview?compare=none&engine=chatgpt&category=Pricing`,
  visibility: `${SITE}/visibility`,
  prompts: `${SITE}/prompts`,
  answers: `${SITE}/answers`,
  sources: `${SITE}/sources`,
  competitors: `${SITE}/competitors`,
  tone: `${SITE}/tone`,
  crawlers: `${SITE}/crawlers`,
  visitors: `${SITE}/visitors`,
  actions: `${SITE}/actions`,
  'actions that are done': `${SITE}/actions?status=done`,
  scan: `${SITE}/scan`,
  'days without data': `${SITE}/overview?from=2025-01-01&to=2025-01-07`,
  'a site that is not there': '/sites/nobody.example/overview',
  methods: '/methods',
  'settings: sites': '/settings/sites',
  'settings: members': '/settings/members',
  'settings: access': '/settings/access',
  'settings: data': '/settings/data',
  'settings: audit': '/settings/audit',
  'settings: account': '/settings/account',
}

/** What opens over a page, by what is clicked on. */
const OVERLAYS: Readonly<Record<string, { readonly on: string; readonly clicks: readonly string[] }>> = {
  'days menu': { on: `${SITE}/overview`, clicks: ['.filter-bar button >> nth=0'] },
  'engines menu': { on: `${SITE}/overview`, clicks: ['.filter-bar button >> nth=1'] },
  'how it is counted': { on: `${SITE}/overview`, clicks: ['text=How this is counted >> nth=0'] },
  'numbers of a chart': { on: `${SITE}/visibility`, clicks: ['text=Numbers >> nth=0'] },
  'an opened card': { on: `${SITE}/actions`, clicks: ['.card-title >> nth=0'] },
  'mark as done': { on: `${SITE}/actions`, clicks: ['.card-title >> nth=0', 'text=Mark as done…'] },
  'merge a competitor': { on: `${SITE}/competitors`, clicks: ['text=Is another name of >> nth=0'] },
}

describeInBrowser('axe finds nothing', () => {
  let demo: ShownDemo
  let visit: Visit
  beforeAll(async () => {
    demo = await openShownDemo()
    visit = await demo.visit({ nowMs: NOW, reducedMotion: 'reduce' })
  })
  afterAll(async () => {
    await visit[Symbol.asyncDispose]()
    await demo.close()
  })

  test.each(Object.entries(PAGES))('%s', async (_name, path) => {
    await turnTo(visit.page, path)
    expect(await listViolations(visit.page)).toEqual([])
  })

  test.each(Object.entries(OVERLAYS))('%s', async (_name, { on, clicks }) => {
    const { page } = visit
    await page.goto(on)
    await settle(page)
    for (const selector of clicks) {
      await page.click(selector)
      await settle(page)
    }
    expect(await listViolations(page)).toEqual([])
  })

  describe('with nobody signed in', () => {
    test.each([
      ['sign-in', '/sign-in'],
      ['a link that no longer works', '/sign-in#gone'],
      ['an invitation', '/sign-in#INVITATION'],
    ])('%s', async (_name, path) => {
      const { secret } = demo.app.catalog.users.invite({
        organizationId: demo.organizationId,
        mail: `${Date.now()}@fernwick.example`,
        role: 'member',
        inviter: 'test',
      })
      await using stranger = await openVisit(demo.browser, demo, { nowMs: NOW, reducedMotion: 'reduce' })
      stranger.allow(/status of (401|404)/)
      await stranger.page.goto(path.replace('INVITATION', secret))
      expect(await listViolations(stranger.page)).toEqual([])
    })
  })
})

/** What axe finds in both themes and at both widths. Ends at the wider one. */
async function listViolations(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await settle(page)
      const violations = await findViolations(page, colorScheme === 'light' ? undefined : OF_COLOURS)
      found.push(...violations.map((violation) => `${colorScheme} ${width} ${violation}`))
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      if (wider > 0) found.push(`${width}: ${wider} px wider than the window`)
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  return found
}
