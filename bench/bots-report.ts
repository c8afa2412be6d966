/**
 * `/v1/reports/bots` over 400 days and 100 million hits of 30 bots on 20,000 paths: `node bench/bots-report.ts`. Reports
 * with paths stand against naive SQL over single rows with integer keys, in the same run and with the same answers; each
 * time is the median of the rounds, no report comes from the cache of results. A repeated answer does. The figures are in
 * docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { reportBots } from '../src/reports/bots/query.ts'
import { createReportCache } from '../src/reports/cache.ts'
import type { BotsRequest } from '../src/reports/bots/contract.ts'
import { BUSY_SITE, type LogLake, makeLogLake } from './log-lake.ts'

const ROUNDS = 5
const PAGE = 50
const REPEATED_MS_MAX = 5
/** Of the report's time to the naive SQL's, and of a report without paths on its first answer. */
const RATIO_MAX = 0.5
const FIRST_MS_MAX = 150

type Metric = BotsRequest['metrics'][number]

interface Question {
  readonly group_by: BotsRequest['group_by']
  readonly metrics: readonly Metric[]
  /** Over the naive files: the first page, group fields then metrics, then the number of all groups. */
  readonly naive?: (naive: LogLake['naive']) => string
}

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
try {
  const started = performance.now()
  await using lake = await makeLogLake(dir)
  const seconds = (performance.now() - started - lake.naiveMs) / 1_000
  console.log(`${lake.hits.toLocaleString('en')} hits made in ${seconds.toFixed(1)} s, besides the naive files`)
  const instance = await DuckDBInstance.create(':memory:', { threads: String(lake.app.config.queryThreads) })
  const connection = await instance.connect()
  for (const question of listQuestions()) await ask(lake, connection, question)
} finally {
  rmSync(dir, { recursive: true })
}

function listQuestions(): Question[] {
  const kept = 'verification_no <> 1'
  const totals = '(count(*) OVER ())::DOUBLE'
  return [
    { group_by: ['date', 'bot_name'], metrics: ['hits', 'verified_share', 'error_hits', 'last_visit'] },
    {
      group_by: ['path'],
      metrics: ['hits'],
      naive: ({ hits, paths }) => `
        SELECT path, hits::DOUBLE, total
        FROM (SELECT path_no, count(*) AS hits, ${totals} AS total FROM '${hits}' WHERE ${kept} GROUP BY path_no)
        JOIN '${paths}' USING (path_no) ORDER BY hits DESC, path LIMIT ${PAGE}`,
    },
    {
      group_by: ['date', 'path'],
      metrics: ['hits'],
      naive: ({ hits, paths }) => `
        SELECT strftime(day, '%Y-%m-%d'), path, hits::DOUBLE, total
        FROM (SELECT day, path_no, count(*) AS hits, ${totals} AS total FROM '${hits}' WHERE ${kept} GROUP BY day, path_no)
        JOIN '${paths}' USING (path_no) ORDER BY day, hits DESC, path LIMIT ${PAGE}`,
    },
    {
      group_by: ['bot_name'],
      metrics: ['hits', 'pages'],
      naive: ({ hits, bots }) => `
        SELECT bot_name, hits::DOUBLE, pages::DOUBLE, total
        FROM (
          SELECT bot_no, count(*) AS hits, count(DISTINCT path_no) AS pages, ${totals} AS total
          FROM '${hits}' WHERE ${kept} GROUP BY bot_no
        ) JOIN '${bots}' USING (bot_no) ORDER BY hits DESC, bot_name LIMIT ${PAGE}`,
    },
    {
      group_by: ['date'],
      metrics: ['hits', 'pages'],
      naive: ({ hits }) => `
        SELECT strftime(day, '%Y-%m-%d'), count(*)::DOUBLE, count(DISTINCT path_no)::DOUBLE, ${totals}
        FROM '${hits}' WHERE ${kept} GROUP BY day ORDER BY day LIMIT ${PAGE}`,
    },
    {
      group_by: ['date', 'bot_name'],
      metrics: ['hits', 'pages'],
      naive: ({ hits, bots }) => `
        SELECT strftime(day, '%Y-%m-%d'), bot_name, hits::DOUBLE, pages::DOUBLE, total
        FROM (
          SELECT day, bot_no, count(*) AS hits, count(DISTINCT path_no) AS pages, ${totals} AS total
          FROM '${hits}' WHERE ${kept} GROUP BY day, bot_no
        ) JOIN '${bots}' USING (bot_no) ORDER BY day, hits DESC, bot_name LIMIT ${PAGE}`,
    },
  ]
}

async function ask({ app, siteId, naive }: LogLake, connection: DuckDBConnection, question: Question): Promise<void> {
  const request: BotsRequest = {
    site_id: siteId,
    start_date: BUSY_SITE.firstDay,
    end_date: BUSY_SITE.lastDay,
    timezone: 'UTC',
    group_by: question.group_by,
    metrics: question.metrics,
    limit: PAGE,
  }
  const times = { ours: [] as number[], naive: [] as number[], repeated: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const context = { ...app.reporting, cache: createReportCache() }
    const { result, ms } = await time(() => reportBots(context, siteId, request).page())
    times.ours.push(ms)
    times.repeated.push((await time(() => reportBots(context, siteId, request).page())).ms)
    if (!question.naive) continue
    const sql = question.naive(naive)
    const asked = await time(() => connection.runAndReadAll(sql))
    times.naive.push(asked.ms)
    if (round > 0) continue
    const rows = result.data.map((row) => [
      ...[...question.group_by, ...question.metrics].map((name) => row[name] ?? null),
      result.info.total_results,
    ])
    expectSame(rows, asked.result.getRowsJS())
  }
  const name = `${question.group_by.join(' and ')}: ${question.metrics.join(', ')}`
  const [first = Number.NaN] = times.ours
  const [ours, other, repeated] = [median(times.ours), median(times.naive), median(times.repeated)]
  console.log(
    question.naive
      ? `${name}: naive ${other.toFixed(0)} ms, ours ${ours.toFixed(0)} ms, ratio ${(ours / other).toFixed(3)} (at most ${RATIO_MAX}): ${toVerdict(ours / other <= RATIO_MAX)}`
      : `${name}: first ${first.toFixed(0)} ms (at most ${FIRST_MS_MAX}): ${toVerdict(first <= FIRST_MS_MAX)}; median ${ours.toFixed(0)} ms`,
  )
  console.log(
    `  repeated: ${repeated.toFixed(2)} ms (at most ${REPEATED_MS_MAX}): ${toVerdict(repeated <= REPEATED_MS_MAX)}`,
  )
}

async function time<T>(run: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now()
  const result = await run()
  return { result, ms: performance.now() - started }
}

function toVerdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED'
}

function expectSame(rows: readonly unknown[][], expected: readonly unknown[][]): void {
  const wrong = expected.findIndex((cells, row) => cells.some((cell, column) => rows[row]?.[column] !== cell))
  if (rows.length === expected.length && wrong < 0) return
  throw new Error(`row ${wrong} is ${JSON.stringify(rows[wrong])}, not ${JSON.stringify(expected[wrong])}`)
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}
