import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, constantFrom, integer, jsonValue, oneof, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerRecord, CitationRecord } from '../../src/domain/answer.ts'
import { ENGINE_IDS } from '../../src/domain/enums.ts'
import { isRejection } from '../../src/domain/rejection.ts'
import { isDay, toScanTime } from '../../src/domain/scan-time.ts'
import { readRecords } from '../../src/import-answers/envelope.ts'

const NATIVE = { date: '2026-09-01', platform: 'chatgpt', prompt: 'best crm', text: 'Acme.' }
const CLAUDE = { role: 'assistant', content: [{ type: 'text', text: 'Acme.' }] }
const SERP = {
  search_metadata: { created_at: '2026-09-05 08:00:00 UTC' },
  search_parameters: { engine: 'google_ai_mode', q: 'crm' },
  reconstructed_markdown: 'Acme.',
}

function readOne(json: unknown, defaults = {}): Partial<AnswerRecord> & { readonly reason?: string } {
  const [record, ...others] = readRecords(json, { format: 'auto', defaults })
  expect(others).toEqual([])
  return record ?? {}
}

describe('where a record takes from what its payload lacks', () => {
  test('the day: envelope, then payload, then flag', () => {
    const flags = { date: '2026-09-09', promptId: 'prm_1' }
    expect(readOne({ date: '2026-09-01', response: SERP }, flags).date).toBe('2026-09-01')
    expect(toScanTime(readOne({ response: SERP }, flags)).day).toBe('2026-09-05')
    expect(toScanTime(readOne(SERP, flags)).day).toBe('2026-09-05')
    expect(readOne(CLAUDE, flags).date).toBe('2026-09-09')
  })

  test('the engine: envelope, then flag, then format, for a payload that shows none', () => {
    const rest = { date: '2026-09-09', promptId: 'prm_1' }
    const unknown = { choices: [{ message: { content: 'Acme.' } }] }
    expect(readOne({ platform: 'copilot', response: unknown }, rest).platform).toBe('copilot')
    expect(readOne(unknown, { ...rest, platform: 'gemini' }).platform).toBe('gemini')
    expect(readOne(unknown, rest).platform).toBe('chatgpt')
    expect(readOne({ ...unknown, model: 'crm-eu' }, { ...rest, platform: 'copilot' }).platform).toBe('copilot')
    expect(readOne({ ...unknown, model: 'crm-eu' }, rest).reason).toMatch('platform is missing')
  })

  const row = { url: 'https://www.perplexity.ai/', prompt: 'crm', answer_text: 'Acme.' }
  const overview = { search_parameters: { engine: 'google', q: 'crm' }, ai_overview: { text_blocks: [] } }
  test.each([
    ['perplexity', row],
    ['ai_overviews', { ...overview, ai_overview: { text_blocks: [{ type: 'paragraph', snippet: 'Acme.' }] } }],
    ['ai_mode', SERP],
    ['claude', CLAUDE],
    ['chatgpt', { model: 'gpt-5.5', choices: [{ message: { content: 'Acme.' } }] }],
    ['claude', { model: 'anthropic/claude-sonnet-5', choices: [{ message: { content: 'Acme.' } }] }],
    ['gemini', { candidates: [{ content: { parts: [{ text: 'Acme.' }] } }] }],
    ['chatgpt', NATIVE],
  ])('an engine that the payload shows (%s) may be repeated, not contradicted', (platform, payload) => {
    const rest = { date: '2026-09-09', promptId: 'prm_1' }
    expect(readOne(payload, rest).platform).toBe(platform)
    expect(readOne(payload, { ...rest, platform }).platform).toBe(platform)
    expect(readOne(payload, { ...rest, platform: 'copilot' })).toEqual({
      reason: `platform: the record is an answer of ${platform}; --platform says "copilot"`,
    })
    const inEnvelope = payload === NATIVE ? { ...NATIVE, prompt: undefined } : payload
    expect(readOne({ platform: 'copilot', response: inEnvelope }, rest)).toEqual({
      reason: `platform: the record is an answer of ${platform}; the envelope says "copilot"`,
    })
    expect(readOne({ platform, response: inEnvelope }, rest).platform).toBe(platform)
  })

  test('an engine that the envelope names may not be contradicted by the flag', () => {
    const grok = { model: 'grok-4', choices: [{ message: { content: 'Acme.' } }] }
    const flags = { date: '2026-09-09', promptId: 'prm_1', platform: 'gemini' }
    expect(readOne({ platform: 'copilot', response: grok }, flags).reason).toMatch('--platform says "gemini"')
    expect(readOne({ platform: 'gemini', response: grok }, flags).platform).toBe('gemini')
  })

  test('the prompt: envelope in either form, then payload, then flag', () => {
    const rest = { date: '2026-09-09', promptId: 'prm_flag' }
    expect(readOne({ prompt_id: 'prm_1', response: SERP }, rest)).toMatchObject({
      prompt_id: 'prm_1',
      prompt: undefined,
    })
    expect(readOne({ prompt: 'other', response: SERP }, rest)).toMatchObject({ prompt_id: undefined, prompt: 'other' })
    expect(readOne(SERP, rest)).toMatchObject({ prompt_id: undefined, prompt: 'crm' })
    expect(readOne(CLAUDE, rest)).toMatchObject({ prompt_id: 'prm_flag' })
  })
})

