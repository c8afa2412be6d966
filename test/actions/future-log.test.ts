import { loadStudentT } from '../../src/statistics/student-t.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSiteView } from '../../src/actions/site-view.ts'
import { type ActionWorlds, openActionWorlds } from './support/action-world.ts'
import { openReportRows } from '../../src/actions/report-rows.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const hit = (day: string): string => `192.0.2.7 - - [${day}:10:05:03 +0000] "GET / HTTP/1.1" 200 512 "-" "GPTBot/1.3"`

it.each([
  ['in a month to come', '03/Jan/2031', '2026-11-18'],
  ['later in this month', '29/Nov/2026', '2026-11-20'],
])('a line dated in the future, %s, does not move the window of the log away', async (_, future, last) => {
  const world = worlds.create({ prompts: {} })
  await world.importLog([hit('12/Oct/2026'), hit('18/Nov/2026'), hit(future)])
  const { app, site, clock } = world
  const reports = openReportRows(app.reporting, site.id)
  const view = openSiteView(app.catalog, site.id, { studentT: await loadStudentT(), reports, nowMs: clock.now() })
  expect(view?.logWindow?.last).toBe(last)
  expect(view?.window.last).toBe(last)
})
