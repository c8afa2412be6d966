import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { describe } from 'vitest'
import { hashPassword } from '../../../src/sign-in/password.ts'
import type { Role } from '../../../src/domain/user.ts'
import type { TestService } from '../../support/http.ts'

const CHROMIUM = '/usr/bin/chromium'
const hasBrowser = existsSync(CHROMIUM)

if (!hasBrowser && process.env['CI'] === 'true') {
  throw new Error(`The dashboard's tests need ${CHROMIUM}: apt-get install chromium`)
}

/** A suite that needs a browser. Skipped with a loud line where Debian's chromium is not installed; required where CI is true. */
export function describeInBrowser(name: string, suite: () => void): void {
  if (!hasBrowser) console.warn(`SKIPPED: "${name}" needs ${CHROMIUM} (apt-get install chromium)`)
  describe.skipIf(!hasBrowser)(name, suite)
}

/** The browser of a test file. As root, as CI runs it, chromium can't use its sandbox. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--force-color-profile=srgb'] })
}

export const PASSWORD = 'nine quiet harbours'

/** A user who has set `PASSWORD`. */
export async function addUser(
  { app: { catalog } }: Pick<TestService, 'app'>,
  user: { readonly organizationId: string; readonly mail: string; readonly role: Role },
): Promise<string> {
  const { user: added, secret } = catalog.users.invite({ ...user, inviter: 'test' })
  catalog.users.accept(secret, await hashPassword(PASSWORD))
  return added.id
}

export interface Visit extends AsyncDisposable {
  readonly page: Page
  /** What a browser must never say of the dashboard: errors of the console, breaches of the policy, requests to others. */
  readonly faults: readonly string[]
  /** Leaves out faults that the test brings about, such as the 401 of somebody who isn't signed in. */
  allow(fault: RegExp): void
}

export interface VisitOptions extends BrowserContextOptions {
  /** Whose session the browser has; nobody's when left out. */
  readonly userId?: string
  /** Whether they typed their password just now, as keys and members ask for; true unless given. */
  readonly isConfirmed?: boolean
  /** The browser's clock stands here; it goes when left out. */
  readonly nowMs?: number
}

/**
 * A browser of its own, signed in by a session of the catalog. Its disposal throws when there were faults, so that
 * `await using visit = await openVisit(…)` fails the test.
 */
export async function openVisit(
  browser: Browser,
  service: Pick<TestService, 'app' | 'url'>,
  options: VisitOptions = {},
): Promise<Visit> {
  const { userId, isConfirmed = true, nowMs, ...rest } = options
  const context = await browser.newContext({ baseURL: service.url, locale: 'en-GB', ...rest })
  if (userId !== undefined) {
    const { value } = service.app.catalog.sessions.open(userId, {
      address: '127.0.0.1',
      client: 'test',
      isConfirmed,
    })
    // Browsers take this machine for safe without TLS; only the protocol of this tool doesn't.
    const url = service.url.replace('http:', 'https:')
    await context.addCookies([
      { name: '__Host-answerlake', value, url, secure: true, httpOnly: true, sameSite: 'Strict' },
    ])
  }
  const page = await context.newPage()
  followRequests(page)
  if (nowMs !== undefined) await page.clock.setFixedTime(nowMs)
  const allowed: RegExp[] = []
  const seen: string[] = []
  const listFaults = (): readonly string[] => seen.filter((fault) => !allowed.some((one) => one.test(fault)))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => seen.push(`error: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isOwn = url.origin === service.url || url.protocol === 'data:' || url.protocol === 'blob:'
    if (!isOwn) seen.push(`request to ${request.url()}`)
  })
  return {
    page,
    get faults() {
      return listFaults()
    },
    allow: (fault) => allowed.push(fault),
    async [Symbol.asyncDispose]() {
      await context.close()
      const faults = listFaults()
      if (faults.length > 0) throw new Error(`The browser said:\n${faults.join('\n')}`)
    },
  }
}

/** Goes to another page of the dashboard as a link of it does, without loading it anew. */
export async function turnTo(page: Page, url: string): Promise<void> {
  if (page.url() === 'about:blank') return void (await page.goto(url))
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(url)}); dispatchEvent(new Event('popstate'))`)
}

/** Waits until nothing is asked any more and every part shows what it has. Throws after 20 seconds. */
export async function settle(page: Page): Promise<void> {
  const end = Date.now() + SETTLED_MS_MAX
  let quiet = 0
  while (quiet < QUIET_LOOKS) {
    if (Date.now() > end) throw new Error(`${page.url()} is still busy after ${SETTLED_MS_MAX} ms.`)
    const isQuiet = (pending.get(page)?.size ?? 0) === 0 && (await page.evaluate<boolean>(IS_QUIET))
    quiet = isQuiet ? quiet + 1 : 0
    await setTimeout(LOOK_MS)
  }
}

const SETTLED_MS_MAX = 20_000
const LOOK_MS = 40
const QUIET_LOOKS = 3
const IS_QUIET = `document.readyState === 'complete' && document.querySelector('main') !== null &&
  document.querySelector('[aria-busy=true], .skeleton') === null`

/** The requests of each page that have no answer yet. */
const pending = new WeakMap<Page, Set<Request>>()

function followRequests(page: Page): void {
  const open = new Set<Request>()
  pending.set(page, open)
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** What axe-core finds against WCAG 2.2 AA and good practice, by all rules or these, one line each: the rule and the elements. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) })
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join(' | ')}`,
  )
}
