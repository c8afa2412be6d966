import { afterAll, beforeAll, expect, test } from 'vitest'
import { weakCategory } from '../../../src/actions/rules/weak-category.ts'
import type { Category } from '../../../src/domain/enums.ts'
import { type ActionWorld, type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

/** A world with prompts of the categories, each with five answers; the first `covered` of a category have one mention. */
async function makeWorld(
  categories: Partial<Record<Category, [covered: number, prompts: number]>>,
): Promise<ActionWorld> {
  const prompts = Object.entries(categories).flatMap(([category, [covered, count]]) =>
    Array.from({ length: count }, (_, index) => ({
      text: `${category} ${index + 1}`,
      category: category as Category,
      named: index < covered ? 1 : 0,
    })),
  )
  const world = worlds.create({ prompts: Object.fromEntries(prompts.map(({ text, category }) => [text, category])) })
  await world.import(...prompts.map(({ text, named }) => answers({ prompt: text, count: 5, named: { Acme: named } })))
  return world
}

test('a category far below the best one makes a finding', async () => {
  const world = await makeWorld({ 'How-to': [3, 10], Comparison: [11, 11], Pricing: [7, 10] })
  expect(await world.find(weakCategory)).toEqual([
    {
      target: 'How-to',
      title: 'Get named for more How-to prompts',
      why: 'In the 28 days to 2026-11-15, Acme was named at least once for 3 of 10 How-to prompts (11–60 %) in 50 answers, for 11 of 11 Comparison prompts (74–100 %) in 55.',
      detail: expect.stringContaining('"How-to 4", "How-to 5" and "How-to 6" first') as string,
      targetPrompts: Array.from({ length: 10 }, (_, index) => world.prompt(`How-to ${index + 1}`)),
      targetPlatforms: ['chatgpt'],
      targetUrl: 'https://acme.com/',
      stake: { hits: 47, total: 155 },
    },
  ])
})

test('a category a little below makes none, nor does one with few prompts or few answers', async () => {
  const world = await makeWorld({
    // Significant, were they compared alone (p = 0.012); with four categories there are six pairs.
    'How-to': [5, 10],
    Comparison: [11, 11],
    Alternatives: [9, 11],
    Pricing: [3, 6],
    // 25 answers.
    Brand: [0, 5],
  })
  expect(await world.find(weakCategory)).toEqual([])
})

test('the same shares of more prompts make one', async () => {
  const world = await makeWorld({ 'How-to': [8, 20], Comparison: [22, 22], Alternatives: [18, 22] })
  expect((await world.find(weakCategory)).map(({ why }) => why)).toEqual([
    'In the 28 days to 2026-11-15, Acme was named at least once for 8 of 20 How-to prompts (22–61 %) in 100 answers, for 22 of 22 Comparison prompts (85–100 %) in 110.',
  ])
})
