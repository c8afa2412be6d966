import { expect, test } from 'vitest'
import { sql } from '../../src/lake/sql.ts'
import { ANSWER_LIST_ENTRIES_MAX } from '../../src/limits.ts'
import { rederiveSite } from '../../src/maintenance/rederive.ts'
import { CITATION_METRICS } from '../../src/reports/citations/contract.ts'
import { USUAL_VISIBILITY_METRICS } from '../../src/reports/visibility/contract.ts'
import { makeAnswers, openTestLake, SITE, type TestLake } from './support/lake.ts'

/** An answer with as many links as one may have, of which some are shared and `padding` tells how long they are. */
const makeLarge = (id: string, padding: number): object => ({
  id,
  date: '2026-10-05',
  platform: 'chatgpt',
  prompt: 'What of 0?',
  text: `Acme or Globex in ${id}.`,
  citations: Array.from({ length: ANSWER_LIST_ENTRIES_MAX }, (_, at) =>
    `https://site${at % 50}.example/${at % 3 === 0 ? '' : id}${at}`.padEnd(padding, 'x'),
  ),
})

/** What stands in the data sets that are derived anew, told small enough for a test. */
async function read({ app, files }: TestLake): Promise<unknown> {
  const range = { site_id: SITE, start_date: '2026-10-01', end_date: '2026-10-31', limit: 500 }
  const live = files()
  const [citations, pages, domains, visibility] = await Promise.all([
    app.lake.select(sql`
      SELECT day::VARCHAR AS day, count(*)::INTEGER AS links, count(DISTINCT page_no)::INTEGER AS pages,
        sum(position)::INTEGER AS positions, sum(first_of_page::INTEGER)::INTEGER AS firsts
      FROM ${app.lake.filesOf('citations', live)} GROUP BY ALL ORDER BY ALL`),
    app.lake.select(sql`
      SELECT count(*)::INTEGER AS pages, count(DISTINCT page)::INTEGER AS names FROM ${app.lake.filesOf('pages', live)}`),
    app.reports.citations(SITE, { ...range, entity: 'domain', group_by: ['date'], metrics: CITATION_METRICS }),
    app.reports.visibility(SITE, { ...range, group_by: ['date'], metrics: USUAL_VISIBILITY_METRICS, brands: 'all' }),
  ])
  return { citations, pages, domains: [...domains.data], visibility: [...visibility.data] }
}

test('a day that memory does not hold at once is derived anew, with the same reports afterwards', async () => {
  const lake = await openTestLake()
  const { app } = lake
  await lake.answers([
    ...makeAnswers('A', '2026-10', 20),
    ...Array.from({ length: 200 }, (_, at) => makeLarge(`short${at}`, 0)),
    ...Array.from({ length: 6 }, (_, at) => makeLarge(`long${at}`, 1_900)),
  ])
  const before = await read(lake)
  app.catalog.competitors.add(SITE, { id: 'initech', name: 'Initech', confirmed: false })
  const { answers } = await rederiveSite(app.change, { site: app.catalog.sites.get(SITE) })
  expect(answers).toBe(225)
  app.catalog.competitors.remove(SITE, 'initech')
  expect(await read(lake)).toEqual(before)
}, 120_000)
