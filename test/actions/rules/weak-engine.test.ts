import { afterAll, beforeAll, expect, test } from 'vitest'
import { weakEngine } from '../../../src/actions/rules/weak-engine.ts'
import type { EngineId } from '../../../src/domain/enums.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const TEXTS = Array.from({ length: 14 }, (_, index) => `prompt ${index + 1}`)
const PROMPTS = Object.fromEntries(TEXTS.map((text) => [text, 'Discovery' as const]))

/** Ten answers to each prompt, of which so many name the brand; those of a list belong to its prompts. */
const onEngine = (platform: EngineId, named: number | readonly number[], texts = TEXTS) =>
  texts.map((prompt, index) =>
    answers({ prompt, platform, count: 10, named: { Acme: typeof named === 'number' ? named : (named[index] ?? 0) } }),
  )

test('an engine that names the brand less than the others prompt by prompt makes a finding', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  await world.import(
    ...onEngine('gemini', [2, 3, 1, 4, 2, 3, 1, 2, 3, 4, 1, 2, 3, 2]),
    ...onEngine('chatgpt', [5, 6, 4, 6, 5, 4, 6, 5, 5, 6, 4, 5, 6, 5]),
    ...onEngine('claude', 5),
    answers({
      prompt: TEXTS[0]!,
      platform: 'gemini',
      count: 5,
      cited: { 'https://www.g2.com/x': 3, 'https://acme.com/': 5 },
    }),
  )
  expect(await world.find(weakEngine)).toEqual([
    {
      target: 'gemini',
      title: 'Get named by Gemini',
      why: 'In the 28 days to 2026-11-15, Gemini named Acme in 33 of 145 answers (16–31 %), the other engines in 142 of 280 (44–57 %); over the 14 prompts asked on both that is a difference of −28 points.',
      detail: expect.stringContaining('It cites g2.com most') as string,
      targetPrompts: TEXTS.map((text) => world.prompt(text)),
      targetPlatforms: ['gemini'],
      targetUrl: 'https://acme.com/',
      stake: { hits: 112, total: 425 },
    },
  ])
})

test('a difference that a few prompts make makes none, however many answers they have', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  const [first = '', ...rest] = TEXTS
  await world.import(
    ...onEngine('chatgpt', 5, rest),
    ...onEngine('gemini', 5, rest),
    answers({ prompt: first, platform: 'chatgpt', count: 200, named: { Acme: 190 } }),
    answers({ prompt: first, platform: 'gemini', count: 200 }),
  )
  expect(await world.find(weakEngine)).toEqual([])
})

test('fewer than six prompts make none, and with fewer than twelve the signs of all are counted out', async () => {
  const find = async (count: number): Promise<number> => {
    const world = worlds.create({ prompts: PROMPTS, platforms: ['chatgpt', 'gemini'] })
    const texts = TEXTS.slice(0, count)
    await world.import(...onEngine('chatgpt', 8, texts), ...onEngine('gemini', [1, 2, 1, 2, 1, 2, 1, 2], texts))
    return (await world.find(weakEngine)).length
  }
  // Two engines: p is 2 / 2^prompts, which has to be under 0.025.
  expect([await find(5), await find(6), await find(7)]).toEqual([0, 0, 1])
})

test('engines that are seldom asked, or no longer scanned, make none', async () => {
  const world = worlds.create({ prompts: PROMPTS, platforms: ['chatgpt', 'claude', 'perplexity'] })
  await world.import(
    ...onEngine('chatgpt', [5, 6, 4, 6, 5, 4, 6, 5, 5, 6, 4, 5, 6, 5]),
    ...onEngine('claude', 5),
    ...TEXTS.map((prompt) => answers({ prompt, platform: 'perplexity', count: 2 })),
    ...onEngine('ai_mode', 0),
  )
  expect(await world.find(weakEngine)).toEqual([])
})

test('a difference that is certain but small makes none', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  const many = (platform: EngineId, named: number) =>
    TEXTS.map((prompt, index) => answers({ prompt, platform, count: 200, named: { Acme: named + (index % 3) } }))
  await world.import(...many('gemini', 170), ...many('chatgpt', 185))
  expect(await world.find(weakEngine)).toEqual([])
})
