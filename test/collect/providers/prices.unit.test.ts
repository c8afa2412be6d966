import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getProvider, listProviders } from '../../../src/collect/providers/index.ts'
import { boundOfCall } from '../../../src/reference/provider-prices.ts'
import { toQuestion } from './questions.ts'

const openai = getProvider('openai')
const anthropic = getProvider('anthropic')

describe('the price of a call', () => {
  it('is reckoned from tokens and searches', () => {
    const question = toQuestion(openai, { prompt: 'x'.repeat(400), model: 'gpt-5.5' })
    // 4 readings of 2,400 tokens and what 1, 2 and 3 searches added, 16,384 tokens of answer, 3 searches.
    const high = (4 * 2_400 + 20_000 * 6) * 5 + 16_384 * 30 + 3 * 10_000
    const low = (100 + 5_000) * 5 + 600 * 30 + 10_000
    expect(openai.price(question)).toEqual({ lowMicros: low, highMicros: high })
  })

  it('of Claude has room for two continuations', () => {
    const question = toQuestion(anthropic, { prompt: 'x'.repeat(400), model: 'claude-haiku-4-5' })
    const input = 6 * 2_400 + 20_000 * 15 + 2 * (2_400 + 5 * 20_000)
    expect(anthropic.price(question).highMicros).toBe(input * 1 + 3 * 8_192 * 5 + 5 * 10_000)
  })

  it('of an overview has room for its page token', () => {
    const serpapi = getProvider('serpapi')
    expect(serpapi.price(toQuestion(serpapi, { engine: 'ai_overviews' }))).toEqual({
      lowMicros: 25_000,
      highMicros: 50_000,
    })
    expect(serpapi.price(toQuestion(serpapi, { engine: 'ai_mode' }))).toEqual({ lowMicros: 25_000, highMicros: 25_000 })
  })

  it.each(listProviders().map((provider) => [provider.id, provider] as const))(
    'of %s is there for all its engines',
    (_id, provider) => {
      for (const engine of provider.engines) {
        const { lowMicros, highMicros } = provider.price(toQuestion(provider, { engine, market: 'Germany' }))
        expect(lowMicros).toBeGreaterThan(0)
        expect(highMicros).toBeGreaterThanOrEqual(lowMicros)
        // A day's budget of a few dollars has room for several calls at once.
        expect(highMicros).toBeLessThan(2_500_000)
      }
    },
  )
})

