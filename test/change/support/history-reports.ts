import type { App } from '../../../src/app.ts'
import { USUAL_ANSWER_FIELDS } from '../../../src/reports/answers/contract.ts'
import { BOT_METRICS } from '../../../src/reports/bots/contract.ts'
import { CITATION_METRICS } from '../../../src/reports/citations/contract.ts'
import { REFERRAL_METRICS } from '../../../src/reports/referrals/contract.ts'
import { USUAL_VISIBILITY_METRICS } from '../../../src/reports/visibility/contract.ts'
import { findDifference, withoutMadeId } from '../../reports/support/compare.ts'
import { expectAnswers } from '../../support/oracle/answers.ts'
import { expectCitations } from '../../support/oracle/citations.ts'
import { expectBots, expectReferrals } from '../../support/oracle/log-reports.ts'
import { expectSentiment } from '../../support/oracle/sentiment.ts'
import { readTruth } from '../../support/oracle/truth.ts'
import { expectVisibility } from '../../support/oracle/visibility.ts'
import type { WorldRecord } from '../../support/oracle/world.ts'
import { SITE, WORLD } from './history-lake.ts'
import type { LogEvent } from './history-model.ts'

type Rows = readonly object[]

/** All days, the whole months among them, and more rows than there can be. */
const ALL = { site_id: SITE, start_date: '2026-08-01', end_date: '2026-10-31', limit: 100_000 }
const SOME = { ...ALL, start_date: '2026-08-30', end_date: '2026-09-17' }
const visibility = { ...ALL, group_by: ['date', 'platform'], metrics: USUAL_VISIBILITY_METRICS, brands: 'all' } as const
const byPrompt = { ...SOME, group_by: ['prompt'], metrics: USUAL_VISIBILITY_METRICS, brands: 'owned' } as const
const pages = { ...ALL, entity: 'page', group_by: ['platform'], metrics: CITATION_METRICS } as const
const domains = { ...SOME, entity: 'domain', group_by: [], metrics: CITATION_METRICS } as const
const sentiment = { ...ALL, group_by: ['prompt', 'date'], metrics: undefined } as const
const answers = { ...ALL, include: USUAL_ANSWER_FIELDS } as const
const bots = {
  ...SOME,
  timezone: 'Asia/Kolkata',
  group_by: ['date', 'bot_name', 'path'],
  metrics: BOT_METRICS,
} as const
const botTypes = { ...ALL, timezone: 'UTC', group_by: ['date', 'page_type'], metrics: BOT_METRICS } as const
const botMonths = {
  ...ALL,
  timezone: 'UTC',
  group_by: ['path'],
  metrics: ['hits', 'error_hits', 'last_visit'],
} as const
const referrals = { ...ALL, timezone: 'UTC', group_by: ['referral_source', 'path'], metrics: REFERRAL_METRICS } as const

/** Reports of one kind of input: as a lake answers them, and as a loop over what should be there counts them. */
export interface ReportsOf<T> {
  read(app: App): Promise<Record<string, Rows>>
  expect(items: readonly T[]): Record<string, Rows>
}

/** With what is said of the newest day. */
export const ANSWER_REPORTS: ReportsOf<WorldRecord> = {
  read: async ({ reports, catalog }) => ({
    scan: [{ last: catalog.scans.last(SITE) }],
    ...(await readAll({
      visibility: () => reports.visibility(SITE, visibility),
      byPrompt: () => reports.visibility(SITE, byPrompt),
      pages: () => reports.citations(SITE, pages),
      domains: () => reports.citations(SITE, domains),
      sentiment: () => reports.sentiment(SITE, sentiment),
      answers: () => reports.answers(SITE, answers),
    })),
  }),
  expect(records) {
    const truth = readTruth(WORLD, [[records]])
    return {
      visibility: expectVisibility(truth, visibility),
      byPrompt: expectVisibility(truth, byPrompt),
      pages: expectCitations(truth, pages),
      domains: expectCitations(truth, domains),
      sentiment: expectSentiment(truth, sentiment),
      answers: expectAnswers(truth, answers),
    }
  },
}

export const LOG_REPORTS: ReportsOf<LogEvent> = {
  read: ({ reports }) =>
    readAll({
      bots: () => reports.bots(SITE, bots),
      botTypes: () => reports.bots(SITE, botTypes),
      botMonths: () => reports.bots(SITE, botMonths),
      referrals: () => reports.referrals(SITE, referrals),
    }),
  expect(events) {
    const logs = {
      ranges: [],
      imports: [],
      hits: events.flatMap(({ hit }) => (hit ? [hit] : [])),
      visits: events.flatMap(({ visit }) => (visit ? [visit] : [])),
    }
    return {
      bots: expectBots(logs, bots),
      botTypes: expectBots(logs, botTypes),
      botMonths: expectBots(logs, botMonths),
      referrals: expectReferrals(logs, referrals),
    }
  },
}

async function readAll(
  asked: Readonly<Record<string, () => Promise<{ readonly data: Iterable<object> }>>>,
): Promise<Record<string, Rows>> {
  const read: Record<string, Rows> = {}
  for (const [name, page] of Object.entries(asked)) {
    read[name] = Array.from((await page()).data, (row) => withoutMadeId({ ...row }))
  }
  return read
}

/** The first difference of each report that `expected` has; none when they are equal. */
export function compareReports(found: Record<string, Rows>, expected: Record<string, Rows>): string[] {
  return Object.entries(expected).flatMap(([name, rows]) => {
    const difference = findDifference(found[name], rows, name)
    return difference === undefined ? [] : [difference]
  })
}
