import { createHash } from 'node:crypto'
import type { App } from '../../../src/app.ts'
import { USUAL_ANSWER_FIELDS } from '../../../src/reports/answers/contract.ts'
import { CITATION_METRICS } from '../../../src/reports/citations/contract.ts'
import { USUAL_VISIBILITY_METRICS } from '../../../src/reports/visibility/contract.ts'
import { MONTHS, openData, SITE } from './world.ts'

/** What a data directory answers, in parts that are compared one by one. */
export type State = Readonly<Record<string, string>>

/** Reports over all data sets, those that change month by month for each month, and what was decided. */
export async function readState(dataDir: string): Promise<State> {
  await using app = await openData(dataDir)
  const range = { site_id: SITE, start_date: `${MONTHS[0]}-01`, end_date: `${MONTHS[1]}-30`, limit: 500 }
  const visibility = await app.reports.visibility(SITE, {
    ...range,
    group_by: ['date', 'platform', 'prompt'],
    metrics: USUAL_VISIBILITY_METRICS,
    brands: 'all',
  })
  const answers = await app.reports.answers(SITE, { ...range, include: USUAL_ANSWER_FIELDS })
  const citations = await app.reports.citations(SITE, {
    ...range,
    entity: 'page',
    group_by: ['platform'],
    metrics: CITATION_METRICS,
  })
  const logged = { ...range, timezone: 'UTC', group_by: ['date', 'path'] as const }
  const bots = await app.reports.bots(SITE, { ...logged, metrics: ['hits', 'last_visit'] })
  const types = await app.reports.bots(SITE, { ...logged, group_by: ['date', 'page_type'], metrics: ['hits'] })
  const referrals = await app.reports.referrals(SITE, { ...logged, metrics: ['visits'] })
  const inMonth = (month: string) => (row: { readonly date?: string | undefined }) => row.date?.startsWith(month)
  return {
    decided: readDecided(app),
    ...Object.fromEntries(
      MONTHS.map((month) => [
        month,
        digest(visibility.data.filter(inMonth(month)), answers.data.filter(inMonth(month))),
      ]),
    ),
    citations: digest(citations.data, visibility.info.total_results, answers.info.total_results),
    logs: digest(bots.data, referrals.data),
    page_types: digest(types.data),
  }
}

function digest(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** Without what differs from one run to the next: made ids and times, and numbers, which a killed import may have used up. */
function readDecided({ catalog }: App): string {
  return JSON.stringify({
    site: catalog.sites.get(SITE).aliases,
    prompts: catalog.prompts.list(SITE).prompts.map(({ text, category, status }) => [text, category, status]),
    competitors: catalog.competitors.list(SITE).map(({ name, aliases, confirmed }) => [name, aliases, confirmed]),
    keys: catalog.keys.list().map(({ name, revokedAt }) => [name, revokedAt !== null]),
    scan: catalog.scans.last(SITE),
    changes: catalog.recordedChanges
      .list({ siteId: SITE, all: true })
      .map(({ kind, undoneBy }) => [kind, undoneBy !== null]),
    read: catalog.imports.listLogCheckpoints(SITE).map(({ bytes, lines }) => [bytes, lines]),
    counters: ['answer_no', 'host_no', 'page_no', 'path_no'].map((name) => catalog.sites.counter(SITE, name)),
  })
}