describe('the cost of a call', () => {
  it('of OpenAI counts tokens and searches, not the pages that were opened', () => {
    const question = toQuestion(openai, { model: 'gpt-5.5' })
    const call = (type: string): object => ({ type: 'web_search_call', action: { type } })
    const part = {
      usage: { input_tokens: 10_000, output_tokens: 500, total_tokens: 10_500 },
      output: [
        call('search'),
        call('open_page'),
        call('find_in_page'),
        { type: 'web_search_call' },
        { type: 'message' },
      ],
    }
    expect(openai.cost([part], question)).toBe(10_000 * 5 + 500 * 30 + 2 * 10_000)
    expect(openai.cost([{ output: [] }], question)).toBeUndefined()
    expect(openai.cost([{ usage: { input_tokens: -1, output_tokens: 5 } }], question)).toBeUndefined()
  })

  it('of Claude adds its parts and what its cache took', () => {
    const question = toQuestion(anthropic, { model: 'claude-haiku-4-5' })
    const paused = { usage: { input_tokens: 1_000, output_tokens: 10, server_tool_use: { web_search_requests: 2 } } }
    const last = {
      usage: { input_tokens: 100, cache_read_input_tokens: 2_000, cache_creation_input_tokens: 50, output_tokens: 20 },
    }
    expect(anthropic.cost([paused, last], question)).toBe(3_150 * 1 + 30 * 5 + 2 * 10_000)
    expect(anthropic.cost([paused, { type: 'error' }], question)).toBeUndefined()
  })

  it('of Gemini counts thoughts as output and each search', () => {
    const gemini = getProvider('gemini')
    const part = {
      usageMetadata: {
        promptTokenCount: 100,
        toolUsePromptTokenCount: 900,
        candidatesTokenCount: 200,
        thoughtsTokenCount: 300,
      },
      candidates: [{ groundingMetadata: { webSearchQueries: ['a', 'b'] } }],
    }
    expect(gemini.cost([part], toQuestion(gemini, { model: 'gemini-3.5-flash' }))).toBe(1_500 + 4_500 + 28_000)
  })

  it('of Perplexity and of routers is what the payload says', () => {
    const perplexity = getProvider('perplexity')
    const usage = { prompt_tokens: 10, completion_tokens: 1_000 }
    const question = toQuestion(perplexity)
    expect(perplexity.cost([{ usage: { ...usage, cost: { total_cost: 0.0061 } } }], question)).toBe(6_100)
    expect(perplexity.cost([{ usage }], question)).toBe(10 + 1_000 + 12_000)
    const custom = getProvider('custom')
    expect(custom.cost([{ usage: { ...usage, cost: 0.002 } }], toQuestion(custom))).toBe(2_000)
    expect(custom.cost([{ usage }], toQuestion(custom, { model: 'openai/gpt-5.4-nano' }))).toBe(10 * 0.2 + 1_250)
  })

  it('of a search counts the searches that succeeded', () => {
    const searchapi = getProvider('searchapi')
    const question = toQuestion(searchapi)
    const good = { search_metadata: { status: 'Success' } }
    expect(searchapi.cost([good, good], question)).toBe(8_000)
    expect(searchapi.cost([good, { error: 'expired' }], question)).toBe(4_000)
    expect(searchapi.cost([{ search_metadata: { status: 'Error' }, error: 'x' }], question)).toBe(0)
  })

  it('of DataForSEO is what the task says, else its price', () => {
    const dataforseo = getProvider('dataforseo')
    const task = (more: object): object => ({ tasks: [{ status_code: 20_000, cost: 0, ...more }] })
    const overview = { result: [{ items: [{ type: 'ai_overview' }] }] }
    const question = toQuestion(dataforseo, { engine: 'ai_overviews', market: 'Germany' })
    expect(dataforseo.cost([task({ cost: 0.0024 })], question)).toBe(2_400)
    expect(dataforseo.cost([task(overview)], question)).toBe(2_600)
    expect(dataforseo.cost([task({ result: [{ items: [{ type: 'organic' }] }] })], question)).toBe(600)
    expect(dataforseo.cost([{}], question)).toBeUndefined()
  })
})

describe('the high bound', () => {
  const models = ['openai', 'anthropic', 'gemini'] as const

  it.each(models)('of %s holds for each call that keeps to the bounds', (id) => {
    const provider = getProvider(id)
    const { searches, searchTokens, outputTokens } = boundOfCall(id)
    const prompt = 'best crm for dentists'
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: searches }),
        fc.array(fc.integer({ min: 0, max: searchTokens }), { minLength: searches, maxLength: searches }),
        fc.integer({ min: 0, max: outputTokens }),
        fc.integer({ min: 1, max: 2_000 }),
        (made, added, output, overhead) => {
          // Every step reads the question and all that the searches before it found.
          const found = added.slice(0, made)
          const input = Array.from({ length: made + 1 }, (_, step) =>
            found.slice(0, step).reduce((sum, tokens) => sum + tokens, overhead + prompt.length),
          ).reduce((sum, tokens) => sum + tokens, 0)
          const question = toQuestion(provider, { prompt })
          const cost = provider.cost([toPart(id, { input, output, made })], question)
          expect(cost).toBeLessThanOrEqual(provider.price(question).highMicros)
        },
      ),
    )
  })

  function toPart(
    id: (typeof models)[number],
    { input, output, made }: Record<'input' | 'output' | 'made', number>,
  ): object {
    const queries = Array.from({ length: made }, (_, index) => `q${index}`)
    if (id === 'gemini') {
      const candidates = [{ groundingMetadata: { webSearchQueries: queries } }]
      return { usageMetadata: { promptTokenCount: input, candidatesTokenCount: output }, candidates }
    }
    const usage = { input_tokens: input, output_tokens: output, server_tool_use: { web_search_requests: made } }
    return { usage, output: queries.map(() => ({ type: 'web_search_call', action: { type: 'search' } })) }
  }
})
