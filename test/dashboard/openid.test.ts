import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Session } from '../../src/domain/user.ts'
import { openVouchedService } from '../http/dashboard/support/vouched-service.ts'
import { describeInBrowser, openBrowser, openVisit, settle } from './support/browser.ts'

const PAGE = '/settings/access'

let browser: Browser

/** The provider is at `127.0.0.1`, the dashboard at `localhost`: browsers take them for two sites. */
describeInBrowser('signing in by a provider on another site', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
  })

  async function visitVouchedService() {
    const service = await openVouchedService('owners')
    const url = service.url.replace('127.0.0.1', 'localhost')
    const visitor = await openVisit(browser, { app: service.app, url })
    // What the provider's own pages ask for, and the 401 of who isn't signed in.
    visitor.allow(/^request to http:\/\/127\.0\.0\.1:|googleapis|favicon\.ico|status of 401/)
    await visitor.page.route(/googleapis/, (route) => route.abort())
    const listSessions = (): Session[] => {
      const { users, sessions } = service.app.catalog
      return users.list().flatMap(({ id }) => sessions.list(id))
    }
    return { visitor, listSessions }
  }

  async function visitSignedIn() {
    const visited = await visitVouchedService()
    const { page } = visited.visitor
    await page.goto(PAGE)
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await signInAtProvider(page, { consents: true })
    await expectSignedIn(page)
    return visited
  }

  it('lands signed in on the page that was asked for', async () => {
    const { visitor, listSessions } = await visitVouchedService()
    await using _ = visitor
    const { page } = visitor
    await page.goto(`${PAGE}?from=2026-11-01&engine=claude,gemini`)
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    const { cookies } = await signInAtProvider(page, { consents: true })
    expect(cookies).toEqual(['__Host-answerlake-journey'])
    await expectSignedIn(page)
    await expect
      .poll(() => page.url())
      .toMatch(/localhost:\d+\/settings\/access\?from=2026-11-01&engine=claude,gemini$/)
    expect(listSessions()).toHaveLength(1)
  })

  it('ends the session before, which the browser does not send on its way back, and then lets keys be changed', async () => {
    const { visitor, listSessions } = await visitSignedIn()
    await using _ = visitor
    const { page } = visitor
    const [first] = listSessions()

    await makeKey(page)
    await page.getByRole('heading', { name: 'Sign in once more, please' }).waitFor()
    visitor.allow(/status of 403/)
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    expect((await signInAtProvider(page)).cookies).toEqual(['__Host-answerlake-journey'])
    await expectSignedIn(page)
    await expect.poll(() => new URL(page.url()).pathname).toBe(PAGE)
    const second = listSessions()
    expect(second).toEqual([expect.objectContaining({ confirmedAt: expect.any(String) })])
    expect(second[0]?.id).not.toBe(first?.id)
    await makeKey(page)
    await page.getByRole('heading', { name: 'The key “Grafana”' }).waitFor()

    // Signed in no longer at the provider, which so shows its page again.
    await page.context().clearCookies({ domain: '127.0.0.1' })
    await page.goto(`/ui/sign-in/oidc?to=${PAGE}`)
    expect((await signInAtProvider(page, { consents: true })).cookies).toEqual(['__Host-answerlake-journey'])
    await expectSignedIn(page)
    const third = listSessions()
    expect(third).toEqual([expect.objectContaining({ confirmedAt: null })])
    expect(third[0]?.id).not.toBe(second[0]?.id)
  })

  it('ends the session before also when the provider shows no page of its own', async () => {
    const { visitor, listSessions } = await visitSignedIn()
    await using _ = visitor
    const { page } = visitor
    const [first] = listSessions()
    await page.evaluate("location.href = '/ui/sign-in/oidc?to=/settings/account'")
    await page.waitForURL('**/settings/account')
    await expectSignedIn(page)
    const now = listSessions()
    expect(now).toHaveLength(1)
    expect(now[0]?.id).not.toBe(first?.id)
  })
})

/** Types an account at the provider. Gives the names of the cookies that come with the way back. */
async function signInAtProvider(page: Page, { consents = false } = {}): Promise<{ readonly cookies: string[] }> {
  await page.getByPlaceholder('Enter any login').fill('ana')
  await page.getByPlaceholder('and password').fill('x')
  const back = page.waitForRequest(/\/ui\/sign-in\/oidc\/callback\?/)
  await page.getByRole('button', { name: 'Sign-in' }).click()
  if (consents) await page.getByRole('button', { name: 'Continue' }).click()
  const { cookie = '' } = await (await back).allHeaders()
  return { cookies: cookie.split('; ').map((pair) => pair.slice(0, pair.indexOf('='))) }
}

async function expectSignedIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account ana@acme.com' }).waitFor()
  await settle(page)
}

async function makeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Grafana')
  await page.getByRole('button', { name: 'Make the key' }).click()
}
