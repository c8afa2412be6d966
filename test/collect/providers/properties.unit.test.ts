import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listProviders } from '../../../src/collect/providers/index.ts'
import type { Verdict } from '../../../src/collect/providers/provider.ts'
import { toQuestion, toReply } from './questions.ts'

const named = listProviders().map((provider) => [provider.id, provider] as const)

/** Names that providers look for, so that random bodies get deep. */
const KEYS = [
  'error',
  'message',
  'details',
  'violations',
  'quotaId',
  'retryDelay',
  'reason',
  'stop_reason',
  'content',
  'role',
  'usage',
  'server_tool_use',
  'web_search_requests',
  'input_tokens',
  'output_tokens',
  'output',
  'type',
  'action',
  'ai_overview',
  'page_token',
  'search_metadata',
  'status',
  'tasks',
  'status_code',
  'status_message',
  'id',
  'result',
  'items',
  'cost',
  'total_cost',
  'snapshot_id',
  'prompt',
  'candidates',
  'groundingMetadata',
  'webSearchQueries',
  'usageMetadata',
  'promptTokenCount',
  'prompt_tokens',
  'completion_tokens',
]
const WORDS = [
  'pause_turn',
  'assistant',
  'insufficient_quota',
  'PerDay',
  'Success',
  'Error',
  'running',
  'failed',
  'search',
  '3s',
]

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...WORDS, 20_000, 20_100, 40_602, 40_210, -1, 0, 1e9, true, null),
    fc.string(),
    fc.double(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 6 }),
  ),
})).value

const reply = fc
  .tuple(
    fc.oneof(fc.constantFrom(200, 202, 400, 401, 429, 500, 529), fc.integer({ min: 100, max: 599 })),
    fc.oneof(json, fc.string(), fc.constantFrom('<html></html>', '', '{"cut":')),
    fc.dictionary(
      fc.constantFrom('retry-after', 'retry-after-ms', 'date'),
      fc.constantFrom('1', '-1', '', 'soon', 'Sun, 22 Nov 2026 10:00:30 GMT'),
    ),
  )
  .map(([status, said, headers]) => toReply(status, said, headers))

const KINDS: readonly Verdict['kind'][] = [
  'answer',
  'follow',
  'task',
  'pending',
  'retry',
  'refused',
  'off',
  'uncertain',
]

describe.each(named)('%s', (_id, provider) => {
  const question = toQuestion(provider, { market: 'Germany' })

  it('has a verdict on any reply', () => {
    fc.assert(
      fc.property(
        reply,
        fc.array(json, { maxLength: 2 }),
        fc.option(fc.string(), { nil: undefined }),
        (said, parts, taskId) => {
          const verdict = provider.classify(said, { question, parts, taskId })
          expect(KINDS).toContain(verdict.kind)
          if ('afterMs' in verdict && verdict.afterMs !== undefined) expect(verdict.afterMs).toBeGreaterThanOrEqual(0)
          if ('reason' in verdict) expect(verdict.reason).not.toBe('')
          if (verdict.kind === 'task') expect(verdict.taskId).not.toBe('')
          // What is kept is JSON, so that it can stand in an envelope.
          if (verdict.kind === 'answer' || verdict.kind === 'follow') expect(said.json).toBeTypeOf('object')
          // Only what a status proves counts as not bought.
          const proves = [400, 401, 402, 403, 404, 405, 413, 415, 422, 429].includes(said.status)
          const isFree = ['retry', 'refused', 'off'].includes(verdict.kind)
          if (isFree) expect(proves || (provider.id === 'dataforseo' && said.status < 300)).toBe(true)
          if (isFree) expect(parts.length === 0 || verdict.kind === 'retry' || provider.id === 'dataforseo').toBe(true)
          if (taskId !== undefined && provider.poll) expect(isFree).toBe(false)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('tells a cost of any parts, or that it can’t', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 3 }), (parts) => {
        const cost = provider.cost(parts, question)
        if (cost !== undefined) expect(Number.isSafeInteger(cost) && cost >= 0).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('writes a request and a price for any prompt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 2_000 }), (prompt) => {
        const asked = toQuestion(provider, { prompt, market: 'Germany' })
        const { url, body } = provider.toRequest(asked)
        expect(URL.canParse(url)).toBe(true)
        expect(() => JSON.stringify(body)).not.toThrow()
        const { lowMicros, highMicros } = provider.price(asked)
        expect(Number.isInteger(lowMicros) && Number.isInteger(highMicros)).toBe(true)
        expect(lowMicros).toBeLessThanOrEqual(highMicros)
      }),
    )
  })
})
