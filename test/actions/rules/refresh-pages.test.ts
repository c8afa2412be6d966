import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshPages } from '../../../src/actions/rules/refresh-pages.ts'
import { type ActionWorlds, answers, NEWEST_DAY_BEFORE, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

test('the five own pages in most answers are to be refreshed', async () => {
  const world = worlds.create({ prompts: { best: 'Discovery', cheapest: 'Pricing', about: 'Brand' } })
  const page = (name: string) => `https://www.acme.com/${name}`
  await world.import(
    answers({
      prompt: 'best',
      count: 40,
      cited: { [page('a')]: 9, [page('b')]: 20, [page('f')]: 1, 'https://g2.com/': 40 },
    }),
    answers({
      prompt: 'cheapest',
      platform: 'claude',
      count: 20,
      cited: { [page('c')]: 5, [page('d')]: 4, [page('e')]: 3 },
    }),
    answers({ prompt: 'about', platform: 'gemini', count: 20 }),
  )
  expect(await world.find(refreshPages)).toEqual([
    {
      target: '',
      title: 'Refresh the pages that are cited most',
      why: 'Cited most in the 28 days to 2026-11-15: acme.com/b (20 of 80 answers), acme.com/a (9), acme.com/c (5), acme.com/d (4) and acme.com/e (3).',
      detail: expect.stringContaining('once a month') as string,
      targetPrompts: [world.prompt('best'), world.prompt('cheapest')],
      targetPlatforms: ['chatgpt', 'claude'],
      targetUrl: page('b'),
      stake: { hits: 25, total: 80 },
    },
  ])
})

test('without 30 answers or without an own page there is nothing to refresh', async () => {
  const few = worlds.create({ prompts: { best: 'Discovery' } })
  await few.import(answers({ prompt: 'best', count: 29, cited: { 'https://acme.com/': 29 } }))
  expect(await few.find(refreshPages)).toEqual([])
  const uncited = worlds.create({ prompts: { best: 'Discovery' } })
  await uncited.import(
    answers({ prompt: 'best', count: 40, cited: { 'https://acme.com/': 40 }, lastDay: NEWEST_DAY_BEFORE }),
    answers({ prompt: 'best', count: 40, cited: { 'https://notacme.com/': 40 } }),
  )
  expect(await uncited.find(refreshPages)).toEqual([])
})