describe('an envelope', () => {
  test('may hold a native answer, a list of payloads, or a payload with several answers', () => {
    const envelope = { date: '2026-09-01', prompt: 'crm', platform: 'claude' }
    expect(readOne({ ...envelope, response: { text: 'Acme.', citations: ['https://a.example/'] } })).toMatchObject({
      ...envelope,
      text: 'Acme.',
      citations: [{ url: 'https://a.example/' }],
    })
    expect(readRecords({ ...envelope, response: [CLAUDE, CLAUDE, 5] }, { format: 'auto', defaults: {} })).toMatchObject(
      [
        { ...envelope, text: 'Acme.' },
        { ...envelope, text: 'Acme.' },
        { reason: 'response: found 5; wanted a JSON object' },
      ],
    )
  })

  test('says what is judged of its answer, in the way of a native record', () => {
    const envelope = { date: '2026-09-01', prompt: 'crm', response: CLAUDE }
    expect(readOne({ ...envelope, sentiment: 'negative', mentions: ['Acme', ' '] })).toMatchObject({
      sentiment: 'negative',
      mentions: ['Acme'],
    })
    expect(readOne({ ...envelope, mentions: [] }).mentions).toEqual([])
    expect(readOne({ ...envelope, sentiment: null, mentions: null })).not.toHaveProperty('mentions')
    expect(readOne({ ...envelope, sentiment: 'good' }).reason).toBe(
      'sentiment: found "good"; wanted positive, neutral, negative or null',
    )
    expect(readOne({ ...envelope, mentions: ['Acme', 1] }).reason).toBe("mentions[1]: found 1; wanted a brand's name")
    expect(readOne({ ...envelope, sentiment: 'positive', response: [CLAUDE, CLAUDE] }).reason).toBe(
      'sentiment: found "positive" for 2 answers; wanted one answer in the envelope',
    )
    const native = { text: 'Acme.', sentiment: 'positive', mentions: ['Bolt'] }
    expect(
      readOne({ ...envelope, platform: 'claude', sentiment: null, mentions: ['Acme'], response: native }),
    ).toMatchObject({ sentiment: 'positive', mentions: ['Acme'] })
  })

  test('is not what a line of a batch is, nor the other way round', () => {
    const line = {
      custom_id: 'prm_9',
      response: { status_code: 200, body: { choices: [{ message: { content: 'A' } }] } },
    }
    const flags = { date: '2026-09-01' }
    expect(readOne(line, flags)).toMatchObject({ text: 'A', prompt_id: 'prm_9' })
    expect(readOne(line, { ...flags, promptId: 'prm_1' }).prompt_id).toBe('prm_1')
    expect(readOne({ prompt: 'crm', response: line }, flags)).toMatchObject({ prompt: 'crm', prompt_id: undefined })
    expect(readOne({ ...line, prompt: 'crm' }, flags).reason).toMatch('"custom_id" is no field of an envelope')
    expect(readOne({ key: 'prm_9', date: '2026-09-01', response: CLAUDE }).reason).toMatch('"key" is no field')
  })

  test('with a field that is none of its own is refused', () => {
    const { reason } = readOne({ date: '2026-09-01', prompt: 'crm', sentimant: 'positive', response: CLAUDE })
    expect(reason).toMatch(
      /^"sentimant" is no field of an envelope; wanted id, date, .*, mentions, sentiment, response$/,
    )
  })

  test('is not what a native record with a response beside its text is', () => {
    expect(readOne({ ...NATIVE, response: { role: 'assistant' } })).toMatchObject(NATIVE)
  })
})

test('an array in a line is read as its elements', () => {
  expect(readRecords([NATIVE, [NATIVE], null], { format: 'auto', defaults: {} })).toMatchObject([
    NATIVE,
    { reason: 'record: found an array; wanted a JSON object' },
    { reason: 'record: found null; wanted a JSON object' },
  ])
})

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
