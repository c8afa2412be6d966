import { afterAll, beforeAll, expect, test } from 'vitest'
import { unnamedPrompts } from '../../../src/actions/rules/unnamed-prompts.ts'
import type { Category } from '../../../src/domain/enums.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const PROMPTS: Readonly<Record<string, Category>> = Object.fromEntries(
  ['1', '2', '3', '4', '5', '6', '7', 'unasked'].map((text) => [text, 'Discovery']),
)

test('the five newest prompts with answers and without a mention are to be worked through', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  await world.import(
    answers({ prompt: '7', platform: 'claude', count: 8 }),
    answers({ prompt: '6', count: 20, named: { Acme: 1 } }),
    ...['5', '4', '3', '2'].map((prompt) => answers({ prompt, count: 6 })),
    answers({ prompt: '1', platform: 'gemini', count: 40 }),
  )
  expect(await world.find(unnamedPrompts)).toEqual([
    {
      target: '',
      title: 'Work through the newest prompts without a mention',
      why: 'In the 28 days to 2026-11-15, 6 tracked prompts brought answers and none named Acme. The newest: "7" (8 answers), "5" (6 answers), "4" (6 answers), "3" (6 answers) and "2" (6 answers).',
      detail: expect.stringContaining('Take one prompt after the other') as string,
      targetPrompts: ['7', '2', '3', '4', '5'].map((text) => world.prompt(text)),
      targetPlatforms: ['chatgpt', 'claude'],
      targetUrl: 'https://acme.com/',
      stake: { hits: 32, total: 92 },
    },
  ])
})

test('fewer than 30 answers, or a mention in each prompt, leave nothing to do', async () => {
  const few = worlds.create({ prompts: PROMPTS })
  await few.import(answers({ prompt: '1', count: 29 }), answers({ prompt: '2', count: 50, named: { Acme: 1 } }))
  expect(await few.find(unnamedPrompts)).toEqual([])
})
