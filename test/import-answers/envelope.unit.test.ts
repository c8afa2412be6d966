import { describe, expect, test } from 'vitest'
import type { AnswerRecord } from '../../src/domain/answer.ts'
import { toScanTime } from '../../src/domain/scan-time.ts'
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

describe('who was asked', () => {
  const envelope = { date: '2026-09-09', prompt_id: 'prm_1', platform: 'chatgpt' }
  const unnamed = { choices: [{ message: { content: 'Acme.' } }] }

  test('is taken from the envelope where the payload does not say it', () => {
    const origin = { provider: 'custom', model: 'gpt-5.5' }
    expect(readOne({ ...envelope, ...origin, response: unnamed })).toMatchObject(origin)
    const { provider, model, ...native } = { ...NATIVE, ...origin }
    expect(readOne({ ...envelope, provider, model, response: native })).toMatchObject(origin)
    expect(readOne({ ...envelope, provider: 'other', model: 'x', response: { ...native, ...origin } })).toMatchObject(
      origin,
    )
  })

  test('must be text', () => {
    expect(readOne({ ...envelope, model: 5, response: unnamed }).reason).toBe('model: found 5; wanted a string')
    expect(readOne({ ...envelope, provider: {}, response: unnamed }).reason).toMatch('provider: found an object')
    expect(readOne({ ...envelope, provider: null, response: unnamed }).reason).toBeUndefined()
  })

  test('and with which request and role changes nothing', () => {
    const asked = { request: { method: 'POST', url: 'https://x', headers: {}, body: { input: 'crm' } }, role: 'shadow' }
    expect(readOne({ ...envelope, ...asked, response: unnamed })).toEqual(readOne({ ...envelope, response: unnamed }))
  })
})

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
      /^"sentimant" is no field of an envelope; wanted id, date, .*, mentions, sentiment, provider, model, request, role, response$/,
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
