import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type App, openApp } from '../../../src/app.ts'
import type { Clock } from '../../../src/clock.ts'
import { parseConfig } from '../../../src/config.ts'
import type { Dataset, LakeFile } from '../../../src/domain/manifest.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import type { ImportAnswersResult } from '../../../src/import-answers/import-result.ts'
import type { ImportLogsResult } from '../../../src/import-logs/import-options.ts'
import { importLogs } from '../../../src/import-logs/import-logs.ts'
import type { Row } from '../../../src/lake/cells.ts'
import { sql } from '../../../src/lake/sql.ts'
import { USUAL_ANSWER_FIELDS } from '../../../src/reports/answers/contract.ts'
import { CITATION_METRICS } from '../../../src/reports/citations/contract.ts'
import { USUAL_VISIBILITY_METRICS } from '../../../src/reports/visibility/contract.ts'

export const SITE = 'acme'
export const HOUR_MS = 3_600_000

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  nowMs: number
}

/** A data directory of the running test's own with one site, removed with the test. */
export interface TestLake {
  readonly app: App
  readonly clock: TestClock
  readonly dir: string
  readonly dataDir: string
  /** Imports answers as given. */
  answers(records: readonly object[]): Promise<ImportAnswersResult>
  /** Imports lines of a combined log. */
  logs(lines: readonly string[]): Promise<ImportLogsResult>
  /** The site's live files, of one data set or of all. */
  files(dataset?: Dataset): LakeFile[]
  /** Opens the same directory once more, as another process has it. */
  openAgain(dataDir?: string): Promise<App>
}

export async function openTestLake(now = '2026-11-20T12:00:00Z', name = 'data'): Promise<TestLake> {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-maintenance-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const dataDir = join(dir, name)
  const clock: TestClock = { nowMs: Date.parse(now), now: () => clock.nowMs }
  const open = async (of = dataDir): Promise<App> => {
    const config = parseConfig({ dataDir: of, environment: {} }, {}, 'config.json')
    const app = await openApp(config, { mode: 'command', create: of === dataDir, clock })
    onTestFinished(() => app[Symbol.asyncDispose]())
    return app
  }
  const app = await open()
  const site = app.catalog.sites.create({ id: SITE, name: 'Acme', domain: 'acme.com' })
  const prompts = [0, 1].map((no) => ({ id: `p${no}`, text: `What of ${no}?`, category: 'Discovery' as const }))
  app.catalog.prompts.add(SITE, prompts)
  app.catalog.competitors.add(SITE, { id: 'globex', name: 'Globex', domains: ['globex.com'] })
  let written = 0
  const write = (lines: readonly string[]): string => {
    const path = join(dir, `input-${written++}`)
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    return path
  }
  return {
    app,
    clock,
    dir,
    dataDir,
    answers: (records) =>
      importAnswers(app.change, {
        site: app.catalog.sites.get(SITE),
        files: [write(records.map((record) => JSON.stringify(record)))],
        format: 'native',
        defaults: {},
        createPrompts: false,
        dryRun: false,
        strict: true,
        discoverMin: 1_000,
      }),
    logs: (lines) =>
      importLogs(app.change, { site, files: [write(lines)], format: 'combined', dryRun: false, strict: true }),
    files: (dataset) =>
      app.catalog.manifest
        .listFiles(SITE, app.catalog.manifest.currentSnapshot(SITE))
        .filter((file) => dataset === undefined || file.dataset === dataset),
    openAgain: open,
  }
}

/** Answers with two links each, all naming Acme, every other one Globex too; the last of them is a no_answer. */
export function makeAnswers(prefix: string, month: string, count = 6): object[] {
  return Array.from({ length: count }, (_, index) => {
    const isAnswer = index < count - 1
    return {
      id: `${prefix}${index}`,
      date: `${month}-${String(1 + ((index * 5) % 28)).padStart(2, '0')}`,
      platform: ['chatgpt', 'perplexity', 'gemini'][index % 3],
      prompt: `What of ${index % 2}?`,
      text: isAnswer ? `${prefix} ${index}: Acme${index % 2 === 0 ? ' or Globex' : ''}.` : '',
      citations: isAnswer ? [`https://acme.com/${index % 3}`, `https://${prefix.toLowerCase()}.example/${index}`] : [],
    }
  })
}

/** What the reports over the answers say of three months, whole. */
export async function readReports({ reports }: App): Promise<Record<string, readonly unknown[]>> {
  const range = { site_id: SITE, start_date: '2026-09-01', end_date: '2026-11-30', limit: 500 }
  const pages = {
    visibility: reports.visibility(SITE, {
      ...range,
      group_by: ['date', 'platform'],
      metrics: USUAL_VISIBILITY_METRICS,
      brands: 'all',
    }),
    citations: reports.citations(SITE, { ...range, entity: 'page', group_by: ['date'], metrics: CITATION_METRICS }),
    domains: reports.citations(SITE, { ...range, entity: 'domain', group_by: [], metrics: CITATION_METRICS }),
    answers: reports.answers(SITE, { ...range, include: USUAL_ANSWER_FIELDS }),
  }
  const told = await Promise.all(Object.values(pages).map(async (page) => [...(await page).data]))
  return Object.fromEntries(Object.keys(pages).map((name, index) => [name, told[index] ?? []]))
}

/** The log data sets, each with the rows of equal keys summed up and paths by name. */
export async function readLogs({
  app,
  files,
}: Pick<TestLake, 'app' | 'files'>): Promise<Record<string, readonly Row[]>> {
  const { lake } = app
  const live = files()
  const of = (dataset: Dataset) => lake.filesOf(dataset, live)
  return {
    hits: await lake.select(sql`
      SELECT day::VARCHAR AS day, path, bot_no, quarter, sum(hits)::INTEGER AS hits, max(last_second) AS last
      FROM ${of('bot_hits')} JOIN ${of('paths')} AS paths USING (path_no) GROUP BY ALL ORDER BY ALL`),
    rollup: await lake.select(sql`
      SELECT day::VARCHAR AS day, bot_no, quarter, sum(hits)::INTEGER AS hits, max(last_second) AS last
      FROM ${of('bot_rollup')} GROUP BY ALL ORDER BY ALL`),
    types: await lake.select(sql`
      SELECT day::VARCHAR AS day, page_type_no, bot_no, quarter, sum(hits)::INTEGER AS hits, max(last_second) AS last
      FROM ${of('bot_page_types')} GROUP BY ALL ORDER BY ALL`),
    months: await lake.select(sql`
      SELECT day::VARCHAR AS day, path, bot_no, sum(hits)::INTEGER AS hits, max(last_epoch)::DOUBLE AS last
      FROM ${of('bot_months')} JOIN ${of('paths')} AS paths USING (path_no) GROUP BY ALL ORDER BY ALL`),
    visits: await lake.select(sql`
      SELECT day::VARCHAR AS day, path, source, quarter, sum(visits)::INTEGER AS visits
      FROM ${of('visits')} JOIN ${of('paths')} AS paths USING (path_no) GROUP BY ALL ORDER BY ALL`),
  }
}
