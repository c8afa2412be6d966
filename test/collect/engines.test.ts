import { describe, expect, test } from 'vitest'
import type { AnswerRecord } from '../../src/domain/answer.ts'
import { readRecords } from '../../src/import-answers/envelope.ts'
import { answerTo } from './engines/answers.ts'
import { listOf, objectOf } from './engines/cases.ts'
import { countPurchases } from './engines/ledger.ts'
import type { Script } from './engines/script.ts'
import { type EngineProvider, TEST_SECRETS } from './engines/secrets.ts'
import { Engines } from './engines/server.ts'

interface Way {
  readonly provider: EngineProvider
  readonly platform: string
  ask(url: string, question: string): Promise<unknown>
}

async function call(url: string, provider: EngineProvider, path: string, body?: unknown): Promise<unknown> {
  const secret = TEST_SECRETS[provider]
  const isBasic = provider === 'dataforseo' || provider === 'oxylabs'
  const response = await fetch(`${url}/${provider}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: isBasic ? `Basic ${Buffer.from(secret).toString('base64')}` : `Bearer ${secret}`,
      'x-api-key': secret,
      'x-goog-api-key': secret,
      'anthropic-version': '2023-06-01',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function untilReady(read: () => Promise<unknown>, isReady: (found: unknown) => boolean): Promise<unknown> {
  for (;;) {
    const found = await read()
    if (isReady(found)) return found
  }
}

const user = (content: string): unknown[] => [{ role: 'user', content }]

/** An overview on a page of results, by its token where the page has one. */
async function askPages(url: string, provider: 'serpapi' | 'searchapi', question: string): Promise<unknown> {
  const base = `/search.json?api_key=${encodeURIComponent(TEST_SECRETS[provider])}`
  const path = provider === 'serpapi' ? base : base.replace('.json', '')
  const page = await call(url, provider, `${path}&engine=google&q=${encodeURIComponent(question)}`)
  const token = objectOf(objectOf(page)['ai_overview'])['page_token']
  if (typeof token !== 'string') return page
  return call(url, provider, `${path}&engine=google_ai_overview&page_token=${encodeURIComponent(token)}`)
}

async function askDataforseo(url: string, api: string, question: string): Promise<unknown> {
  const posted = await call(url, 'dataforseo', `/v3/${api}/task_post`, [{ keyword: question }])
  const id = String(listOf(objectOf(posted)['tasks'])[0]?.['id'])
  const read = () => call(url, 'dataforseo', `/v3/${api}/task_get/advanced/${id}`)
  return untilReady(read, (found) => listOf(objectOf(found)['tasks'])[0]?.['status_code'] === 20000)
}

async function askBrightdata(url: string, dataset: string, question: string): Promise<unknown> {
  const triggered = await call(url, 'brightdata', `/datasets/v3/trigger?dataset_id=${dataset}`, [{ prompt: question }])
  const id = String(objectOf(triggered)['snapshot_id'])
  await untilReady(
    () => call(url, 'brightdata', `/datasets/v3/progress/${id}`),
    (found) => objectOf(found)['status'] === 'ready',
  )
  return call(url, 'brightdata', `/datasets/v3/snapshot/${id}?format=json`)
}

async function askOxylabs(url: string, source: string, question: string): Promise<unknown> {
  const pushed = await call(url, 'oxylabs', '/v1/queries', { source, query: question })
  const id = String(objectOf(pushed)['id'])
  await untilReady(
    () => call(url, 'oxylabs', `/v1/queries/${id}`),
    (found) => objectOf(found)['status'] === 'done',
  )
  return call(url, 'oxylabs', `/v1/queries/${id}/results`)
}

const WAYS: readonly Way[] = [
  {
    provider: 'openai',
    platform: 'chatgpt',
    ask: (url, input) => call(url, 'openai', '/v1/responses', { model: 'gpt-5.5', input }),
  },
  {
    provider: 'custom',
    platform: 'chatgpt',
    ask: (url, prompt) => call(url, 'custom', '/chat/completions', { model: 'gpt-5.5', messages: user(prompt) }),
  },
  {
    provider: 'anthropic',
    platform: 'claude',
    ask: (url, prompt) =>
      call(url, 'anthropic', '/v1/messages', { model: 'claude-sonnet-5', max_tokens: 9, messages: user(prompt) }),
  },
  {
    provider: 'gemini',
    platform: 'gemini',
    ask: (url, text) =>
      call(url, 'gemini', '/v1beta/models/gemini-3:generateContent', { contents: [{ parts: [{ text }] }] }),
  },
  {
    provider: 'perplexity',
    platform: 'perplexity',
    ask: (url, prompt) => call(url, 'perplexity', '/chat/completions', { model: 'sonar', messages: user(prompt) }),
  },
  { provider: 'serpapi', platform: 'ai_overviews', ask: (url, question) => askPages(url, 'serpapi', question) },
  { provider: 'searchapi', platform: 'ai_overviews', ask: (url, question) => askPages(url, 'searchapi', question) },
  {
    provider: 'dataforseo',
    platform: 'ai_mode',
    ask: (url, question) => askDataforseo(url, 'serp/google/ai_mode', question),
  },
  {
    provider: 'dataforseo',
    platform: 'chatgpt',
    ask: (url, question) => askDataforseo(url, 'ai_optimization/chat_gpt/llm_scraper', question),
  },
  {
    provider: 'brightdata',
    platform: 'copilot',
    ask: (url, question) => askBrightdata(url, 'gd_m7di5jy6s9geokz8w', question),
  },
  { provider: 'oxylabs', platform: 'ai_overviews', ask: (url, question) => askOxylabs(url, 'google_search', question) },
  { provider: 'oxylabs', platform: 'ai_mode', ask: (url, question) => askOxylabs(url, 'google_ai_mode', question) },
]

const QUESTIONS = Array.from({ length: 40 }, (_, index) => `Which tool is best for case ${index}? "ß" & más`)

describe('the engines', () => {
  test.each(WAYS)('$provider answers for $platform what the adapters read', async ({ provider, platform, ask }) => {
    await using engines = await Engines.start({ script: { taskMs: 0 } })
    const bodies = await Promise.all(QUESTIONS.map((question) => ask(engines.url, question)))
    const found = bodies.map((response) => readOne({ prompt_id: 'p1', date: '2026-11-22', platform, response }))
    const expected = QUESTIONS.map((question) => {
      const reply = answerTo(provider, question)
      return reply.kind === 'answer' ? { words: reply.sentences[0], links: reply.sentences.length - 1 } : null
    })
    expect(found.map((record) => record.text !== null && record.text !== '')).toEqual(expected.map(Boolean))
    found.forEach((record, index) => expect(record.text ?? '').toContain(expected[index]?.words ?? ''))
    expect(found.reduce((sum, record) => sum + record.citations.length, 0)).toBeGreaterThan(50)
    const counts = countPurchases(engines.ledger.entries)
    expect([counts.size, ...new Set(counts.values())]).toEqual([QUESTIONS.length, 1])
  })

  test('a wrong secret is refused and buys nothing', async () => {
    await using engines = await Engines.start({ secrets: { ...TEST_SECRETS, openai: 'another' } })
    await expect(WAYS[0]!.ask(engines.url, 'a')).rejects.toThrow('401')
    expect(engines.ledger.entries).toEqual([])
  })

  test('a paused turn is gone on with by what came', async () => {
    const script: Script = { rules: [{ act: { do: 'pause', times: 2 } }] }
    await using engines = await Engines.start({ script })
    const body = { model: 'claude-sonnet-5', max_tokens: 9 }
    const messages = user('a')
    for (const isLast of [false, false, true]) {
      const reply = objectOf(await call(engines.url, 'anthropic', '/v1/messages', { ...body, messages }))
      expect(reply['stop_reason']).toBe(isLast ? 'end_turn' : 'pause_turn')
      messages.push({ role: 'assistant', content: reply['content'] })
    }
    expect(engines.ledger.entries.map(({ kind, bought }) => [kind, bought])).toEqual([
      ['ask', true],
      ['follow', false],
      ['follow', false],
    ])
  })

  test('a page token dies', async () => {
    await using engines = await Engines.start({ script: { pageTokenLifeMs: -1 } })
    const pages = await Promise.all(QUESTIONS.map((question) => askPages(engines.url, 'serpapi', question)))
    expect(pages.filter((page) => objectOf(page)['error'] === 'page_token has expired').length).toBeGreaterThan(5)
  })

  test.each([
    [{ do: 'refuse', status: 429, headers: { 'retry-after': '1' } }, '429', false],
    [{ do: 'break', status: 500 }, '500', true],
    [{ do: 'html' }, 'not valid JSON', true],
    [{ do: 'cut', at: 20 }, 'terminated', true],
    [{ do: 'reset', bought: false }, 'fetch failed', false],
    [{ do: 'reset', bought: true }, 'fetch failed', true],
    [{ do: 'echo', status: 401 }, TEST_SECRETS.openai, false],
  ] as const)('%j fails with %j, bought: %j', async (act, message, bought) => {
    await using engines = await Engines.start({ script: { rules: [{ act }] } })
    await expect(WAYS[0]!.ask(engines.url, 'a')).rejects.toThrow(message)
    expect(engines.ledger.entries.map((entry) => entry.bought)).toEqual([bought])
  })

  test('a rule fits the requests that it names, and connections and rates have bounds of their own', async () => {
    const rules: Script['rules'] = [{ question: 'two', nth: [2], act: { do: 'refuse', status: 503 } }]
    await using engines = await Engines.start({ script: { rules } })
    const ask = async (question: string): Promise<string> =>
      WAYS[0]!.ask(engines.url, question).then(
        () => 'answer',
        (error: Error) => error.message.slice(0, 12),
      )
    expect([await ask('one'), await ask('two'), await ask('two'), await ask('two')]).toEqual([
      'answer',
      'answer',
      '503 {"error"',
      'answer',
    ])
    engines.script = { perSecond: { openai: 2 } }
    expect([await ask('a'), await ask('b'), await ask('c')].map((text) => text.slice(0, 3))).toEqual([
      'ans',
      'ans',
      '429',
    ])
  })

  test('a body is drawn out, dripped and packed without a change', async () => {
    await using engines = await Engines.start()
    const plain = await WAYS[0]!.ask(engines.url, 'a')
    for (const act of [
      { do: 'drip', pieces: 5, everyMs: 1 },
      { do: 'pad', bytes: 17 << 20, gzip: true },
    ] as const) {
      engines.script = { rules: [{ act }] }
      expect(await WAYS[0]!.ask(engines.url, 'a')).toEqual(plain)
    }
  })
})

function readOne(envelope: unknown): AnswerRecord {
  const records = readRecords(envelope, { format: 'auto', defaults: {} })
  const [record] = records
  if (records.length !== 1 || record === undefined || 'reason' in record) throw new Error(JSON.stringify(records))
  return record
}
