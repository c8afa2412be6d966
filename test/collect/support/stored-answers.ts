import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { ANSWER_FIELDS } from '../../../src/reports/answers/contract.ts'
import { CITATION_METRICS } from '../../../src/reports/citations/contract.ts'
import { USUAL_VISIBILITY_METRICS } from '../../../src/reports/visibility/contract.ts'
import { openData } from '../../faults/support/world.ts'

export interface StoredAnswer {
  readonly id: string
  readonly text: string | null
}

/** Rows of the data set, read past the program. */
export async function readStoredAnswers(dataDir: string, siteId: string): Promise<StoredAnswer[]> {
  const files = await listLakeFiles(dataDir, siteId, 'answers')
  if (files.length === 0) return []
  return (await query(`SELECT id, text FROM read_parquet(${quote(files)}) ORDER BY id`)) as unknown as StoredAnswer[]
}

/** How often it is stored that an engine had no answer. */
export async function countStoredNoAnswers(dataDir: string, siteId: string): Promise<number> {
  const files = await listLakeFiles(dataDir, siteId, 'no_answers')
  if (files.length === 0) return 0
  return Number((await query(`SELECT count(*) AS rows FROM read_parquet(${quote(files)})`))[0]?.['rows'])
}

/** Everything in Parquet files as JSON: what is packed in them can be looked through so. */
export async function readAsJson(path: string): Promise<string> {
  return JSON.stringify(await query(`SELECT * FROM read_parquet(${quote([path])})`))
}

async function listLakeFiles(dataDir: string, siteId: string, wanted: 'answers' | 'no_answers'): Promise<string[]> {
  await using app = await openData(dataDir)
  const { manifest } = app.catalog
  return manifest
    .listFiles(siteId, manifest.currentSnapshot(siteId))
    .filter(({ dataset }) => dataset === wanted)
    .map(({ path }) => join(dataDir, 'lake', path))
}

async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function quote(paths: readonly string[]): string {
  return `[${paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ')}]`
}

/** What reports and the list of answers say of a site's days, so that two data directories can be compared. */
export async function readReports(
  dataDir: string,
  siteId: string,
  { from, to }: { from: string; to: string },
): Promise<unknown> {
  await using app = await openData(dataDir)
  const range = { site_id: siteId, start_date: from, end_date: to, limit: 500 }
  const visibility = await app.reports.visibility(siteId, {
    ...range,
    group_by: ['date', 'platform', 'prompt'],
    metrics: USUAL_VISIBILITY_METRICS,
    brands: 'all',
  })
  const citations = await app.reports.citations(siteId, {
    ...range,
    entity: 'page',
    group_by: ['platform'],
    metrics: CITATION_METRICS,
  })
  const answers: { readonly id: string }[] = []
  let cursor: string | undefined
  do {
    const page = await app.reports.answers(siteId, { ...range, include: ANSWER_FIELDS, ...(cursor ? { cursor } : {}) })
    answers.push(...page.data)
    cursor = page.info.next_cursor ?? undefined
  } while (cursor !== undefined)
  // Their order is that of the import.
  answers.sort((a, b) => (a.id < b.id ? -1 : 1))
  return { answers, visibility: visibility.data, citations: citations.data, coverage: visibility.info.total_results }
}
