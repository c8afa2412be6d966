import { describe, expect, it, test } from 'vitest'
import { getProvider, listProviders } from '../../../src/collect/providers/index.ts'
import type { Verdict } from '../../../src/collect/providers/provider.ts'
import type { ProviderId } from '../../../src/domain/enums.ts'
import { toQuestion, toReply } from './questions.ts'

const named = listProviders().map((provider) => [provider.id, provider] as const)
const error = { error: { message: 'as it is', type: 'x' } }

function classify(id: ProviderId, status: number, said: unknown, more: Asking = {}): Verdict {
  const provider = getProvider(id)
  const { engine, parts = [], taskId, headers = {} } = more
  const question = toQuestion(provider, { engine, market: 'Germany' })
  return provider.classify(toReply(status, said, headers), { question, parts, taskId })
}

interface Asking {
  readonly engine?: Parameters<typeof toQuestion>[1] extends infer A
    ? A extends { engine?: infer E }
      ? E
      : never
    : never
  readonly parts?: readonly unknown[]
  readonly taskId?: string
  readonly headers?: Readonly<Record<string, string>>
}

describe.each(named)('%s', (id) => {
  test.each([400, 404, 405, 413, 415, 422])('%i: nothing was bought, and this call can’t succeed', (status) => {
    expect(classify(id, status, error)).toEqual({ kind: 'refused', reason: `HTTP ${status}: as it is` })
  })

  test.each([401, 402, 403])('%i: no call of the provider will succeed', (status) => {
    expect(classify(id, status, error)).toEqual({ kind: 'off', reason: `HTTP ${status}: as it is` })
  })

  test.each([100, 301, 302, 304, 308, 408, 409, 418, 451, 500, 502, 503, 504, 529, 599])(
    '%i: it may have been bought',
    (status) => {
      expect(classify(id, status, error)).toEqual({ kind: 'uncertain', reason: `HTTP ${status}: as it is` })
    },
  )

  test.each([
    ['a page of HTML', '<!doctype html><title>Just a moment…</title>'],
    ['nothing', ''],
    ['JSON that is cut', '{"id":"resp_1","output":[{"ty'],
    ['JSON that is no object', '"ok"'],
    ['null', 'null'],
  ])('200 with %s: it may have been bought', (_what, said) => {
    const verdict = classify(id, 200, said)
    expect(verdict.kind).toBe('uncertain')
    expect('reason' in verdict && verdict.reason).toMatch(/^HTTP 200, but no JSON: /)
  })

  it('waits as long as 429 says', () => {
    expect(classify(id, 429, error)).toEqual({ kind: 'retry', afterMs: undefined })
    expect(classify(id, 429, error, { headers: { 'retry-after': '7' } })).toEqual({ kind: 'retry', afterMs: 7_000 })
    const date = { 'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT', date: 'Sun, 22 Nov 2026 10:00:00 GMT' }
    expect(classify(id, 429, error, { headers: date })).toEqual({ kind: 'retry', afterMs: 30_000 })
    expect(classify(id, 429, error, { headers: { 'retry-after': 'soon' } })).toEqual({
      kind: 'retry',
      afterMs: undefined,
    })
    expect(classify(id, 429, error, { headers: { 'retry-after-ms': '250', 'retry-after': '1' } })).toEqual({
      kind: 'retry',
      afterMs: 250,
    })
  })

  it('keeps what was bought before a follow-up was refused', () => {
    expect(classify(id, 400, error, { parts: [{}] })).toEqual({ kind: 'answer' })
    expect(classify(id, 401, error, { parts: [{}] })).toEqual({ kind: 'answer' })
    expect(classify(id, 400, '<html>', { parts: [{}] }).kind).toBe('uncertain')
    expect(classify(id, 500, error, { parts: [{}] }).kind).toBe('uncertain')
  })

  it('says a long refusal in one short line', () => {
    const verdict = classify(id, 400, { error: { message: `a\n${'b'.repeat(5_000)}` } })
    expect('reason' in verdict && verdict.reason).toMatch(/^HTTP 400: a b{298}$/)
  })
})

