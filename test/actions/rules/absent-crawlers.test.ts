import { afterAll, beforeAll, expect, test } from 'vitest'
import { absentCrawlers } from '../../../src/actions/rules/absent-crawlers.ts'
import { hits } from '../support/access-log.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

/** A hit a day on the first days of the 28 to 2026-11-14. */
const comes = (bot: string, days: number, firstDay = '2026-10-18') =>
  hits({ bot, path: '/', hits: days, firstDay, days })

const OTHERS = [comes('OAI-SearchBot', 28), comes('Googlebot', 27), comes('bingbot', 20), comes('Claude-User', 10)]

test('crawlers of a tracked engine that never come make a finding', async () => {
  const world = worlds.create({ prompts: { best: 'Discovery', about: 'Brand' } })
  await world.import(
    answers({ prompt: 'best', platform: 'perplexity', count: 40, cited: { 'https://acme.com/': 5 } }),
    answers({ prompt: 'best', platform: 'chatgpt', count: 40 }),
    answers({ prompt: 'about', platform: 'claude', count: 20 }),
  )
  await world.importLog(...OTHERS)
  expect(await world.find(absentCrawlers)).toEqual([
    {
      target: 'perplexity',
      title: 'Let PerplexityBot and Perplexity-User in',
      why: "In the 28 days to 2026-11-14, PerplexityBot and Perplexity-User came on 0 of 28 days in the access log; Google's on 27, OpenAI's on 28, Microsoft's on 20 and Anthropic's on 10. Perplexity gave 40 tracked answers and cited acme.com in 5.",
      detail: expect.stringContaining('Look for PerplexityBot and Perplexity-User in robots.txt') as string,
      targetPrompts: [world.prompt('best')],
      targetPlatforms: ['perplexity'],
      targetUrl: 'https://acme.com/robots.txt',
      stake: { hits: 35, total: 100 },
    },
  ])
})

test("a crawler that only trains does not count, and Google's three engines are one card", async () => {
  const world = worlds.create({ prompts: { best: 'Discovery' } })
  await world.import(
    answers({ prompt: 'best', platform: 'ai_mode', count: 20 }),
    answers({ prompt: 'best', platform: 'gemini', count: 20 }),
    answers({ prompt: 'best', platform: 'chatgpt', count: 40 }),
  )
  await world.importLog(comes('GPTBot', 28), comes('PerplexityBot', 28), comes('bingbot', 28), comes('Claude-User', 28))
  expect(await world.find(absentCrawlers)).toMatchObject([
    { target: 'google', title: 'Let Googlebot in', targetPlatforms: ['ai_mode', 'gemini'] },
    { target: 'openai', title: 'Let OAI-SearchBot and ChatGPT-User in', targetPlatforms: ['chatgpt'] },
  ])
})

test('crawlers close by make none', async () => {
  const find = async (platform: 'perplexity' | 'copilot', count: number, ...log: (readonly string[])[]) => {
    const world = worlds.create({ prompts: { best: 'Discovery' } })
    await world.import(answers({ prompt: 'best', platform, count }))
    await world.importLog(...log)
    return (await world.find(absentCrawlers)).map(({ target }) => target)
  }
  // They came once.
  expect(await find('perplexity', 40, ...OTHERS, comes('Perplexity-User', 1))).toEqual([])
  // The engine is hardly tracked.
  expect(await find('perplexity', 29, ...OTHERS)).toEqual([])
  // The log is short.
  expect(
    await find('perplexity', 40, comes('Googlebot', 13), comes('bingbot', 13), comes('OAI-SearchBot', 13)),
  ).toEqual([])
  // The others hardly come either: 14 of 112 days could be chance, 15 could not.
  expect(await find('perplexity', 40, comes('Applebot', 28), comes('Googlebot', 14))).toEqual([])
  expect(await find('perplexity', 40, comes('Applebot', 28), comes('Googlebot', 15))).toEqual(['perplexity'])
})
