import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BOT_TYPES } from '../../src/domain/enums.ts'
import { botsOfDocument, findBotByName, findBotByNo, listBots, listRangesDocuments } from '../../src/reference/bots.ts'

const bots = listBots()

function typeOf(name: string) {
  return findBotByName(name)?.type
}

describe('the catalogue of bots', () => {
  it('has every name once, whatever its case, and every number once', () => {
    const names = bots.map(({ name }) => name.toLowerCase())
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const numbers = bots.map(({ botNo }) => botNo)
    expect(new Set(numbers).size).toBe(bots.length)
  })

  it('never gives the number of a name to another: stored hits name bots by it', () => {
    const recorded = readFileSync(new URL('bot-numbers.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
    const current = new Set(bots.map(({ botNo, name }) => `${botNo} ${name}`))
    expect(recorded.filter((line) => !current.has(line))).toEqual([])
    expect([...current].filter((line) => !recorded.includes(line))).toEqual([])
  })

  it('finds a bot by its exact name and by its number', () => {
    const gptBot = bots.find(({ name }) => name === 'GPTBot')
    expect(findBotByName('GPTBot')).toBe(gptBot)
    expect(findBotByName('gptbot')).toBeUndefined()
    expect(findBotByNo(gptBot!.botNo)).toBe(gptBot)
    expect(findBotByNo(0)).toBeUndefined()
  })

  it('types the well-known bots as the service promises', () => {
    const promised = {
      ai_training: ['GPTBot', 'ClaudeBot', 'CCBot', 'Bytespider', 'meta-externalagent'],
      index: ['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Googlebot', 'bingbot', 'Applebot'],
      ai_assistant: ['ChatGPT-User', 'Claude-User', 'Perplexity-User'],
    }
    for (const [type, names] of Object.entries(promised)) {
      expect(names.map((name) => [name, typeOf(name)])).toEqual(names.map((name) => [name, type]))
    }
    expect(new Set(bots.map(({ type }) => type))).toEqual(new Set([...BOT_TYPES, null]))
  })

  it('names the providers by the promised slugs', () => {
    const providers = ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'Googlebot', 'bingbot', 'Applebot', 'Amazonbot'].concat([
      'meta-externalagent',
      'Bytespider',
      'CCBot',
      'DuckDuckBot',
      'MistralAI-User',
    ])
    expect(providers.map((name) => findBotByName(name)?.provider)).toEqual([
      'openai',
      'anthropic',
      'perplexity',
      'google',
      'microsoft',
      'apple',
      'amazon',
      'meta',
      'bytedance',
      'commoncrawl',
      'duckduckgo',
      'mistral',
    ])
  })

  it('only recognises, and never types, what is for advertisements, previews or robots.txt', () => {
    const names = ['OAI-AdsBot', 'AdsBot-Google', 'adidxbot', 'AmazonAdBot', 'facebookexternalhit', 'Google-Extended']
    expect(names.map(typeOf)).toEqual(names.map(() => null))
  })
})

describe('published ranges', () => {
  it('are those of one document for all the bots it is published for', () => {
    const names = botsOfDocument('https://claude.com/crawling/bots.json').map(({ name }) => name)
    expect(names).toEqual(['ClaudeBot', 'Claude-SearchBot', 'Claude-User', 'Claude-Web', 'anthropic-ai'])
    expect(botsOfDocument('https://openai.com/gptbot.json').map(({ name }) => name)).toEqual(['GPTBot'])
    expect(botsOfDocument('https://example.com/none.json')).toEqual([])
  })

  it('exist for no bot of Meta or ByteDance, and for none that runs on its user’s own machine', () => {
    const without = [
      'Bytespider',
      'meta-externalagent',
      'claude-code',
      'Google-Gemini-CLI',
      'opencode',
      'Cursor',
    ].concat(['GitHubCopilotChat', 'Trae', 'MistralAI-Training'])
    expect(without.map((name) => findBotByName(name)?.rangesUrl)).toEqual(without.map(() => null))
  })

  it('never take the addresses that anyone can rent from Google for Googlebot', () => {
    expect(findBotByName('Googlebot')?.rangesUrl).toBe(
      'https://developers.google.com/static/crawling/ipranges/common-crawlers.json',
    )
  })

  it('are loaded once a document, for the bots that reports can show', () => {
    const documents = listRangesDocuments()
    expect(new Set(documents.map(({ url }) => url)).size).toBe(documents.length)
    const served = new Set(documents.flatMap((document) => document.bots))
    expect(bots.filter((bot) => bot.type !== null && bot.rangesUrl !== null && !served.has(bot))).toEqual([])
    expect(documents.filter((document) => document.bots.every(({ type }) => type === null))).toEqual([])
    expect(documents.filter(({ isPage }) => isPage).map(({ url }) => url)).toEqual([
      'https://docs.you.com/youbot',
      'https://kagi.com/bot',
      'https://yandex.com/ips',
    ])
  })
})
