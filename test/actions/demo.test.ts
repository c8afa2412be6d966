import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillDemo } from '../../cli/demo-inputs.ts'
import {
  BROKEN_PATHS,
  COMPETITOR_ONLY_PROMPTS,
  DONE_CARDS,
  LOST_OWN_PAGES,
  MISSED_SOURCES,
  NEGATIVE_PROMPTS,
  WEAK_CATEGORY,
  WEAK_ENGINE,
} from '../../data/demo/truths.ts'
import { type App, openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import type { ActionCard } from '../../src/domain/action-card.ts'
import { PROMPTS } from '../../data/demo/generator/prompts.ts'
import { listDemoRows } from './support/demo-counts.ts'
import { openTestIo } from '../cli/support/test-io.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'answerlake-actions-demo-'))
let app: App
let cards: readonly ActionCard[]
let notes: string
beforeAll(async () => {
  const config = parseConfig({ dataDir, environment: {} }, {}, 'config.json')
  app = await openApp(config, {
    mode: 'command',
    create: true,
    clock: { now: () => Date.parse('2026-11-16T07:00:00Z') },
  })
  const world = { io: openTestIo(), signal: new AbortController().signal, dataDir }
  const site = await fillDemo(app, join(import.meta.dirname, '../../data/demo'), world)
  notes = world.io.stderr.text
  cards = await app.actions.list(site.id, 'all')
}, 180_000)
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

/** What the cards of a rule are about. */
const targetsOf = (rule: string) =>
  cards.flatMap((card) => (card.rule === rule ? [card.identity.slice(rule.length + 1)] : []))

test('filling the demo tells of its newest cards, and where they are', () => {
  const created = cards.filter(({ createdAt }) => createdAt === '2026-11-16T07:00:00.000Z').length
  expect(created).toBeGreaterThan(4)
  expect(notes).toContain(
    `${created} new cards; see: answerlake actions list --site fernwick.example --data-dir ${dataDir}\n`,
  )
})

test('the demo shows the findings that are built into it', () => {
  expect(new Set(targetsOf('competitors_named'))).toEqual(new Set(COMPETITOR_ONLY_PROMPTS))
  expect(targetsOf('weak_category')).toEqual([WEAK_CATEGORY])
  expect(targetsOf('weak_engine')).toEqual([WEAK_ENGINE])
  expect(targetsOf('missed_page')).toEqual(expect.arrayContaining(MISSED_SOURCES.map(({ url }) => url)))
  expect(new Set(targetsOf('lost_page'))).toEqual(new Set(LOST_OWN_PAGES))
  expect(new Set(targetsOf('negative_answers'))).toEqual(new Set(NEGATIVE_PROMPTS))
  expect(new Set(targetsOf('crawler_errors'))).toEqual(new Set(BROKEN_PATHS.map(({ path }) => path)))
  expect(targetsOf('absent_crawlers')).toEqual(['perplexity'])
  expect(targetsOf('refresh_pages')).toHaveLength(1)
  expect(targetsOf('unnamed_prompts')).toHaveLength(1)
})

test('every card of the demo has counts for evidence, and prompts and engines that it is measured on', () => {
  for (const card of cards) {
    expect(card.why, card.title).toMatch(/\b[\d,]+ (of [\d,]+ )?(answers?|hits?|days?|prompts?)\b/)
    expect(card.targetPrompts.length, card.title).toBeGreaterThan(0)
    expect(card.targetPlatforms.length, card.title).toBeGreaterThan(0)
    expect(card.targetUrl, card.title).toMatch(/^https:\/\//)
  }
  expect(cards.filter(({ status }) => status === 'open').length).toBeGreaterThanOrEqual(6)
})

test('the demo shows a card of each verdict, found and done weeks ago', () => {
  const done = cards.filter(({ status }) => status === 'done')
  const verdicts = done.map(({ identity, outcome }) => [identity, outcome?.verdict])
  expect(Object.fromEntries(verdicts)).toEqual(
    Object.fromEntries(DONE_CARDS.map(({ rule, target, verdict }) => [`${rule}:${target}`, verdict])),
  )
  for (const card of done) {
    expect(card).toMatchObject({
      createdAt: '2026-10-18T20:00:00.000Z',
      foundFrom: '2026-09-21',
      foundTo: '2026-10-18',
    })
    expect(card.outcome).toMatchObject({
      markedDoneAt: '2026-10-19T06:00:00.000Z',
      summary: expect.stringContaining('Before are the 28 days to 2026-09-20.') as string,
    })
  }
})

test('filling the demo again plays nothing twice', async () => {
  const io = openTestIo()
  const site = await fillDemo(app, join(import.meta.dirname, '../../data/demo'), {
    io,
    signal: new AbortController().signal,
    dataDir,
  })
  expect(await app.actions.list(site.id, 'all')).toEqual(cards)
})

describe('the table of docs/methods.md', () => {
  const rows = listDemoRows(new Map(PROMPTS.map(({ id, category }) => [id, category])))

  test('is what the files say without the program', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/methods.md'), 'utf8')
    const [, table = ''] = page.split('| card | counts | by hand |\n| --- | --- | --- |\n')
    expect(table.split('\n\n')[0]?.trimEnd().split('\n')).toEqual(rows)
  })

  test.each([
    ['competitors_named:discovery-05', 0],
    ['weak_category:How-to', 1],
    ['weak_engine:gemini', 2],
    ['missed_page:https://www.techradar.com/best/best-customer-support-software', 3],
    ['lost_page:https://www.fernwick.example/guides/helpdesk-buying-guide', 5],
    ['crawler_errors:/docs/api/webhooks', 6],
    ['absent_crawlers:perplexity', 7],
    ['negative_answers:brand-05', 8],
    ['refresh_pages', 9],
    ['unnamed_prompts', 10],
    ['competitors_named:discovery-11', 11],
    ['competitors_named:alternatives-07', 12],
    ['negative_answers:brand-07', 13],
    ['weak_engine:gemini', 14],
  ])('says of %s what its card says', (identity, row) => {
    const { why, outcome } = cards.find((card) => card.identity === identity)!
    const [, name = '', counts = ''] = rows[row]!.split(' | ').join('|').split('|')
    const said = name.includes('verdict') ? outcome!.summary : why
    // The counts one after the other, with other words between them.
    const numbers = counts.match(/[\d,]*\d/g)!
    expect(said).toMatch(new RegExp(numbers.map((one) => `\\b${one}\\b`).join('.*')))
  })

  test('has no card of missed_domain', () => {
    expect(targetsOf('missed_domain')).toEqual([])
  })
})
