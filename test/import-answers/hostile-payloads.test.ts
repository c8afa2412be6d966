import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, constantFrom, integer, jsonValue, oneof, property } from 'fast-check'
import { expect, test } from 'vitest'
import type { CitationRecord } from '../../src/domain/answer.ts'
import { ENGINE_IDS } from '../../src/domain/enums.ts'
import { isRejection } from '../../src/domain/rejection.ts'
import { isDay } from '../../src/domain/day.ts'
import { toScanTime } from '../../src/domain/scan-time.ts'
import { readRecords } from '../../src/import-answers/envelope.ts'

const NATIVE = { date: '2026-09-01', platform: 'chatgpt', prompt: 'best crm', text: 'Acme.' }

test('a payload changed anywhere into anything gives whole records or reasons, never an error', () => {
  const payloads = readPayloads()
  const defaults = { date: '2026-09-09', promptId: 'prm_1' }
  const junk = oneof(
    jsonValue({ maxDepth: 2 }),
    constantFrom(null, '', [], {}, 0, -1, 1e300, [null], [[]], 'https://a.example/'),
  )
  assert(
    property(constantFrom(...payloads), integer({ min: 0 }), junk, (payload, seed, value) => {
      const changed = replaceAt(payload, seed, value)
      for (const record of readRecords(changed, { format: 'auto', defaults })) expectWhole(record)
    }),
    { numRuns: 20_000 },
  )
})

test('texts made to keep a pattern busy are read in the time that their length takes', () => {
  const defaults = { date: '2026-09-09', promptId: 'prm_1' }
  const million = 1_000_000
  const hostile = [
    { model: 'grok-4', output: [message(`[[1]](https://${'a'.repeat(8 * million)}`)] },
    { model: 'grok-4', output: [message('[[1]](https://a(b'.repeat(million / 2))] },
    {
      general: { search_engine: 'google' },
      ai_overview: { texts: [{ snippet: 'x' }], references: [{ href: 'h', title: '. Opens in '.repeat(million / 2) }] },
    },
    {
      candidates: [
        {
          content: { parts: [{ text: 'x' }] },
          groundingMetadata: {
            groundingChunks: [
              {
                web: {
                  uri: 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/A',
                  title: 'a.'.repeat(million),
                },
              },
            ],
          },
        },
      ],
    },
    { model: 'gpt-5', output: [], error: { message: 'e'.repeat(8 * million) } },
    {
      role: 'assistant',
      content: Array.from({ length: 100_000 }, (_, i) => (i % 2 ? { type: 'x' } : text('Acme. ', 8))),
    },
    perplexed('[1,'.repeat(3 * million)),
    perplexed(`[${'1, '.repeat(3 * million)}`),
    perplexed('`a'.repeat(2 * million)),
    perplexed('```'.repeat(million)),
    { role: 'assistant', content: [{ type: 'text', text: '\n '.repeat(4 * million) }, { type: 'x' }, text('\n ')] },
    { model: 'a-'.repeat(million), choices: [{ message: { content: 'x' } }] },
    { ...NATIVE, date: '1'.repeat(8 * million) },
    { ...NATIVE, asked_at: `2026-09-01T08:00:00${' '.repeat(8 * million)}` },
  ]
  const start = performance.now()
  for (const payload of hostile) {
    for (const record of readRecords(payload, { format: 'auto', defaults })) {
      if (isRejection(record)) expect(record.reason.length).toBeLessThan(2_000)
    }
  }
  expect(performance.now() - start).toBeLessThan(5_000)
})

function perplexed(content: string): unknown {
  return { model: 'sonar', choices: [{ message: { content } }], citations: ['https://a.example/'] }
}

function text(words: string, times = 1_000_000): unknown {
  return { type: 'text', text: words.repeat(times) }
}

function message(text: string): unknown {
  return { type: 'message', content: [{ type: 'output_text', text, annotations: [] }] }
}

function readPayloads(): unknown[] {
  const root = join(import.meta.dirname, 'cases')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /input\.(?:nd)?json$/.test(file),
  )
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const json = file.endsWith('.ndjson')
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : JSON.parse(text)
    return Array.isArray(json) ? (json as unknown[]) : [json as unknown]
  })
}

/** A copy of the JSON in which the node that `seed` picks is `value`. */
function replaceAt(json: unknown, seed: number, value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(json))
  const places: [Record<string, unknown>, string][] = []
  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key])
      visit((node as Record<string, unknown>)[key])
    }
  }
  visit(copy)
  const place = places[seed % Math.max(places.length, 1)]
  if (place) place[0][place[1]] = value
  return copy
}

function expectWhole(record: ReturnType<typeof readRecords>[number]): void {
  if (isRejection(record)) {
    expect(record.reason.length).toBeGreaterThan(5)
    return
  }
  expect(ENGINE_IDS).toContain(record.platform)
  expect(isDay(toScanTime(record).day)).toBe(true)
  expect(record.prompt ?? record.prompt_id).toEqual(expect.any(String))
  expect(record.text === null || typeof record.text === 'string').toBe(true)
  for (const source of [...record.citations, ...(record.consulted ?? [])]) expectSource(source)
  for (const list of [record.mentions ?? [], record.search_queries ?? []]) expect(list.every(isString)).toBe(true)
  for (const text of [record.model, record.provider, record.id, record.category]) {
    expect(text === undefined || isString(text)).toBe(true)
  }
}

function expectSource(source: CitationRecord): void {
  expect(source.url).toEqual(expect.any(String))
  expect(source.title === undefined || isString(source.title)).toBe(true)
  expect(source.domain === undefined || isString(source.domain)).toBe(true)
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}
