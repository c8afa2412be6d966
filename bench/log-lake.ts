import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type App, openApp } from '../src/app.ts'
import { changeLake } from '../src/change/change-lake.ts'
import { parseConfig } from '../src/config.ts'
import { sql } from '../src/lake/sql.ts'
import { listBots } from '../src/reference/bots.ts'

/** Bot hits of a busy site: 100 million in 400 days, on 20,000 paths, by 30 bots; nearly each is a row of its own. */
export const BUSY_SITE = { firstDay: '2025-09-27', lastDay: '2026-10-31', days: 400, paths: 20_000, bots: 30 } as const
/** Of each path with an even number on each day; those with an odd one have one more. */
const HITS = 12

export interface LogLake extends AsyncDisposable {
  readonly app: App
  readonly siteId: string
  readonly hits: number
  /** What the naive files took of the time of making, in milliseconds. */
  readonly naiveMs: number
  /** The same hits as one would write them first, a row each, with the keys of both dictionaries as integers. */
  readonly naive: { readonly hits: string; readonly paths: string; readonly bots: string }
}

/**
 * Makes the hits twice from the same numbers: in a data directory by a commit, and as naive files in the order of a log
 * beside it.
 */
export async function makeLogLake(dir: string): Promise<LogLake> {
  const app = await openApp(parseConfig({ dataDir: join(dir, 'data'), environment: {} }, {}, ''), {
    mode: 'server',
    create: true,
  })
  const site = app.catalog.sites.create({ name: 'Example', domain: 'example.com' })
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  const naiveDir = join(dir, 'naive')
  mkdirSync(naiveDir)
  const naive = {
    hits: join(naiveDir, 'hits-*.parquet'),
    paths: join(naiveDir, 'paths.parquet'),
    bots: join(naiveDir, 'bots.parquet'),
  }
  await makeDictionaries(connection, naive)
  let naiveMs = 0
  await changeLake(app.change, { site, group: 'logs', kind: 'import_logs' }, async (change) => {
    for (const ofMonth of listMonths()) {
      const { month } = ofMonth
      await makeHits(connection, ofMonth)
      for (const [dataset, select] of Object.entries(SELECT)) {
        await change.staging.write(connection, dataset as keyof typeof SELECT, month, select)
      }
      const before = performance.now()
      await connection.run(
        `COPY (
           SELECT day, quarter, path_no, bot_no, verification_no, error_hits FROM hits ORDER BY day, quarter, last_second
         )
         TO '${join(naiveDir, `hits-${month}.parquet`)}' (FORMAT parquet)`,
      )
      naiveMs += performance.now() - before
    }
    await change.staging.write(connection, 'paths', 'all', sql`SELECT * FROM paths ORDER BY path_no`)
    await change.commit(() => app.catalog.sites.setCounter(site.id, 'path_no', BUSY_SITE.paths + 1))
  })
  connection.closeSync()
  instance.closeSync()
  const hits = (BUSY_SITE.days * BUSY_SITE.paths * (2 * HITS + 1)) / 2
  return { app, siteId: site.id, hits, naiveMs, naive, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

async function makeDictionaries(connection: DuckDBConnection, naive: LogLake['naive']): Promise<void> {
  await connection.run(`
    CREATE TABLE paths AS
    SELECT i + 1 AS path_no, '/section-' || (i % 40) || '/page-' || i AS path, 1 + (i % 9) AS page_type_no
    FROM range(${BUSY_SITE.paths}) AS t(i)`)
  const bots = listBots()
    .filter(({ type }) => type !== null)
    .slice(0, BUSY_SITE.bots)
    .map(({ botNo, name }, place) => `(${place}, ${botNo}, '${name}')`)
  await connection.run(`CREATE TABLE bots AS FROM (VALUES ${bots.join(', ')}) AS t(place, bot_no, bot_name)`)
  await connection.run(`COPY (SELECT path_no, path FROM paths) TO '${naive.paths}' (FORMAT parquet)`)
  await connection.run(`COPY (SELECT bot_no, bot_name FROM bots) TO '${naive.bots}' (FORMAT parquet)`)
}

interface MonthOfHits {
  /** `YYYY-MM`. */
  readonly month: string
  /** Its days in the range, counted from the first of all; `end` is behind them. */
  readonly start: number
  readonly end: number
}

function listMonths(): MonthOfHits[] {
  const firstMs = Date.parse(`${BUSY_SITE.firstDay}T00:00:00Z`)
  const days = Array.from({ length: BUSY_SITE.days }, (_, d) => ({
    d,
    month: new Date(firstMs + d * 86_400_000).toISOString().slice(0, 7),
  }))
  const byMonth = Map.groupBy(days, ({ month }) => month)
  return [...byMonth].map(([month, ofMonth]) => {
    const start = ofMonth[0]?.d ?? 0
    return { month, start, end: start + ofMonth.length }
  })
}

/**
 * Numbers that look drawn and are the same in every run, whatever thread makes them. By day, path and bot they come in
 * their order: each bot has its share of a path's hits.
 */
async function makeHits(connection: DuckDBConnection, { start, end }: MonthOfHits): Promise<void> {
  const { firstDay, paths, bots } = BUSY_SITE
  await connection.run(`
    CREATE OR REPLACE TABLE hits AS
    SELECT
      DATE '${firstDay}' + d::INTEGER AS day, path_no, 1 + (path_no - 1) % 9 AS page_type_no, (SELECT list(bot_no ORDER BY place) FROM bots)[place + 1] AS bot_no,
      CASE WHEN lot % 50 = 0 THEN 1 WHEN place % 3 = 0 THEN 2 ELSE 0 END::SMALLINT AS verification_no,
      ((lot >> 16) % 96)::SMALLINT AS quarter, 1 AS hits, ((lot >> 24) % 100 < 7)::INTEGER AS error_hits,
      ((lot >> 40) % 900)::SMALLINT AS last_second
    FROM (
      SELECT
        *, hash((d * ${paths} + path_no) * 16 + k) AS lot,
        (k * 65536 + (lot & 65535)::BIGINT) * ${bots} // ((${HITS} + path_no % 2) * 65536) AS place
      FROM (
        SELECT *, unnest(range(${HITS} + path_no % 2)) AS k
        FROM (
          SELECT i // ${paths} AS d, (i % ${paths})::INTEGER + 1 AS path_no
          FROM range(${start * paths}, ${end * paths}) AS t(i)
        )
      )
    )`)
}

const SUMS = sql`sum(hits) AS hits, sum(error_hits) AS error_hits, max(last_second) AS last_second`

const SELECT = {
  bot_hits: sql`SELECT *, 1 AS import_no FROM hits`,
  bot_rollup: sql`SELECT day, bot_no, verification_no, quarter, ${SUMS} FROM hits GROUP BY ALL ORDER BY ALL`,
  bot_page_types: sql`SELECT day, page_type_no, bot_no, verification_no, quarter, ${SUMS} FROM hits GROUP BY ALL ORDER BY ALL`,
  bot_months: sql`
    SELECT
      date_trunc('month', hits.day) AS day, path_no, bot_no, verification_no, sum(hits) AS hits,
      sum(error_hits) AS error_hits, max(epoch(hits.day)::BIGINT + quarter::INTEGER * 900 + last_second) AS last_epoch
    FROM hits GROUP BY ALL ORDER BY ALL`,
} as const
