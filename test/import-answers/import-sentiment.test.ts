import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type App, openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import type { Site } from '../../src/domain/site.ts'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import {
  importSentiment,
  type ImportSentimentOptions,
  type ImportSentimentResult,
} from '../../src/import-answers/import-sentiment.ts'

let dir: string
let app: App
let site: Site

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'answerlake-sentiment-'))
  app = await openApp(parseConfig({ dataDir: join(dir, 'data'), environment: {} }, {}, ''), {
    mode: 'command',
    create: true,
  })
  site = app.catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
  await importRecords([
    { id: 'a1', date: '2026-09-30', text: 'Acme one.' },
    { id: 'a2', date: '2026-10-01', text: 'Acme two.', sentiment: 'negative' },
    { id: 'a3', date: '2026-10-02', text: 'Acme three.' },
    { id: 'none', date: '2026-10-02', text: null },
  ])
})

afterEach(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

function write(name: string, records: readonly unknown[]): string {
  const path = join(dir, name)
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}

async function importRecords(records: readonly object[]): Promise<void> {
  const file = write(
    'answers.ndjson',
    records.map((record) => ({ platform: 'chatgpt', prompt: 'Which?', ...record })),
  )
  const wishes = { createPrompts: true, dryRun: false, strict: false, discoverMin: 5 }
  await importAnswers(app.change, { site, files: [file], format: 'auto', defaults: {}, ...wishes })
}

function judge(
  records: readonly unknown[],
  options: Partial<ImportSentimentOptions> = {},
): Promise<ImportSentimentResult> {
  return importSentiment(app.change, {
    site,
    files: [write('judged.ndjson', records)],
    dryRun: false,
    strict: false,
    ...options,
  })
}

async function readSentiments(): Promise<Record<string, unknown>> {
  const { data } = await app.reports.answers(site.id, {
    site_id: site.id,
    start_date: '2026-09-01',
    end_date: '2026-10-31',
    limit: 50,
    include: ['sentiment'],
  })
  return Object.fromEntries(data.map(({ id, sentiment }) => [id, sentiment]))
}

it('sets, changes and takes back the sentiment of stored answers in one snapshot, in several months', async () => {
  const before = app.catalog.manifest.currentSnapshot(site.id)
  const result = await judge([
    { id: 'a1', sentiment: 'positive' },
    { id: 'a2', sentiment: null },
    { id: 'a3', sentiment: 'neutral' },
  ])
  expect(result).toMatchObject({ changed: 3, unchanged: 0, rejected: 0, judged: 2, answers: 3, snapshot: before + 1 })
  expect(await readSentiments()).toEqual({ a1: 'positive', a2: null, a3: 'neutral' })
  const { data } = await app.reports.sentiment(site.id, {
    site_id: site.id,
    start_date: '2026-09-01',
    end_date: '2026-10-31',
    limit: 50,
    group_by: [],
    metrics: ['positive_answers', 'judged_answers'],
  })
  expect(data).toMatchObject([{ answers_mentioning: 3, positive_answers: 1, judged_answers: 2 }])
})

it('takes the last of several judgements, counts an old one as unchanged, and makes no snapshot of a repetition', async () => {
  const records = [
    { id: 'a1', sentiment: 'negative' },
    { id: 'a1', sentiment: 'positive' },
    { id: 'a2', sentiment: 'negative' },
  ]
  const first = await judge(records)
  expect(first).toMatchObject({ changed: 1, unchanged: 2, judged: 2 })
  expect(first.files).toMatchObject([{ records: 3, changed: 1, unchanged: 2, rejected: 0 }])
  const files = app.catalog.manifest.listFiles(site.id, first.snapshot ?? 0)
  expect(await judge(records)).toMatchObject({ changed: 0, unchanged: 3, judged: 2, snapshot: first.snapshot })
  expect(await judge([], { dryRun: true })).toMatchObject({ changed: 0, judged: 2, answers: 3 })
  expect(app.catalog.manifest.listFiles(site.id, app.catalog.manifest.currentSnapshot(site.id))).toEqual(files)
  expect(await readSentiments()).toEqual({ a1: 'positive', a2: 'negative', a3: null })
})

it('writes only the files again that hold a changed answer, with everything else in them as it was', async () => {
  const list = () => app.catalog.manifest.listFiles(site.id, app.catalog.manifest.currentSnapshot(site.id))
  const before = list()
  await judge([{ id: 'a3', sentiment: 'positive' }])
  const after = list()
  const changed = after.filter(({ fileId }) => before.every((file) => file.fileId !== fileId))
  expect(changed.map(({ dataset, month, rows }) => [dataset, month, rows])).toEqual([
    ['answers', '2026-10', 2],
    ['judgements', '2026-10', 1],
  ])
  expect(after).toHaveLength(before.length + 1)
  const { data } = await app.reports.answers(site.id, {
    site_id: site.id,
    start_date: '2026-10-01',
    end_date: '2026-10-31',
    limit: 50,
    include: ['text', 'date', 'mentions'],
  })
  expect(data).toEqual([
    { id: 'a3', date: '2026-10-02', text: 'Acme three.', mentions: ['Acme'] },
    { id: 'a2', date: '2026-10-01', text: 'Acme two.', mentions: ['Acme'] },
  ])
})

it('rejects what is no judgement and what it has no answer for, and keeps the rest', async () => {
  const rejectsFile = join(dir, 'rejects.ndjson')
  const records = [
    { id: 'a1', sentiment: 'good' },
    { id: 'a1' },
    { sentiment: 'positive' },
    'a1',
    { id: 'a9', sentiment: 'positive' },
    { id: 'none', sentiment: 'positive' },
    { id: 'a1', sentiment: 'positive' },
  ]
  const result = await judge(records, { rejectsFile })
  expect(result).toMatchObject({ changed: 1, unchanged: 0, rejected: 6 })
  expect(result.rejections.map(({ line, reason }) => [line, reason])).toEqual([
    [1, 'sentiment: must be positive, neutral, negative or null for not judged'],
    [2, 'sentiment: must be positive, neutral, negative or null for not judged'],
    [3, 'id: missing; give the id of a stored answer'],
    [4, 'not an object with an id and a sentiment'],
    [5, 'id: the site has no stored answer with this id; import the answer first'],
    [6, 'id: the engine gave no answer there, so there is nothing to judge'],
  ])
  expect(readFileSync(rejectsFile, 'utf8').trim().split('\n')).toHaveLength(6)
})

it('changes nothing in a dry run, or with strict and a rejection', async () => {
  const snapshot = app.catalog.manifest.currentSnapshot(site.id)
  const records = [
    { id: 'a1', sentiment: 'positive' },
    { id: 'a9', sentiment: 'positive' },
  ]
  expect(await judge(records, { dryRun: true })).toMatchObject({ changed: 1, snapshot: null })
  expect(await judge(records, { strict: true })).toMatchObject({ changed: 1, rejected: 1, snapshot: null })
  expect(app.catalog.manifest.currentSnapshot(site.id)).toBe(snapshot)
  expect(await readSentiments()).toEqual({ a1: null, a2: 'negative', a3: null })
})

it('an import says how many answers came judged, and how many duplicates were told by text alone', async () => {
  const file = write(
    'more.ndjson',
    [
      { id: 'b1', text: 'Acme.', sentiment: 'positive' },
      { id: 'b1', text: 'Acme.', sentiment: 'positive' },
      { text: 'Acme again.' },
      { text: 'Acme again.' },
      { id: 'b2', text: null, sentiment: 'positive' },
    ].map((record) => ({ date: '2026-10-03', platform: 'gemini', prompt: 'Which?', ...record })),
  )
  const wishes = { createPrompts: false, dryRun: false, strict: false, discoverMin: 5 }
  const result = await importAnswers(app.change, { site, files: [file], format: 'auto', defaults: {}, ...wishes })
  expect(result).toMatchObject({ imported: 2, duplicates: 2, duplicates_by_text: 1, judged: 1 })
  expect(result.warnings).toEqual([expect.stringContaining('Give records an `id`')])
})

it('copies no rows out of a file that is not what was written', async () => {
  const { manifest } = app.catalog
  const files = manifest.listFiles(site.id, manifest.currentSnapshot(site.id))
  for (const { path } of files.filter(({ dataset }) => dataset === 'answers')) {
    const file = join(app.change.lakeDir, path)
    const bytes = readFileSync(file)
    // The name of the program that wrote the file, which no reader minds.
    bytes.write('Duckdb', bytes.lastIndexOf('DuckDB'))
    writeFileSync(file, bytes)
  }
  const before = manifest.currentSnapshot(site.id)
  await expect(judge([{ id: 'a1', sentiment: 'positive' }])).rejects.toThrow(/lake verify/)
  expect(manifest.currentSnapshot(site.id)).toBe(before)
})
