import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type App, openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import type { Site } from '../../src/domain/site.ts'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import type { ImportAnswersResult } from '../../src/import-answers/import-result.ts'
import { importSentiment } from '../../src/import-answers/import-sentiment.ts'

let dir: string
let app: App
let site: Site

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'answerlake-differing-'))
  app = await openApp(parseConfig({ dataDir: join(dir, 'data'), environment: {} }, {}, ''), {
    mode: 'command',
    create: true,
  })
  site = app.catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
})

afterEach(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

function writeRecords(name: string, records: readonly object[]): string {
  const path = join(dir, name)
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'))
  return path
}

function importRecords(...files: (readonly object[])[]): Promise<ImportAnswersResult> {
  const wishes = { createPrompts: true, dryRun: false, strict: false, discoverMin: 5 }
  const paths = files.map((records, no) => writeRecords(`${no}.ndjson`, records))
  return importAnswers(app.change, { site, files: paths, format: 'auto', defaults: {}, ...wishes })
}

const full = {
  id: 'full',
  date: '2026-10-03',
  asked_at: '2026-10-03T10:00:00Z',
  platform: 'chatgpt',
  prompt: 'Which CRM?',
  market: 'Berlin',
  text: 'Acme \u{d83d} it is.\0',
  sentiment: 'neutral',
  provider: 'openai',
  model: 'gpt-5',
  search_queries: ['crm', 'best crm'],
  mentions: ['Acme', 'Zendo'],
  citations: ['https://a.com/1', { url: 'https://b.com/', title: 'B' }, { url: 'https://r.com/x', domain: 'c.com' }],
  consulted: [{ url: 'https://d.com/' }],
}
const noAnswer = { ...full, id: 'none', text: null }
const old = { ...full, id: 'old', date: '2026-08-30', asked_at: undefined }

it('the same records again differ in nothing, in the same call or the next one', async () => {
  const records = [full, noAnswer, old, { ...full, id: undefined }]
  expect(await importRecords(records, records)).toMatchObject({
    imported: 3,
    no_answer: 1,
    duplicates: 4,
    differing: 0,
  })
  const again = await importRecords(records)
  expect(again).toMatchObject({ imported: 0, duplicates: 4, duplicates_by_text: 1, differing: 0 })
  expect(again.warnings).toHaveLength(1)
})

const changes: readonly (readonly [string, object])[] = [
  ['text', { text: 'Acme it is.' }],
  ['a no_answer', { text: null }],
  ['day', { date: '2026-10-04', asked_at: undefined }],
  ['time', { asked_at: '2026-10-03T10:00:01Z' }],
  ['engine', { platform: 'gemini' }],
  ['prompt', { prompt: 'Which other CRM?' }],
  ['market', { market: 'Paris' }],
  ['no market', { market: null }],
  ['sentiment', { sentiment: 'negative' }],
  ['provider', { provider: 'other' }],
  ['model', { model: 'gpt-6' }],
  ['search queries', { search_queries: ['crm'] }],
  ['mentions', { mentions: ['Acme'] }],
  ['no mentions', { mentions: undefined }],
  ['a link less', { citations: full.citations.slice(1) }],
  ['order of links', { citations: full.citations.toReversed() }],
  ['title', { citations: [full.citations[0], 'https://b.com/', full.citations[2]] }],
  ['domain of a link', { citations: [...full.citations.slice(0, 2), 'https://r.com/x'] }],
  ['consulted', { consulted: undefined }],
]

it.each(changes)('another %s makes a record differ', async (_, change) => {
  await importRecords([full, old])
  const before = app.catalog.manifest.currentSnapshot(site.id)
  const result = await importRecords([old, { ...full, ...change }])
  expect(result).toMatchObject({ imported: 0, no_answer: 0, duplicates: 2, differing: 1, prompts_created: 0 })
  expect(result.files).toMatchObject([{ records: 2, duplicates: 2, differing: 1 }])
  expect(result.warnings).toEqual([
    '1 duplicate differs from what is stored under the same id, which stays. To put the records in its place, import them with --replace.',
  ])
  expect(app.catalog.manifest.currentSnapshot(site.id)).toBe(before)
})

it('an answer differs from a stored no_answer, of which only what is stored counts', async () => {
  await importRecords([noAnswer])
  expect(await importRecords([{ ...noAnswer, provider: 'other', sentiment: 'positive' }])).toMatchObject({
    differing: 0,
  })
  expect(await importRecords([{ ...noAnswer, text: 'Acme.' }])).toMatchObject({ duplicates: 1, differing: 1 })
})

it('a link that is left out, and fields that are not kept, make no difference', async () => {
  await importRecords([full])
  const citations = [...full.citations, 'mailto:a@b.com']
  expect(await importRecords([{ ...full, citations, category: 'Brand', more: 1 }])).toMatchObject({ differing: 0 })
})

it('a later judgement makes no difference to records without one', async () => {
  const unjudged = { ...full, sentiment: null }
  await importRecords([unjudged])
  const files = [writeRecords('judged.ndjson', [{ id: 'full', sentiment: 'positive' }])]
  await importSentiment(app.change, { site, files, dryRun: false, strict: false })
  expect(await importRecords([unjudged])).toMatchObject({ differing: 0 })
  expect(await importRecords([{ ...full, sentiment: 'positive' }])).toMatchObject({ differing: 0 })
  expect(await importRecords([full])).toMatchObject({ differing: 1 })
})

it('a record is compared with the first of its id in the call', async () => {
  const other = { ...full, text: 'Globex.' }
  expect(await importRecords([full, other, full], [other, old])).toMatchObject({
    imported: 2,
    duplicates: 3,
    differing: 2,
    files: [{ differing: 1 }, { differing: 1 }],
  })
})

it('thousands of records in many chunks are compared each with its own', async () => {
  const many = Array.from({ length: 20_000 }, (_, no) => ({
    ...full,
    id: `m${no}`,
    date: `2026-0${1 + (no % 9)}-${10 + (no % 19)}`,
    asked_at: undefined,
    text: `Answer ${no}.`,
  }))
  await importRecords(many)
  const again = many.map((record, no) => (no % 500 === 7 ? { ...record, text: 'Corrected.' } : record))
  expect(await importRecords(again)).toMatchObject({ duplicates: 20_000, differing: 40 })
}, 60_000)
