import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, settle } from './support/browser.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'

let demo: ShownDemo

describeInBrowser('the browser’s back', () => {
  beforeAll(async () => {
    demo = await openShownDemo()
  })
  afterAll(() => demo?.close())

  it('takes back each choice in Prompts, and what was searched as a whole', async () => {
    await using visit = await demo.visit()
    const { page } = visit
    const expectSearch = (search: string) => expect.poll(() => new URL(page.url()).search).toBe(search)
    await page.goto('/sites/fernwick.example/prompts')
    await settle(page)
    await page.getByLabel('Show').selectOption('switched on')
    await expectSearch('?status=active')
    await settle(page)
    await page.getByRole('button', { name: 'Named' }).click()
    await expectSearch('?status=active&sort=-rate')
    await settle(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await expectSearch('?status=active&sort=-rate&page=2')
    const search = page.getByLabel('Search prompts')
    for (const text of ['help', 'helpdesk']) {
      await search.fill(text)
      await expectSearch(`?status=active&sort=-rate&q=${text}`)
    }
    for (const before of ['?status=active&sort=-rate', '?status=active', '']) {
      await page.goBack()
      await expectSearch(before)
    }
    await settle(page)
    expect(await page.getByLabel('Show').inputValue()).toBe('all')
  })

  it('takes back two choices that came before either was answered', async () => {
    await using visit = await demo.visit()
    const { page } = visit
    await page.goto('/sites/fernwick.example/crawlers')
    await settle(page)
    const held: Route[] = []
    await page.route('**/ui/v1/reports/bots', (route) => void held.push(route))
    const kinds = page.locator('.panel', { has: page.getByRole('heading', { name: 'Kinds of pages' }) })
    await kinds.getByRole('button', { name: 'Blog' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?page_type=blog_editorial')
    await page.getByRole('row').getByRole('button', { name: 'GPTBot' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?page_type=blog_editorial&bot=GPTBot')
    await page.unroute('**/ui/v1/reports/bots')
    for (const route of held) await route.continue().catch(() => undefined)
    await settle(page)
    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).toBe('?page_type=blog_editorial')
  })

  it('takes back each choice in Actions', async () => {
    await using visit = await demo.visit()
    const { page } = visit
    const readSearch = () => new URL(page.url()).search
    await page.goto('/sites/fernwick.example/actions')
    await settle(page)
    await page.getByLabel('Kind').selectOption({ index: 1 })
    await expect.poll(readSearch).toMatch(/^\?kind=\w+$/)
    const ofKind = readSearch()
    await page.locator('.card-title').first().click()
    await expect.poll(readSearch).toContain('card=')
    await page.getByRole('button', { name: /^Dismissed/ }).click()
    await expect.poll(readSearch).toContain('status=dismissed')
    // What is chosen already is no step.
    await page.getByRole('button', { name: /^Dismissed/ }).click()
    await page.goBack()
    await expect.poll(readSearch).toContain('card=')
    await page.locator('.card-open').waitFor()
    await page.goBack()
    await expect.poll(readSearch).toBe(ofKind)
    await page.locator('.card-open').waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(readSearch).toBe('')
  })

  it('takes back a search in Sources and Visibility as a whole', async () => {
    for (const [path, label] of [
      ['/sites/fernwick.example/sources', 'Find a domain'],
      ['/sites/fernwick.example/visibility', 'Search'],
    ] as const) {
      await using visit = await demo.visit()
      const { page } = visit
      await page.goto('/sites/fernwick.example/overview')
      await settle(page)
      await page.goto(path)
      await settle(page)
      for (const text of ['e', 'ex']) {
        await page.getByRole('searchbox', { name: label }).fill(text)
        await expect.poll(() => new URL(page.url()).search).toMatch(new RegExp(`=${text}$`))
      }
      await page.goBack()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/sites/fernwick.example/overview')
    }
  })
})
