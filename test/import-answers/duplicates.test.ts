import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type App, openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import type { Site } from '../../src/domain/site.ts'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import type { ImportAnswersResult } from '../../src/import-answers/import-result.ts'

let dir: string
let app: App
let site: Site

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'answerlake-duplicates-'))
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
  const lines = records.map((record) => JSON.stringify({ date: '2026-10-01', platform: 'chatgpt', ...record }))
  writeFileSync(path, lines.join('\n'))
  return path
}

function importFiles(...files: string[]): Promise<ImportAnswersResult> {
  const wishes = { createPrompts: true, dryRun: false, strict: false, discoverMin: 5 }
  return importAnswers(app.change, { site, files, format: 'auto', defaults: {}, ...wishes })
}

const listed = Array.from({ length: 6 }, (_, no) => ({
  id: `a${no}`,
  prompt: `Which CRM for case ${no}?`,
  text: 'Zendo does it.\n\n1. **Plinto**: small\n2. **Quarro**: large',
  mentions: ['Zendo'],
  citations: [{ url: 'not a link' }],
}))

it('a file given three times is evidence once', async () => {
  const file = writeRecords('answers.ndjson', listed)
  const result = await importFiles(file, file, file)
  expect(result).toMatchObject({ imported: 6, duplicates: 12, prompts_created: 6, citations_dropped: 6 })
  const evidence = app.catalog.competitors.list(site.id).map(({ name, answers }) => [name, answers])
  expect(evidence.toSorted()).toEqual([
    ['Plinto', 6],
    ['Quarro', 6],
    ['Zendo', 6],
  ])
})

it('duplicates alone bring no removed competitor back, and make no prompt', async () => {
  const file = writeRecords('answers.ndjson', listed)
  await importFiles(file)
  for (const { id } of app.catalog.competitors.list(site.id)) app.catalog.competitors.remove(site.id, id)
  const others = [
    ...listed.map((record) => ({ ...record, prompt: `${record.prompt} Really?` })),
    { id: 'new', prompt: 'Which CRM?', text: 'None.' },
  ]
  const result = await importFiles(file, writeRecords('more.ndjson', others))
  expect(result).toMatchObject({
    imported: 1,
    duplicates: 12,
    prompts_created: 1,
    competitors_discovered: 0,
    citations_dropped: 0,
  })
  expect(app.catalog.competitors.list(site.id)).toEqual([])
  expect(app.catalog.prompts.list(site.id).prompts.map(({ text }) => text)).toEqual([
    ...listed.map(({ prompt }) => prompt),
    'Which CRM?',
  ])
})

it('a call of duplicates alone says that it made nothing', async () => {
  const file = writeRecords('answers.ndjson', listed)
  await importFiles(file)
  for (const { id } of app.catalog.competitors.list(site.id)) app.catalog.competitors.remove(site.id, id)
  expect(await importFiles(file)).toMatchObject({ imported: 0, duplicates: 6, competitors_discovered: 0 })
})
