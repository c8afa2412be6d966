import { afterAll, beforeAll, expect, test } from 'vitest'
import { weakEngine } from '../../../src/actions/rules/weak-engine.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const PROMPTS = { 'Which tool is best?': 'Discovery', 'What is Acme?': 'Brand' } as const
const [FIRST, SECOND] = Object.keys(PROMPTS) as [string, string]

test('an engine that names the brand significantly less than the others makes a finding', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  await world.import(
    answers({ prompt: FIRST, platform: 'gemini', count: 30, named: { Acme: 4 }, cited: { 'https://www.g2.com/x': 9 } }),
    answers({ prompt: SECOND, platform: 'gemini', count: 20, named: { Acme: 6 }, cited: { 'https://acme.com/': 20 } }),
    answers({ prompt: FIRST, platform: 'chatgpt', count: 50, named: { Acme: 20 } }),
    answers({ prompt: SECOND, platform: 'claude', count: 50, named: { Acme: 30 } }),
  )
  expect(await world.find(weakEngine)).toEqual([
    {
      target: 'gemini',
      title: 'Get named by Gemini',
      why: 'In the 28 days to 2026-11-15, Gemini named Acme in 10 of 50 answers, the other engines in 50 of 100.',
      detail: expect.stringContaining('It cites g2.com most') as string,
      targetPrompts: [world.prompt(FIRST), world.prompt(SECOND)],
      targetPlatforms: ['gemini'],
      targetUrl: 'https://acme.com/',
      stake: { hits: 40, total: 150 },
    },
  ])
})

test('engines close by make none', async () => {
  const world = worlds.create({ prompts: PROMPTS, platforms: ['chatgpt', 'claude', 'gemini', 'perplexity', 'copilot'] })
  await world.import(
    // Half as often as the others, but not significantly for the weakest of five engines.
    answers({ prompt: FIRST, platform: 'gemini', count: 50, named: { Acme: 14 } }),
    // Never, but seldom asked.
    answers({ prompt: FIRST, platform: 'perplexity', count: 29 }),
    // Never, but the site is no longer scanned on it.
    answers({ prompt: FIRST, platform: 'ai_mode', count: 40 }),
    answers({ prompt: FIRST, platform: 'chatgpt', count: 100, named: { Acme: 50 } }),
    answers({ prompt: SECOND, platform: 'claude', count: 100, named: { Acme: 45 } }),
  )
  expect(await world.find(weakEngine)).toEqual([])
})

test('a difference that is certain but small makes none', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  await world.import(
    answers({ prompt: FIRST, platform: 'gemini', count: 4_000, named: { Acme: 3_400 } }),
    answers({ prompt: FIRST, platform: 'chatgpt', count: 4_000, named: { Acme: 3_700 } }),
  )
  expect(await world.find(weakEngine)).toEqual([])
})
