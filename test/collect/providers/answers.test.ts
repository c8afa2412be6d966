import { describe, expect, test } from 'vitest'
import { listProviders } from '../../../src/collect/providers/index.ts'
import type { Provider, ProviderRequest, Question, Reply, Verdict } from '../../../src/collect/providers/provider.ts'
import type { AnswerRecord } from '../../../src/domain/answer.ts'
import type { EngineId } from '../../../src/domain/enums.ts'
import { isRejection } from '../../../src/domain/rejection.ts'
import { readRecords } from '../../../src/import-answers/envelope.ts'
import { answerTo } from '../engines/answers.ts'
import { countPurchases } from '../engines/ledger.ts'
import type { Script } from '../engines/script.ts'
import { TEST_SECRETS } from '../engines/secrets.ts'
import { Engines } from '../engines/server.ts'
import { toQuestion, toReply } from './questions.ts'

/** Sends a request with its secret, once, whatever comes of it. */
async function send({ id, secret: place }: Provider, request: ProviderRequest): Promise<Reply> {
  const secret = TEST_SECRETS[id]
  const url = new URL(request.url)
  const headers = new Headers(request.headers)
  if (place.in === 'query') url.searchParams.set(place.name, secret)
  if (place.in === 'header') headers.set(place.name, `${place.prefix}${secret}`)
  if (place.in === 'basic') headers.set('authorization', `Basic ${Buffer.from(secret).toString('base64')}`)
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) }
  const response = await fetch(url, { method: request.method, headers, redirect: 'manual', ...body })
  return toReply(response.status, await response.text(), Object.fromEntries(response.headers))
}

/** Asks as a scan does, without its queue: parts are followed, tasks asked for until they are done. */
async function ask(provider: Provider, question: Question): Promise<{ parts: unknown[]; verdict: Verdict }> {
  const parts: unknown[] = []
  let request = provider.toRequest(question)
  for (let taskId: string | undefined, tries = 0; tries < 50; tries++) {
    const reply = await send(provider, request)
    const verdict = provider.classify(reply, { question, parts, taskId })
    if (verdict.kind === 'answer' || verdict.kind === 'follow') parts.push(reply.json)
    if (verdict.kind === 'follow') ({ request } = verdict)
    else if (verdict.kind === 'task') ({ taskId } = verdict)
    else if (verdict.kind !== 'pending') return { parts, verdict }
    if (verdict.kind !== 'follow' && taskId !== undefined && provider.poll) request = provider.poll(taskId, question)
  }
  throw new Error('it never ends')
}

/** What `import answers` makes of the envelope that a scan would keep. */
function read(question: Question, parts: readonly unknown[]): AnswerRecord | string {
  const response = parts.length === 1 ? parts[0] : parts
  const envelope = { id: 'a', date: '2026-11-22', prompt_id: 'p1', platform: question.target.engine, response }
  const records = readRecords(envelope, { format: 'auto', defaults: {} })
  expect(records).toHaveLength(1)
  const [record] = records
  return record === undefined || isRejection(record) ? (record?.reason ?? '') : record
}

interface Way {
  readonly provider: Provider
  readonly name: string
  readonly engine: EngineId
}

/** A gateway is asked the same for every engine. */
const ways: readonly Way[] = listProviders().flatMap((provider) =>
  (provider.id === 'custom' ? (['chatgpt'] as const) : provider.engines).map((engine) => ({
    provider,
    name: provider.id,
    engine,
  })),
)
const QUESTIONS = Array.from({ length: 20 }, (_, index) => `Which tool is best for case ${index}? "ß" & más`)

function toAsked(url: string, { provider, engine }: Way, prompt: string): Question {
  const market = engine === 'copilot' && provider.id !== 'brightdata' ? null : 'Germany'
  const model = provider.id === 'custom' ? 'gpt-5.5' : undefined
  return toQuestion(provider, { engine, model, prompt, market, baseUrl: `${url}/${provider.id}` })
}

describe('an answer', () => {
  test.each(ways)(
    'of $engine by $name becomes what the engine said, is bought once, and costs what was reserved at most',
    async (way) => {
      await using engines = await Engines.start({ script: { taskMs: 0 } })
      for (const prompt of QUESTIONS) {
        const question = toAsked(engines.url, way, prompt)
        expect(way.provider.refusesMarket(question)).toBeUndefined()
        const { parts, verdict } = await ask(way.provider, question)
        expect(verdict).toEqual({ kind: 'answer' })
        const record = read(question, parts)
        const said = answerTo(way.provider.id, question.prompt)
        if (typeof record === 'string') throw new Error(`${prompt}: ${record}`)
        expect(record.platform).toBe(way.engine)
        if (said.kind === 'answer') expect(record.text).toContain(said.sentences[0])
        else expect(record.text ?? '').toBe('')
        const { highMicros } = way.provider.price(question)
        expect(way.provider.cost(parts, question) ?? highMicros).toBeLessThanOrEqual(highMicros)
      }
      const counts = countPurchases(engines.ledger.entries)
      expect([counts.size, ...new Set(counts.values())]).toEqual([QUESTIONS.length, 1])
    },
  )

  const anthropic = ways.find(({ name }) => name === 'anthropic')!

  test.each([
    [1, 2, 'end_turn'],
    [2, 3, 'end_turn'],
    [3, 3, 'pause_turn'],
  ])('of Claude that pauses %i times has %i parts and ends in %s', async (times, count, stop) => {
    const script: Script = { rules: [{ act: { do: 'pause', times } }] }
    await using engines = await Engines.start({ script })
    const question = toAsked(engines.url, anthropic, 'a')
    const { parts } = await ask(anthropic.provider, question)
    expect(parts).toHaveLength(count)
    expect(parts.at(-1)).toMatchObject({ stop_reason: stop })
    const record = read(question, parts)
    expect(typeof record === 'string').toBe(stop === 'pause_turn')
    expect(countPurchases(engines.ledger.entries)).toHaveLength(1)
  })

  test.each(ways.filter(({ provider, engine }) => provider.id === 'serpapi' && engine === 'ai_overviews'))(
    'whose page token is dead is no answer, and is kept',
    async (way) => {
      await using engines = await Engines.start({ script: { pageTokenLifeMs: -1 } })
      const found = await Promise.all(
        QUESTIONS.map(async (prompt) => {
          const question = toAsked(engines.url, way, prompt)
          const { parts } = await ask(way.provider, question)
          return parts.length === 2 ? read(question, parts) : undefined
        }),
      )
      const dead = found.filter((record) => record !== undefined)
      expect(dead.length).toBeGreaterThan(2)
      expect(new Set(dead)).toEqual(new Set(['ai_overview was not captured: it holds page_token has expired']))
    },
  )

  test.each(ways.filter(({ provider }) => provider.poll))(
    'of $engine by $name whose task fails is kept, and says why',
    async (way) => {
      await using engines = await Engines.start({ script: { taskMs: 0, rules: [{ act: { do: 'fail' } }] } })
      const question = toAsked(engines.url, way, 'a')
      const { parts, verdict } = await ask(way.provider, question)
      expect(verdict).toEqual({ kind: 'answer' })
      expect(read(question, parts)).toMatch(/fail|error|50401/i)
    },
  )
})
