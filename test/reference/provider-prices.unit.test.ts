import { describe, expect, it } from 'vitest'
import { boundOfCall, defaultModel, priceOfModel, priceOfRequest } from '../../src/reference/provider-prices.ts'

describe('the price of a model', () => {
  it('is that of its entry, also under the name of a snapshot', () => {
    expect(priceOfModel('openai', 'gpt-5.5')).toMatchObject({ input: 5, output: 30, search: 10 })
    expect(priceOfModel('openai', 'gpt-5.5-2026-04-23').model).toBe('gpt-5.5')
    expect(priceOfModel('anthropic', 'claude-haiku-4-5-20251001').model).toBe('claude-haiku-4-5')
    expect(priceOfModel('anthropic', 'claude-opus-5-latest').model).toBe('claude-opus-5')
  })

  it('is the dearest of the provider where no entry has the model', () => {
    expect(priceOfModel('openai', 'gpt-9').model).toBe('gpt-5.5-pro')
    expect(priceOfModel('anthropic', 'claude-haiku-9').model).toBe('claude-fable-5')
  })

  it('is the vendor’s for a gateway that names the vendor’s model, else the assumed one', () => {
    expect(priceOfModel('custom', 'openai/gpt-5.4-nano').model).toBe('gpt-5.4-nano')
    expect(priceOfModel('custom', 'claude-haiku-4-5').model).toBe('claude-haiku-4-5')
    expect(priceOfModel('custom', 'llama-4')).toMatchObject({ model: '*', output: 30 })
  })

  it('stands beside one default model a provider, and its bounds', () => {
    const defaults = (['openai', 'anthropic', 'gemini', 'perplexity'] as const).map((id) => defaultModel(id))
    expect(defaults).toEqual(['gpt-6.1-sol', 'claude-sonnet-5', 'gemini-3.8-flash', 'sonar'])
    expect(boundOfCall('openai')).toEqual({ searches: 3, searchTokens: 20_000, outputTokens: 16_384 })
    expect(() => defaultModel('serpapi')).toThrow('no default model of serpapi')
    expect(() => priceOfModel('serpapi', 'x')).toThrow('no model of serpapi')
    expect(() => boundOfCall('serpapi')).toThrow('no bounds of serpapi')
  })
})

it('knows the price of a request to a service, by engine', () => {
  expect(priceOfRequest('searchapi', 'ai_mode')).toMatchObject({ low: 4, high: 4 })
  expect(() => priceOfRequest('searchapi', 'claude')).toThrow('no price of claude by searchapi')
})