describe('a quota that is used up', () => {
  test.each<[ProviderId, number, unknown]>([
    [
      'openai',
      429,
      { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
    ],
    ['custom', 429, { error: { message: 'no credit', code: 'insufficient_quota' } }],
    ['perplexity', 429, { error: { message: 'no credit', type: 'insufficient_quota' } }],
    [
      'anthropic',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the Anthropic API.',
        },
      },
    ],
    [
      'gemini',
      429,
      {
        error: {
          code: 429,
          message: 'Quota',
          details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] }],
        },
      },
    ],
    ['gemini', 400, { error: { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } }],
    ['serpapi', 429, { error: 'Your account has run out of searches.' }],
    ['searchapi', 429, { error: 'You have used all of the searches for the month.' }],
    ['dataforseo', 200, { status_code: 40_100, status_message: 'You are not authorized', tasks: null }],
    [
      'dataforseo',
      200,
      { status_code: 20_000, tasks: [{ status_code: 40_210, status_message: 'Insufficient Funds.' }] },
    ],
  ])('%s %i: no call of the provider will succeed', (id, status, said) => {
    expect(classify(id, status, said).kind).toBe('off')
  })

  test.each<[ProviderId, unknown, number | undefined]>([
    ['openai', { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } }, undefined],
    ['serpapi', { error: 'You are exceeding your hourly throughput.' }, undefined],
    [
      'searchapi',
      { error: 'The number of allowed requests has been exceeded. Consider upgrading your plan.' },
      undefined,
    ],
    [
      'gemini',
      {
        error: {
          code: 429,
          message: 'Quota',
          details: [{ violations: [{ quotaId: 'RequestsPerMinute' }] }, { retryDelay: '34s' }],
        },
      },
      34_000,
    ],
    ['gemini', { error: { code: 429, message: 'Quota', details: [{ retryDelay: '1.5s' }] } }, 1_500],
  ])('%s: a pace that is too fast is waited for', (id, said, afterMs) => {
    expect(classify(id, 429, said)).toEqual({ kind: 'retry', afterMs })
  })
})

describe('an answer', () => {
  test.each<[ProviderId, unknown]>([
    ['openai', { status: 'completed', output: [] }],
    ['openai', { status: 'failed', error: { message: 'x' }, output: [] }],
    ['anthropic', { role: 'assistant', stop_reason: 'end_turn', content: [] }],
    ['gemini', { candidates: [] }],
    ['perplexity', { choices: [] }],
    ['custom', { choices: [] }],
    ['serpapi', { search_metadata: { status: 'Success' }, ai_overview: { text_blocks: [], page_token: 'both' } }],
    ['serpapi', { search_metadata: { status: 'Error' }, error: 'x' }],
    ['searchapi', { search_metadata: { status: 'Success' }, organic_results: [] }],
  ])('of %s is kept as it came', (id, said) => {
    expect(classify(id, 200, said)).toEqual({ kind: 'answer' })
  })

  it('of Claude that pauses is gone on with twice', () => {
    const paused = { role: 'assistant', stop_reason: 'pause_turn', content: [{ type: 'text', text: 'a' }] }
    const verdict = classify('anthropic', 200, paused, {
      parts: [{ ...paused, content: [{ type: 'text', text: 'b' }] }],
    })
    expect(verdict).toMatchObject({ kind: 'follow', request: { method: 'POST' } })
    const body = verdict.kind === 'follow' ? (verdict.request.body as { messages: unknown[] }) : undefined
    const content = [
      { type: 'text', text: 'b' },
      { type: 'text', text: 'a' },
    ]
    expect(body?.messages.at(-1)).toEqual({ role: 'assistant', content })
    expect(classify('anthropic', 200, paused, { parts: [paused, paused] })).toEqual({ kind: 'answer' })
  })

  it('of a page that has a token alone is fetched by it, once', () => {
    const page = { search_metadata: { status: 'Success' }, ai_overview: { page_token: 'T' } }
    expect(classify('serpapi', 200, page)).toMatchObject({ kind: 'follow' })
    expect(classify('serpapi', 200, page, { parts: [page] })).toEqual({ kind: 'answer' })
    expect(classify('searchapi', 200, page)).toMatchObject({ kind: 'follow' })
  })
})

