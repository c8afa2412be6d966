import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import type { Site } from '../../src/domain/site.ts'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { rederiveAnswers } from '../../src/maintenance/rederive-answers.ts'

const TEXT = 'Acme leads. YouTube +1'
const ANSWERS = [
  { id: 'api', platform: 'perplexity', provider: 'perplexity' },
  { id: 'overview', platform: 'ai_overviews' },
  { id: 'perplexity', platform: 'perplexity' },
  { id: 'prose', platform: 'chatgpt' },
  { id: 'scraped', platform: 'chatgpt', provider: 'brightdata' },
]
const MENTIONS = [['Acme', 'YouTube'], ['Acme'], ['Acme'], ['Acme', 'YouTube'], ['Acme']]

let dir: string
let app: App
let site: Site

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'answerlake-chips-'))
  app = await openApp(parseConfig({ dataDir: join(dir, 'data'), environment: {} }, {}, ''), {
    mode: 'command',
    create: true,
  })
  site = app.catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
  app.catalog.competitors.add(site.id, { name: 'YouTube', domains: [] })
  const file = join(dir, 'answers.ndjson')
  const lines = ANSWERS.map((answer) => ({ ...answer, date: '2026-10-01', prompt: 'p', text: TEXT }))
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const wishes = { createPrompts: true, dryRun: false, strict: false, discoverMin: 5 }
  await importAnswers(app.change, { site, files: [file], format: 'auto', defaults: {}, ...wishes })
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

async function listAnswers(): Promise<object[]> {
  const { data } = await app.reports.answers(site.id, {
    site_id: site.id,
    start_date: '2026-10-01',
    end_date: '2026-10-01',
    limit: 50,
    include: ['mentions', 'text'],
  })
  return data.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

test('an import and a rederivation see the same chips, and both keep the text', async () => {
  const expected = ANSWERS.map(({ id }, no) => ({ id, mentions: MENTIONS[no], text: TEXT }))
  expect(await listAnswers()).toEqual(expected)
  app.catalog.sites.set(site.id, { aliases: ['Acme Works'] })
  const { answers } = await rederiveAnswers(app.change, { site: app.catalog.sites.get(site.id) })
  expect(answers).toBe(ANSWERS.length)
  expect(await listAnswers()).toEqual(expected)
})
