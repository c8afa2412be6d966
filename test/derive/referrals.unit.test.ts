import { describe, expect, it } from 'vitest'
import { createReferralMatcher } from '../../src/derive/referrals.ts'
import { listReferralSources } from '../../src/reference/referral-sources.ts'

const matcher = createReferralMatcher()

function byReferer(referer: string | undefined) {
  return matcher.find({ referer, query: undefined })
}

function byQuery(query: string | undefined) {
  return matcher.find({ referer: '-', query })
}

describe('a Referer', () => {
  it('names its engine by each host of the catalogue and the hosts under it', () => {
    const pairs = listReferralSources().flatMap(({ id, hosts }) => hosts.map((host) => [id, host] as const))
    for (const [id, host] of pairs)
      expect(
        [`https://${host}/`, `http://www.${host}/a?b#c`, `HTTPS://${host.toUpperCase()}.:443`].map(byReferer),
      ).toEqual([id, id, id])
  })

  it.each([
    ['https://chatgpt.com/', 'chatgpt'],
    ['https://chat.openai.com/', 'chatgpt'],
    ['https://www.perplexity.ai/search/x', 'perplexity'],
    ['https://gemini.google.com/app', 'gemini'],
    ['https://copilot.microsoft.com/', 'copilot'],
    ['https://claude.ai/', 'claude'],
    ['https://grok.com/', 'grok'],
    ['https://chat.deepseek.com/', 'deepseek'],
    ['https://www.meta.ai/', 'meta_ai'],
    ['https://chat.mistral.ai/chat', 'mistral'],
    ['https://you.com/search?q=x', 'you'],
    ['https://notebooklm.google.com/', 'notebooklm'],
    ['https://user:secret@chatgpt.com/', 'chatgpt'],
    ['android-app://com.openai.chatgpt/', 'chatgpt'],
    ['android-app://com.openai.chatgpt', 'chatgpt'],
  ])('%s is %s', (referer, id) => {
    expect(byReferer(referer)).toBe(id)
  })

  it.each([
    'https://www.google.com/',
    'https://www.google.com/search?udm=50&q=chatgpt.com',
    'https://www.google.de/url?q=x',
    'https://www.bing.com/search?q=x',
    'https://duckduckgo.com/',
    'https://x.com/',
    'https://huggingface.co/',
    'https://chatgpt.com.evil.example/',
    'https://evilchatgpt.com/',
    'https://evil.example/https://chatgpt.com/',
    'https://evil.example\\@chatgpt.com/',
    'https://chatgpt.com@evil.example/',
    'chatgpt.com',
    'ftp://chatgpt.com/',
    'android-app://com.google.android.googlequicksearchbox/',
    'https://',
    'https://[',
    '-',
    '',
    'https://openai.com/',
  ])('%j is no engine’s', (referer) => {
    expect(byReferer(referer)).toBeUndefined()
  })

  it.each([
    ['https://www.bing.com/chat?q=x', 'copilot'],
    ['https://www.bing.com/chat', 'copilot'],
    ['https://www.bing.com/chat/x', 'copilot'],
    ['https://www.bing.com/chatter', undefined],
    ['https://bing.com/CopilotSearch', 'copilot'],
    ['https://x.com/i/grok/share', 'grok'],
    ['https://x.com/i/groks', undefined],
    ['https://huggingface.co/chat/', 'huggingchat'],
    ['https://duckduckgo.com/aichat', 'duck_ai'],
    ['https://search.brave.com/ask', 'brave_leo'],
    ['https://search.brave.com/search', undefined],
  ])('counts only under the path of an assistant where the rest of the host is none: %s', (referer, id) => {
    expect(byReferer(referer)).toBe(id)
  })
})

describe('utm_source', () => {
  it('names its engine by each value and each host of the catalogue', () => {
    for (const { id, hosts, utmSources } of listReferralSources())
      for (const value of [...hosts, ...utmSources])
        expect([value, byQuery(`utm_source=${value}`)]).toEqual([value, id])
  })

  it.each([
    ['utm_source=chatgpt.com', 'chatgpt'],
    ['?utm_source=chatgpt.com', 'chatgpt'],
    ['a=1&utm_source=ChatGPT&utm_medium=x', 'chatgpt'],
    ['a=1&UTM_SOURCE=chatgpt.com', 'chatgpt'],
    ['a=1&amp;utm_source=chatgpt.com', 'chatgpt'],
    ['utm_source=&utm_source=perplexity', 'perplexity'],
    ['utm_source=%20chatgpt%2Ecom+', 'chatgpt'],
    ['utm_source=www.perplexity.ai', 'perplexity'],
    ['utm_source=copilot.com', 'copilot'],
    ['utm_source=chatgpt.com#top', 'chatgpt'],
    ['utm_source=google', undefined],
    ['utm_source=chatgpt.com.evil.example', undefined],
    ['my_utm_source=chatgpt.com', undefined],
    ['utm_sources=chatgpt.com', undefined],
    ['utm_campaign=chatgpt.com', undefined],
    ['utm_source=%E0%A4', undefined],
    ['utm_source', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %s', (query, id) => {
    expect(byQuery(query)).toBe(id)
  })

  it('counts whatever utm_medium says', () => {
    const media = ['cpc', 'paid', 'email', 'referral']
    expect(media.map((medium) => byQuery(`utm_medium=${medium}&utm_source=chatgpt`))).toEqual(
      media.map(() => 'chatgpt'),
    )
  })

  it('is decided before by an engine’s Referer, and decides where the Referer is no engine’s', () => {
    const query = 'utm_source=chatgpt.com'
    expect(matcher.find({ referer: 'https://www.perplexity.ai/', query })).toBe('perplexity')
    expect(matcher.find({ referer: 'https://www.google.com/', query })).toBe('chatgpt')
    expect(matcher.find({ referer: 'https://acme.com/', query })).toBe('chatgpt')
    expect(matcher.find({ referer: undefined, query })).toBe('chatgpt')
    expect(matcher.find({ referer: 'https://claude.ai/', query: 'utm_source=newsletter' })).toBe('claude')
  })
})

it('takes time in proportion to the length of hostile fields', () => {
  const started = performance.now()
  for (const piece of ['a.', '.', '@', 'utm_source=', '&utm_source', '%', ';', 'https://', '\\']) {
    const text = piece.repeat(65_536)
    matcher.find({ referer: `https://${text}`, query: `utm_source=${text}` })
    matcher.find({ referer: `https://x/${text}`, query: text })
  }
  expect(performance.now() - started).toBeLessThan(10_000)
})
