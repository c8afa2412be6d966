/**
 * Reports over one site-quarter against hand-written SQL over naive Parquet (text keys, `count(DISTINCT …)`), in the same
 * run and with the same answers: `node bench/reports.ts`. Each time is the median of the rounds; no report comes from the
 * cache of results. The figures are in docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { createReportCache } from '../src/reports/cache.ts'
import { reportCitations } from '../src/reports/citations/query.ts'
import { CITATION_METRICS } from '../src/reports/citations/contract.ts'
import {
  USUAL_VISIBILITY_METRICS,
  VISIBILITY_METRICS,
  type VisibilityRequest,
} from '../src/reports/visibility/contract.ts'
import type { ReportContext } from '../src/reports/run.ts'
import { reportVisibility } from '../src/reports/visibility/query.ts'
import { makeSiteQuarter, QUARTER, type SiteQuarter } from './answer-lake.ts'

const ROUNDS = 11
const PAGE = 50
const REPEATS = 1_000
const REPEAT_MS_MAX = 0.4
const TOLERANCE = 1e-9
/** What visibility with intervals may take of the plain report's time. */
const CERTAINTY_RATIO_MAX = 1.5
const CERTAINTY_GROUPINGS = [[], ['date'], ['platform'], ['category'], ['prompt']] as const

interface Comparison {
  readonly name: string
  /** What our time may be of the naive SQL's. */
  readonly ratioMax: number
  readonly naive: string
  /** Rows of the first page with the naive SQL's columns, in its order. */
  readonly ours: (context: ReportContext) => Promise<(string | number | null)[][]>
}

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
try {
  await using quarter = await makeSiteQuarter(dir)
  const instance = await DuckDBInstance.create(':memory:', { threads: String(quarter.app.config.queryThreads) })
  const connection = await instance.connect()
  for (const comparison of listComparisons(quarter)) await compare(quarter, connection, comparison)
  for (const grouping of CERTAINTY_GROUPINGS) await weigh(quarter, grouping)
  await repeat(quarter)
} finally {
  rmSync(dir, { recursive: true })
}

async function compare(
  { app }: SiteQuarter,
  connection: DuckDBConnection,
  { name, ratioMax, naive, ours }: Comparison,
): Promise<void> {
  const times = { naive: [] as number[], ours: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now()
    const expected = (await connection.runAndReadAll(naive)).getRowsJS()
    const between = performance.now()
    const rows = await ours({ ...app.reporting, cache: createReportCache() })
    const after = performance.now()
    times.naive.push(between - before)
    times.ours.push(after - between)
    if (round === 0) expectSame(name, rows, expected)
  }
  const [naiveMs, oursMs] = [median(times.naive), median(times.ours)]
  const ratio = oursMs / naiveMs
  console.log(
    `${name}: naive ${naiveMs.toFixed(1)} ms, ours ${oursMs.toFixed(1)} ms, ratio ${ratio.toFixed(3)} (at most ${ratioMax}): ${ratio <= ratioMax ? 'met' : 'MISSED'}`,
  )
}

