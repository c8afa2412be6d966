import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type App, openApp } from '../src/app.ts'
import { changeLake } from '../src/change/change-lake.ts'
import { parseConfig } from '../src/config.ts'
import { CATEGORIES, ENGINE_IDS } from '../src/domain/enums.ts'
import { sql, text } from '../src/lake/sql.ts'
import { shiftDay } from '../src/domain/day.ts'

/** Days of answers that a made site has: each day every prompt is asked of every engine, 3,500 answers. */
export interface AnswerDays {
  readonly firstDay: string
  readonly days: number
}

/** A quarter of one site: 322,000 answers, 1.1 million mentions, 1.9 million links, 30,000 hosts, 250,000 pages. */
export const QUARTER = { firstDay: '2026-08-01', lastDay: '2026-10-31', days: 92 } as const
const PROMPTS = 500
const BRANDS = 20
const LINKS_AN_ANSWER = 6
const HOSTS = 30_000
const PAGES = 250_000
const NAMED_SHARE = 0.171
const FORMAT = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)'

export interface MadeSite extends AsyncDisposable {
  readonly app: App
  readonly siteId: string
}

export interface SiteQuarter extends MadeSite {
  /** Files of the same quarter as one would write them first: text keys, no numbers, no flags. */
  readonly naive: {
    readonly answers: string
    readonly mentions: string
    readonly citations: string
    readonly brands: string
  }
}

/** Makes the quarter twice from the same numbers, in a data directory by a commit and as naive files beside it. */
export async function makeSiteQuarter(dir: string): Promise<SiteQuarter> {
  let naive: SiteQuarter['naive'] | undefined
  const site = await makeSite(dir, QUARTER, async (connection) => {
    naive = await writeNaive(connection, join(dir, 'naive'))
  })
  if (!naive) throw new Error('the naive files were not written')
  return { ...site, naive }
}