describe('a task', () => {
  const dfs = (code: number, more: object = {}): object => ({
    status_code: 20_000,
    tasks: [{ id: 'task-1', status_code: code, status_message: 'as it is', ...more }],
  })

  test.each<[ProviderId, unknown, Verdict]>([
    ['dataforseo', dfs(20_100), { kind: 'task', taskId: 'task-1' }],
    ['dataforseo', dfs(20_000, { result: [{}] }), { kind: 'answer' }],
    ['dataforseo', dfs(40_501), { kind: 'refused', reason: '40501: as it is' }],
    ['dataforseo', dfs(40_202), { kind: 'retry', afterMs: undefined }],
    ['dataforseo', dfs(40_200), { kind: 'off', reason: '40200: as it is' }],
    ['dataforseo', dfs(50_000), { kind: 'uncertain', reason: '50000: as it is' }],
    ['dataforseo', dfs(20_100, { id: 7 }), { kind: 'uncertain', reason: '20100: as it is' }],
    ['dataforseo', {}, { kind: 'uncertain', reason: 'a reply without the status of a task' }],
    ['brightdata', { snapshot_id: 's_1' }, { kind: 'task', taskId: 's_1' }],
    ['brightdata', { message: 'hm' }, { kind: 'uncertain', reason: 'a reply without a snapshot_id' }],
    ['brightdata', [{ prompt: 'p', answer_text: 'a' }], { kind: 'answer' }],
    ['oxylabs', { id: '73', status: 'pending', source: 'chatgpt' }, { kind: 'task', taskId: '73' }],
    ['oxylabs', { message: 'hm' }, { kind: 'uncertain', reason: 'a reply without the id of a job' }],
    ['oxylabs', { results: [] }, { kind: 'answer' }],
  ])('of %s, posted: %j', (id, said, verdict) => {
    expect(classify(id, 200, said)).toEqual(verdict)
  })

  test.each<[ProviderId, number, unknown, Verdict]>([
    ['dataforseo', 200, dfs(20_000, { result: [{}] }), { kind: 'answer' }],
    ['dataforseo', 200, dfs(50_401), { kind: 'answer' }],
    ['dataforseo', 200, dfs(40_102), { kind: 'answer' }],
    ['dataforseo', 200, dfs(40_602), { kind: 'pending', afterMs: 15_000 }],
    ['dataforseo', 200, dfs(40_601), { kind: 'pending', afterMs: 15_000 }],
    ['dataforseo', 200, dfs(40_202), { kind: 'pending', afterMs: 15_000 }],
    ['dataforseo', 200, dfs(40_401), { kind: 'uncertain', reason: '40401: as it is' }],
    ['brightdata', 200, [{ prompt: 'p' }], { kind: 'answer' }],
    ['brightdata', 200, { prompt: 'p', answer_text: 'a', status: 'any' }, { kind: 'answer' }],
    ['brightdata', 200, { status: 'failed', error_message: 'x' }, { kind: 'answer' }],
    [
      'brightdata',
      202,
      { status: 'running', message: 'Snapshot is not ready yet' },
      { kind: 'pending', afterMs: 10_000 },
    ],
    ['brightdata', 200, { status: 'building' }, { kind: 'pending', afterMs: 10_000 }],
    ['oxylabs', 200, { id: '73', status: 'pending' }, { kind: 'pending', afterMs: 5_000 }],
    ['oxylabs', 200, { id: '73', status: 'faulted' }, { kind: 'answer' }],
    ['oxylabs', 204, '', { kind: 'pending', afterMs: 10_000 }],
  ])('of %s, asked for, %i: %j', (id, status, said, verdict) => {
    expect(classify(id, status, said, { taskId: 'task-1' })).toEqual(verdict)
  })

  it('of Oxylabs that is done leads to its results', () => {
    const job = { id: '73', status: 'done', source: 'chatgpt' }
    const verdict = classify('oxylabs', 200, job, { taskId: '73' })
    const url = 'https://data.oxylabs.io/v1/queries/73/results'
    expect(verdict).toMatchObject({ kind: 'follow', request: { method: 'GET', url } })
    expect(classify('oxylabs', 200, { results: [{}] }, { taskId: '73', parts: [job] })).toEqual({ kind: 'answer' })
  })

  const WITH_TASKS = named.filter(([, provider]) => provider.poll)

  test.each(WITH_TASKS)('of %s is bought: no status says that it is not', (id) => {
    for (const status of [500, 502, 503, 429, 408, 301, 200]) {
      expect(classify(id, status, '<html>', { taskId: 'task-1' })).toEqual({ kind: 'pending', afterMs: 10_000 })
    }
    expect(classify(id, 429, error, { taskId: 'task-1', headers: { 'retry-after': '3' } })).toEqual({
      kind: 'pending',
      afterMs: 3_000,
    })
    for (const status of [400, 401, 402, 403, 404, 410]) {
      expect(classify(id, status, error, { taskId: 'task-1' })).toEqual({
        kind: 'uncertain',
        reason: `the task can't be read: HTTP ${status}: as it is`,
      })
    }
  })
})
