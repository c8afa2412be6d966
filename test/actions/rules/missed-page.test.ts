import { afterAll, beforeAll, expect, test } from 'vitest'
import { missedPage } from '../../../src/actions/rules/missed-page.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const ROUNDUP = 'https://www.techradar.com/best/tools'
const OWN = 'https://www.acme.com/tools'

test('a third-party page cited often in categories where the own site is not makes a finding', async () => {
  const world = worlds.create({
    prompts: { best: 'Discovery', cheapest: 'Pricing', like: 'Alternatives', about: 'Brand' },
  })
  await world.import(
    answers({ prompt: 'best', platform: 'gemini', count: 60, cited: { [ROUNDUP]: 25, [OWN]: 4 } }),
    answers({ prompt: 'cheapest', platform: 'chatgpt', count: 60, cited: { [ROUNDUP]: 24, [OWN]: 5 } }),
    // As often as the own site.
    answers({ prompt: 'like', count: 60, cited: { [ROUNDUP]: 20, [OWN]: 20 } }),
    // Not often.
    answers({ prompt: 'about', count: 60, cited: { [ROUNDUP]: 5 } }),
  )
  expect(await world.find(missedPage)).toEqual([
    {
      target: ROUNDUP,
      title: 'Get onto techradar.com/best/tools',
      why: 'In the 28 days to 2026-11-15, this page was cited in 49 of 120 answers to Discovery and Pricing prompts, acme.com in 9.',
      detail: expect.stringContaining('Write to the authors of techradar.com/best/tools') as string,
      targetPrompts: [world.prompt('best'), world.prompt('cheapest')],
      targetPlatforms: ['chatgpt', 'gemini'],
      targetUrl: ROUNDUP,
      stake: { hits: 49, total: 240 },
    },
  ])
})

test('pages close by make none', async () => {
  const world = worlds.create({
    prompts: { best: 'Discovery', cheapest: 'Pricing', like: 'Alternatives', rare: 'How-to' },
    competitors: [
      { name: 'Bolt', domains: ['bolt.com'] },
      { name: 'Dash', domains: ['dash.io'], confirmed: false },
    ],
  })
  await world.import(
    answers({
      prompt: 'best',
      count: 60,
      cited: {
        'https://bolt.com/': 40,
        'https://blog.dash.io/': 40,
        'https://en.wikipedia.org/wiki/Tool': 40,
      },
    }),
    // More than twice as often as the own site, and not significantly.
    answers({ prompt: 'cheapest', count: 60, cited: { [ROUNDUP]: 9, [OWN]: 4 } }),
    // Significantly more often, and not twice as often.
    answers({ prompt: 'like', count: 600, cited: { [ROUNDUP]: 390, [OWN]: 200 } }),
    answers({ prompt: 'rare', count: 29, cited: { [ROUNDUP]: 29 } }),
  )
  expect(await world.find(missedPage)).toEqual([])
})

test('what to do depends on the kind of the source', async () => {
  const world = worlds.create({ prompts: { best: 'Discovery' } })
  await world.import(
    answers({
      prompt: 'best',
      count: 60,
      cited: {
        'https://www.reddit.com/r/tools/comments/1/': 40,
        'https://www.youtube.com/watch?v=1': 39,
        'https://www.g2.com/products': 38,
        'https://www.amazon.com/dp/1': 37,
        'https://medium.com/p/1': 36,
        'https://www.nobody-knows.example/': 35,
      },
    }),
  )
  expect((await world.find(missedPage)).map(({ detail }) => detail.split(' ').slice(0, 4).join(' '))).toEqual([
    'Take part in the',
    'Ask the makers of',
    'Claim or complete the',
    'List Acme at amazon.com/dp/1',
    'Find out who writes',
    'Write to the authors',
  ])
})
