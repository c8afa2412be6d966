import { expect, it } from 'vitest'
import { ENGINE_IDS } from '../../src/domain/enums.ts'
import { listReferralSources } from '../../src/reference/referral-sources.ts'

const sources = listReferralSources()

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

it('names every id, host, path, value of utm_source and app once', () => {
  for (const field of ['hosts', 'paths', 'utmSources', 'apps'] as const)
    expect(repeated(sources.flatMap((source) => source[field]))).toEqual([])
  expect(repeated(sources.map(({ id }) => id))).toEqual([])
})

it('uses the id of every engine that a visit can be told from, and the promised slugs', () => {
  const ids = new Set(sources.map(({ id }) => id))
  expect(ENGINE_IDS.filter((id) => !ids.has(id))).toEqual(['ai_overviews', 'ai_mode'])
  expect(['grok', 'deepseek', 'meta_ai', 'mistral', 'you'].filter((id) => !ids.has(id))).toEqual([])
})

it('gives every source a way to be recognised', () => {
  expect(sources.filter(({ hosts, paths }) => hosts.length + paths.length === 0)).toEqual([])
})

it('has no search engine’s own host, whose result page cannot be told from an answer', () => {
  const hosts = new Set(sources.flatMap((source) => source.hosts))
  const search = ['google.com', 'bing.com', 'duckduckgo.com', 'kagi.com', 'search.brave.com', 'x.com', 'baidu.com']
  expect(search.filter((host) => hosts.has(host))).toEqual([])
})