/** Makes a site with these days in a data directory below `dir`; `alsoWrite` sees the tables it was made from. */
export async function makeSite(
  dir: string,
  span: AnswerDays,
  alsoWrite?: (connection: DuckDBConnection) => Promise<void>,
): Promise<MadeSite> {
  const config = parseConfig({ dataDir: join(dir, 'data'), environment: {} }, {}, '')
  const app = await openApp(config, { mode: 'server', create: true })
  const site = app.catalog.sites.create({ name: brandName(0), domain: brandDomain(0) })
  for (let no = 1; no < BRANDS; no++) {
    app.catalog.competitors.add(site.id, { name: brandName(no), domains: [brandDomain(no)] })
  }
  app.catalog.prompts.add(
    site.id,
    Array.from({ length: PROMPTS }, (_, no) => ({
      text: `Question ${no}`,
      category: CATEGORIES[no % CATEGORIES.length] ?? 'Discovery',
    })),
  )

  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  await makeTables(connection, span)
  await commitAnswers(app, site.id, connection, span)
  await alsoWrite?.(connection)
  connection.closeSync()
  instance.closeSync()
  return { app, siteId: site.id, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

function brandName(no: number): string {
  return `Brand ${String(no).padStart(2, '0')}`
}

/** Sites at the frequent end of the hosts: a brand's own pages are among what is cited most. */
function brandDomain(no: number): string {
  return `site${100 + no * 7}.com`
}

async function makeTables(connection: DuckDBConnection, { firstDay, days }: AnswerDays): Promise<void> {
  // One thread draws the random numbers: the same quarter every time.
  await connection.run('SET threads = 1')
  await connection.run('SELECT setseed(0.42)')
  await connection.run(`
    CREATE TABLE answers AS
    SELECT
      row_number() OVER () AS answer_no, DATE '${firstDay}' + d::INTEGER AS day, e AS platform_no, p AS prompt_no
    FROM range(${days}) AS t(d), range(1, ${ENGINE_IDS.length + 1}) AS u(e), range(1, ${PROMPTS + 1}) AS v(p)`)
  await connection.run(`
    CREATE TABLE drawn AS
    SELECT answers.*, b AS brand_no, random() AS lot
    FROM answers, range(${BRANDS}) AS t(b)
    WHERE random() < ${NAMED_SHARE}`)
  await connection.run(`
    CREATE TABLE mentions AS
    SELECT * EXCLUDE (lot), row_number() OVER (PARTITION BY answer_no ORDER BY lot) AS position FROM drawn`)
  await connection.run(`
    CREATE TABLE hosts AS
    SELECT i + 1 AS host_no, 'www.site' || i || '.com' AS host, 'site' || i || '.com' AS domain
    FROM range(${HOSTS}) AS t(i)`)
  await connection.run(`
    CREATE TABLE pages AS
    SELECT page_no, host_no, 'https://' || host || '/some/path/article-' || page_no AS page
    FROM (SELECT i + 1 AS page_no, 1 + floor(pow(random(), 3) * ${HOSTS})::INTEGER AS host_no FROM range(${PAGES}) AS t(i))
    JOIN hosts USING (host_no)`)
  await connection.run(`
    CREATE TABLE links AS
    SELECT answers.*, x AS position, 1 + floor(pow(random(), 2.5) * ${PAGES})::INTEGER AS page_no
    FROM answers, range(1, ${LINKS_AN_ANSWER + 1}) AS t(x)`)
  await connection.run('SET threads = 2')
  await connection.run(`
    CREATE TABLE citations AS
    SELECT
      links.*,
      host_no,
      row_number() OVER (PARTITION BY answer_no, host_no ORDER BY position) = 1 AS first_of_domain,
      row_number() OVER (PARTITION BY answer_no, page_no ORDER BY position) = 1 AS first_of_page,
      page || '?utm_source=chatgpt.com' AS url,
      'Article ' || page_no AS title,
      NULL AS given_domain
    FROM links JOIN pages USING (page_no)`)
}

/** One file a month and data set, as compaction leaves them. */
async function commitAnswers(
  app: App,
  siteId: string,
  connection: DuckDBConnection,
  { firstDay, days }: AnswerDays,
): Promise<void> {
  const months = new Set(Array.from({ length: days }, (_, day) => shiftDay(firstDay, day).slice(0, 7)))
  await changeLake(app.change, { site: { id: siteId }, group: 'answers', kind: 'import_answers' }, async (change) => {
    const { staging } = change
    for (const month of months) {
      const inMonth = sql`strftime(day, '%Y-%m') = ${text(month)}`
      await staging.write(
        connection,
        'answers',
        month,
        sql`SELECT *, 'ans_' || md5(answer_no::VARCHAR) AS id, NULL AS asked_at_ms, NULL AS market,
           repeat('An answer of some length. ', 8) AS text, answer_no % 4 AS sentiment_no, NULL AS provider, NULL AS model,
           NULL AS search_queries, NULL AS given_mentions, NULL AS consulted
         FROM answers WHERE ${inMonth} ORDER BY day, platform_no, prompt_no, answer_no`,
      )
      await staging.write(
        connection,
        'mentions',
        month,
        sql`SELECT * FROM mentions WHERE ${inMonth} ORDER BY day, brand_no, platform_no, prompt_no, answer_no`,
      )
      await staging.write(
        connection,
        'citations',
        month,
        sql`SELECT * FROM citations WHERE ${inMonth} ORDER BY day, platform_no, prompt_no, answer_no, position`,
      )
    }
    await staging.write(connection, 'hosts', 'all', sql`SELECT * FROM hosts ORDER BY host_no`)
    await staging.write(connection, 'pages', 'all', sql`SELECT * FROM pages ORDER BY page_no`)
    await change.commit(() => {
      const next = {
        answer_no: days * ENGINE_IDS.length * PROMPTS + 1,
        host_no: HOSTS + 1,
        page_no: PAGES + 1,
      }
      for (const [name, value] of Object.entries(next)) app.catalog.sites.setCounter(siteId, name, value)
      const promptNos = app.catalog.prompts.list(siteId).prompts.map(({ promptNo }) => promptNo)
      const day = shiftDay(firstDay, days - 1)
      app.catalog.scans.record(
        siteId,
        ENGINE_IDS.map((platform) => ({ day, platform, promptNos, answers: PROMPTS, noAnswers: 0 })),
      )
    })
  })
}

async function writeNaive(connection: DuckDBConnection, dir: string): Promise<SiteQuarter['naive']> {
  mkdirSync(dir)
  const naive = {
    answers: join(dir, 'answers.parquet'),
    mentions: join(dir, 'mentions.parquet'),
    citations: join(dir, 'citations.parquet'),
    brands: join(dir, 'brands.parquet'),
  }
  const brands = Array.from({ length: BRANDS }, (_, no) => `(${no}, '${brandName(no)}', '${brandDomain(no)}')`)
  const keys = `'ans_' || md5(answer_no::VARCHAR) AS answer_id, day, [${ENGINE_IDS.map((id) => `'${id}'`).join(', ')}][platform_no] AS platform,
    'prm_' || md5(prompt_no::VARCHAR) AS prompt_id`
  await connection.run(`CREATE TABLE brands AS FROM (VALUES ${brands.join(', ')}) AS t(brand_no, brand, domain)`)
  await connection.run(`COPY (SELECT brand, domain FROM brands) TO '${naive.brands}' ${FORMAT}`)
  await connection.run(`COPY (SELECT ${keys} FROM answers ORDER BY day) TO '${naive.answers}' ${FORMAT}`)
  await connection.run(
    `COPY (SELECT ${keys}, brand, position FROM mentions JOIN brands USING (brand_no) ORDER BY day) TO '${naive.mentions}' ${FORMAT}`,
  )
  await connection.run(
    `COPY (SELECT ${keys}, domain, page, position FROM links JOIN pages USING (page_no) JOIN hosts USING (host_no) ORDER BY day)
     TO '${naive.citations}' ${FORMAT}`,
  )
  return naive
}
