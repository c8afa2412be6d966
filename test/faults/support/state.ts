import { createHash } from 'node:crypto'
import type { App } from '../../../src/app.ts'
import { ANSWER_FIELDS, CITATION_METRICS, type ReportPage, VISIBILITY_METRICS } from '../../../src/reports/request.ts'
import { MONTHS, openData, SITE } from './world.ts'

/** What a data directory answers, in parts that are compared one by one. */
export type State = Readonly<Record<string, string>>

/** Reports over all data sets, those that change month by month for each month, and what was decided. */
export async function readState(dataDir: string): Promise<State> {
  await using app = await openData(dataDir)
  const state: Record<string, string> = { decided: readDecided(app) }
  for (const month of MONTHS) {
    const range = { site_id: SITE, start_date: `${month}-01`, end_date: `${month}-30`, limit: 500 }
    const visibility = await app.reports.visibility(SITE, {
      ...range,
      group_by: ['date', 'platform', 'prompt'],
      metrics: VISIBILITY_METRICS,
      brands: 'all',
    })
    const answers = await app.reports.answers(SITE, { ...range, include: ANSWER_FIELDS })
    state[month] = digest(visibility, answers)
  }
  const citations = await app.reports.citations(SITE, {
    site_id: SITE,
    start_date: `${MONTHS[0]}-01`,
    end_date: `${MONTHS[1]}-30`,
    limit: 500,
    entity: 'page',
    group_by: ['platform'],
    metrics: CITATION_METRICS,
  })
  return { ...state, citations: digest(citations) }
}

function digest(...pages: readonly ReportPage<unknown>[]): string {
  const told = pages.map(({ info, data }) => [info.total_results, data])
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16)
}

/** Without what differs from one run to the next: made ids and times, and numbers, which a killed import may have used up. */
function readDecided({ catalog }: App): string {
  return JSON.stringify({
    site: catalog.sites.get(SITE).aliases,
    prompts: catalog.prompts.list(SITE).prompts.map(({ text, category, status }) => [text, category, status]),
    competitors: catalog.competitors.list(SITE).map(({ name, aliases, confirmed }) => [name, aliases, confirmed]),
    keys: catalog.keys.list().map(({ name, revokedAt }) => [name, revokedAt !== null]),
    scan: catalog.scans.last(SITE),
    imports: catalog.imports.list(SITE).length,
    counters: ['answer_no', 'host_no', 'page_no'].map((name) => catalog.sites.counter(SITE, name)),
  })
}
