/**
 * Every report on answers × every grouping × ranges of a day to a quarter, over a site with 1.5 million answers:
 * `node bench/report-grid.ts [reports…]`. Fails when a cell takes over three times what its neighbour in range takes (times
 * the days it has more): such a step is a plan that changed, not data that grew. Times are of the processor, the least of the
 * rounds; no report comes from the cache of results. The figures are in docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReportCache } from '../src/reports/cache.ts'
import { dayCount } from '../src/domain/day.ts'
import { CITATION_METRICS } from '../src/reports/citations/contract.ts'
import { USUAL_VISIBILITY_METRICS } from '../src/reports/visibility/contract.ts'
import type { ReportContext, ReportRun } from '../src/reports/run.ts'
import { reportAnswers } from '../src/reports/answers/query.ts'
import { reportCitations } from '../src/reports/citations/query.ts'
import { reportSentiment } from '../src/reports/sentiment/query.ts'
import { reportVisibility } from '../src/reports/visibility/query.ts'
import { makeSite } from './answer-lake.ts'

const SPAN = { firstDay: '2025-09-01', days: 430 } as const
const RATIO_MAX = 3
/** Below this a time says more about the machine than about the query. */
const NOISE_MS = 40
const ROUNDS = 3

/** Shortest first; a whole month stands beside the same month but a day. */
const RANGES = [
  ['2026-02-10', '2026-02-10'],
  ['2026-02-01', '2026-02-14'],
  ['2026-02-01', '2026-02-27'],
  ['2026-02-01', '2026-02-28'],
  ['2026-02-01', '2026-03-01'],
  ['2026-03-01', '2026-03-31'],
  ['2026-02-01', '2026-03-31'],
  ['2026-01-01', '2026-03-31'],
  ['2026-01-02', '2026-04-03'],
] as const

type Range = { site_id: string; start_date: string; end_date: string; limit: number }
type Run = (context: ReportContext, range: Range) => ReportRun<unknown>

/** Every subset of the dimensions, the empty one first. */
function listGroupings<const D extends string>([first, ...others]: readonly D[]): D[][] {
  if (first === undefined) return [[]]
  const rest = listGroupings(others)
  return [...rest, ...rest.map((some) => [first, ...some])]
}

const REPORTS: Readonly<Record<string, readonly (readonly [grouping: string, run: Run])[]>> = {
  visibility: listGroupings(['date', 'platform', 'prompt', 'category']).map((group_by) => [
    `[${group_by.join(', ')}]`,
    (context, range) =>
      reportVisibility(context, range.site_id, {
        ...range,
        group_by,
        metrics: USUAL_VISIBILITY_METRICS,
        brands: 'all',
      }),
  ]),
  domains: listGroupings(['date', 'platform', 'prompt']).map((group_by) => [
    `[${group_by.join(', ')}]`,
    (context, range) =>
      reportCitations(context, range.site_id, { ...range, entity: 'domain', group_by, metrics: CITATION_METRICS }),
  ]),
  pages: listGroupings(['date', 'platform', 'prompt']).map((group_by) => [
    `[${group_by.join(', ')}]`,
    (context, range) =>
      reportCitations(context, range.site_id, { ...range, entity: 'page', group_by, metrics: CITATION_METRICS }),
  ]),
  'pages of third parties': listGroupings(['date', 'platform', 'prompt']).map((group_by) => [
    `[${group_by.join(', ')}]`,
    (context, range) =>
      reportCitations(context, range.site_id, {
        ...range,
        entity: 'page',
        group_by,
        metrics: CITATION_METRICS,
        filter: { field: 'owner', op: 'is', value: 'third_party' },
      }),
  ]),
  sentiment: listGroupings(['date', 'platform', 'prompt', 'category']).map((group_by) => [
    `[${group_by.join(', ')}]`,
    (context, range) => reportSentiment(context, range.site_id, { ...range, group_by }),
  ]),
  answers: [
    ['', (context, range) => reportAnswers(context, range.site_id, { ...range, include: ['text', 'citations'] })],
  ],
}

const wanted = process.argv.slice(2)
const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
let missed = 0
try {
  await using site = await makeSite(dir, SPAN)
  for (const [report, groupings] of Object.entries(REPORTS)) {
    if (wanted.length > 0 && !wanted.includes(report)) continue
    for (const [grouping, run] of groupings) {
      const cells: { range: string; days: number; ms: number }[] = []
      for (const [start_date, end_date] of RANGES) {
        const range = { site_id: site.siteId, start_date, end_date, limit: 50 }
        const ms = await time(() => run({ ...site.app.reporting, cache: createReportCache() }, range).page())
        cells.push({ range: `${start_date} to ${end_date}`, days: dayCount(start_date, end_date), ms })
      }
      const steps = cells.filter((cell, place) =>
        [cells[place - 1], cells[place + 1]].some((other) => other !== undefined && isStep(cell, other)),
      )
      missed += steps.length
      console.log(`${report} ${grouping}: ${cells.map(({ days, ms }) => `${days} d ${ms.toFixed(0)} ms`).join(', ')}`)
      for (const { range, ms } of steps) console.log(`  MISSED: ${range} takes ${ms.toFixed(0)} ms`)
    }
  }
} finally {
  rmSync(dir, { recursive: true })
}
console.log(missed === 0 ? 'met: no cell is a step' : `${missed} cells are steps`)
process.exitCode = missed === 0 ? 0 : 1

function isStep(cell: { days: number; ms: number }, other: { days: number; ms: number }): boolean {
  return cell.ms > RATIO_MAX * Math.max(other.ms, NOISE_MS) * Math.max(1, cell.days / other.days)
}

/** Milliseconds of processor time over all threads: other work on the machine hardly shows in it. */
async function time(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