/** Visibility with every interval against the plain report, turn by turn, by wall clock and by processor time. */
async function weigh({ app, siteId }: SiteQuarter, group_by: VisibilityRequest['group_by']): Promise<void> {
  const range = { site_id: siteId, start_date: QUARTER.firstDay, end_date: QUARTER.lastDay, limit: PAGE }
  const kinds = [USUAL_VISIBILITY_METRICS, VISIBILITY_METRICS].map((metrics) => ({
    metrics,
    wall: [] as number[],
    cpu: [] as number[],
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { metrics, wall, cpu } of kinds) {
      const before = [performance.now(), process.cpuUsage()] as const
      const context = { ...app.reporting, cache: createReportCache() }
      await reportVisibility(context, siteId, { ...range, group_by, metrics, brands: 'all' }).page()
      const { user, system } = process.cpuUsage(before[1])
      wall.push(performance.now() - before[0])
      cpu.push((user + system) / 1_000)
    }
  }
  const [plain, sure] = kinds.map(({ wall, cpu }) => ({ wall: median(wall), cpu: median(cpu) }))
  const ratio = (sure?.wall ?? 0) / (plain?.wall ?? 0)
  console.log(
    `visibility by ${group_by.join(', ') || 'nothing'} with all intervals: plain ${plain?.wall.toFixed(1)} ms, with them ` +
      `${sure?.wall.toFixed(1)} ms, ratio ${ratio.toFixed(2)} (at most ${CERTAINTY_RATIO_MAX}; of processor time ` +
      `${((sure?.cpu ?? 0) / (plain?.cpu ?? 0)).toFixed(2)}): ${ratio <= CERTAINTY_RATIO_MAX ? 'met' : 'MISSED'}`,
  )
}

/** An answer from the cache of results, without HTTP: what is left is looking the site up and holding its files. */
async function repeat({ app, siteId }: SiteQuarter): Promise<void> {
  const request = {
    site_id: siteId,
    start_date: QUARTER.firstDay,
    end_date: QUARTER.lastDay,
    limit: PAGE,
    ...({
      group_by: ['date'],
      metrics: USUAL_VISIBILITY_METRICS,
      brands: 'all',
    } as const),
  }
  await reportVisibility(app.reporting, siteId, request).page()
  const before = process.cpuUsage()
  for (let round = 0; round < REPEATS; round++) await reportVisibility(app.reporting, siteId, request).page()
  const { user, system } = process.cpuUsage(before)
  const each = (user + system) / 1_000 / REPEATS
  console.log(
    `a repeated visibility answer: ${each.toFixed(2)} ms of processor time (at most ${REPEAT_MS_MAX}): ${each <= REPEAT_MS_MAX ? 'met' : 'MISSED'}`,
  )
}

function listComparisons({ siteId, naive }: SiteQuarter): Comparison[] {
  const range = { site_id: siteId, start_date: QUARTER.firstDay, end_date: QUARTER.lastDay, limit: PAGE }
  return [
    {
      name: 'visibility by date for all brands',
      ratioMax: 0.25,
      naive: `
        WITH
          groups AS (
            SELECT day, count(*) AS answers, count(DISTINCT prompt_id) AS prompts FROM '${naive.answers}' GROUP BY day
          ),
          named AS (
            SELECT day, brand, count(DISTINCT answer_id) AS named, count(DISTINCT prompt_id) AS covered, avg(position) AS average_position
            FROM '${naive.mentions}' GROUP BY day, brand
          ),
          cited AS (
            SELECT day, brand, count(DISTINCT answer_id) AS cited
            FROM '${naive.citations}' JOIN '${naive.brands}' USING (domain) GROUP BY day, brand
          ),
          rates AS (
            SELECT
              day, brand, named / answers AS mention_rate, coalesce(cited, 0) / answers AS citation_rate,
              covered / prompts AS prompt_coverage, average_position, named / sum(named) OVER (PARTITION BY day) AS share_of_voice,
              answers
            FROM groups JOIN named USING (day) LEFT JOIN cited USING (day, brand)
          ),
          scored AS (
            SELECT *, 45 * mention_rate + 35 * citation_rate + 20 * prompt_coverage AS visibility_score FROM rates
          )
        SELECT
          strftime(day, '%Y-%m-%d'), brand, rank() OVER (PARTITION BY day ORDER BY round(visibility_score, 9) DESC)::DOUBLE AS rank,
          visibility_score, mention_rate, citation_rate, prompt_coverage, average_position, share_of_voice, answers::DOUBLE,
          (count(*) OVER ())::DOUBLE
        FROM scored ORDER BY day, rank, brand LIMIT ${PAGE}`,
      async ours(context) {
        const request = { ...range, group_by: ['date'], metrics: USUAL_VISIBILITY_METRICS, brands: 'all' } as const
        const { info, data } = await reportVisibility(context, siteId, request).page()
        return data.map((row) => [
          row.date ?? '',
          row.brand.name,
          row.rank,
          ...USUAL_VISIBILITY_METRICS.map((metric) => row[metric] ?? null),
          info.total_results,
        ])
      },
    },
    {
      name: 'citations by domain',
      ratioMax: 0.15,
      naive: `
        SELECT
          domain, (rank() OVER (ORDER BY count(DISTINCT answer_id) DESC))::DOUBLE, count(DISTINCT answer_id)::DOUBLE AS answers,
          count(*)::DOUBLE AS citations, count(*) / sum(count(*)) OVER (), (count(*) OVER ())::DOUBLE
        FROM '${naive.citations}' GROUP BY domain ORDER BY answers DESC, citations DESC, domain LIMIT ${PAGE}`,
      async ours(context) {
        const request = { ...range, entity: 'domain', group_by: [], metrics: CITATION_METRICS } as const
        const { info, data } = await reportCitations(context, siteId, request).page()
        return data.map((row) => [
          row.domain ?? '',
          row.rank,
          ...CITATION_METRICS.map((metric) => row[metric] ?? null),
          info.total_results,
        ])
      },
    },
    {
      name: 'pages by date',
      ratioMax: 0.35,
      naive: `
        SELECT
          strftime(day, '%Y-%m-%d'), page, (rank() OVER (PARTITION BY day ORDER BY count(DISTINCT answer_id) DESC))::DOUBLE,
          count(DISTINCT answer_id)::DOUBLE AS answers, count(*)::DOUBLE AS citations,
          count(*) / sum(count(*)) OVER (PARTITION BY day), (count(*) OVER ())::DOUBLE
        FROM '${naive.citations}' GROUP BY day, page ORDER BY day, answers DESC, citations DESC, page LIMIT ${PAGE}`,
      async ours(context) {
        const request = { ...range, entity: 'page', group_by: ['date'], metrics: CITATION_METRICS } as const
        const { info, data } = await reportCitations(context, siteId, request).page()
        return data.map((row) => [
          row.date ?? '',
          row.page ?? '',
          row.rank,
          ...CITATION_METRICS.map((metric) => row[metric] ?? null),
          info.total_results,
        ])
      },
    },
  ]
}

function expectSame(name: string, rows: readonly (string | number | null)[][], expected: readonly unknown[][]): void {
  const differs = (found: unknown, wanted: unknown): boolean =>
    typeof found === 'number' && typeof wanted === 'number' ? Math.abs(found - wanted) > TOLERANCE : found !== wanted
  const wrong = expected.findIndex((cells, row) => cells.some((cell, column) => differs(rows[row]?.[column], cell)))
  if (rows.length === expected.length && wrong < 0) return
  throw new Error(`${name}: row ${wrong} is ${JSON.stringify(rows[wrong])}, not ${JSON.stringify(expected[wrong])}`)
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}
