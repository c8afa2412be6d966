import { describe, expect, it } from 'vitest'
import { listProviders } from '../../../src/collect/providers/index.ts'
import type { Provider, ProviderRequest, Question } from '../../../src/collect/providers/provider.ts'
import { PROVIDER_IDS } from '../../../src/domain/enums.ts'
import { expectGolden } from '../../support/golden.ts'
import { toQuestion, toReply } from './questions.ts'

const providers = listProviders()
const named = providers.map((provider) => [provider.id, provider] as const)
const MARKETS = [null, 'Germany', 'Berlin, Germany', 'DACH']

/** A request as its bytes, without the secret that the sender adds. */
function write({ method, url, headers, body }: ProviderRequest): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url}`, ...head, '', ...(body === undefined ? [] : [JSON.stringify(body), ''])].join('\n')
}

function writeAll(provider: Provider): string {
  // A gateway is asked the same for every engine.
  const engines = provider.id === 'custom' ? provider.engines.slice(0, 1) : provider.engines
  const asked = engines.flatMap((engine) =>
    MARKETS.map((market) => {
      const question = toQuestion(provider, { engine, market })
      const refusal = provider.refusesMarket(question)
      const said = refusal === undefined ? write(provider.toRequest(question)) : `not asked: ${refusal}\n`
      return `== ${engine}, ${market ?? 'no market'}\n${said}`
    }),
  )
  return [...asked, ...writeLater(provider)].join('\n')
}

/** What follows a reply: the next part, or the question whether a task is done. */
function writeLater(provider: Provider): string[] {
  const question = toQuestion(provider, { market: 'Germany' })
  const verdict = provider.classify(toReply(200, FOLLOWED), { question, parts: [] })
  const follow = verdict.kind === 'follow' ? [`== follow-up\n${write(verdict.request)}`] : []
  const polls = provider.engines.map((engine) =>
    provider.poll?.('task/1', toQuestion(provider, { engine, market: 'Germany' })),
  )
  if (provider.id === 'custom') {
    const responses = toQuestion(provider, {
      model: 'gpt-5.5',
      market: 'Germany',
      baseUrl: 'https://gateway.example/v1/responses',
    })
    return [`== an address of the Responses API\n${write(provider.toRequest(responses))}`]
  }
  return [
    ...follow,
    ...polls.flatMap((poll, index) => (poll ? [`== poll, ${provider.engines[index]}\n${write(poll)}`] : [])),
  ]
}

const FOLLOWED = {
  role: 'assistant',
  stop_reason: 'pause_turn',
  content: [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'crm' } }],
  usage: { server_tool_use: { web_search_requests: 1 } },
  ai_overview: { page_token: 'KIVu-8=' },
}

describe.each(named)('%s', (id, provider) => {
  it('sends exactly the bytes that were read in review', () => {
    expectGolden(`test/collect/providers/golden/${id}.txt`, writeAll(provider))
  })

  it('asks the configured address, and puts no secret into a request', () => {
    const question = toQuestion(provider, { market: 'Germany', baseUrl: 'http://127.0.0.1:1/gateway' })
    const { url, headers } = provider.toRequest(question)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:1\/gateway\//)
    expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('authorization')
    expect(Object.keys(headers)).not.toContain(provider.secret.in === 'header' ? provider.secret.name : '')
  })

  it('carries any question whole', () => {
    const prompt = 'CRM "für" 100% + 日本 & <b>?\n#2 \u{1F600}'
    const question: Question = toQuestion(provider, { prompt, market: 'Germany' })
    const request = provider.toRequest(question)
    const said = request.body === undefined ? new URL(request.url).searchParams.get('q') : JSON.stringify(request.body)
    const wanted = id === 'dataforseo' ? question.prompt.replaceAll('%', '%25').replaceAll('+', '%2B') : question.prompt
    expect(said).toContain(request.body === undefined ? wanted : JSON.stringify(wanted).slice(1, -1))
  })

  it('says what its terms are and what it takes', () => {
    expect(provider.terms).not.toBe('')
    expect(provider.engines.length).toBeGreaterThan(0)
    expect(provider.limits.concurrency).toBeGreaterThan(0)
    expect(provider.limits.perMinute).toBeGreaterThan(0)
  })
})

it('lists each provider once', () => {
  const ids = providers.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(PROVIDER_IDS).toEqual(expect.arrayContaining(ids))
})
