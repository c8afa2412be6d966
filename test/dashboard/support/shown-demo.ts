import type { Browser } from 'playwright-core'
import { type DemoService, openDemoService } from '../../http/support/demo-service.ts'
import { addUser, openBrowser, openVisit, type Visit, type VisitOptions } from './browser.ts'

/** The mail of the demo's owner. */
export const OWNER = 'owner@fernwick.example'

/** The demo with an owner, and a browser that shows it. */
export interface ShownDemo extends DemoService {
  readonly browser: Browser
  /** The owner's. */
  readonly userId: string
  /** A visit of the owner, or of whom the options name. */
  visit(options?: VisitOptions): Promise<Visit>
}

/** Opens both; `close` closes both. */
export async function openShownDemo(): Promise<ShownDemo> {
  const [demo, browser] = await Promise.all([openDemoService(), openBrowser()])
  const userId = await addUser(demo, { organizationId: demo.organizationId, mail: OWNER, role: 'owner' })
  return {
    ...demo,
    browser,
    userId,
    visit: (options) => openVisit(browser, demo, { userId, ...options }),
    async close() {
      await browser.close()
      await demo.close()
    },
  }
}
