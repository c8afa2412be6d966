import { afterAll, beforeAll, expect, test } from 'vitest'
import { missedPage } from '../../../src/actions/rules/missed-page.ts'
import type { Category, EngineId } from '../../../src/domain/enums.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const ROUNDUP = 'https://www.techradar.com/best/tools'
const OWN = 'https://www.acme.com/tools'

/** Eight prompts of each category, `best 1` to `best 8`. */
const numbered = (name: string): readonly string[] => Array.from({ length: 8 }, (_, index) => `${name} ${index + 1}`)
const ofCategories = (names: Readonly<Record<string, Category>>) =>
  Object.fromEntries(
    Object.entries(names).flatMap(([name, category]) => numbered(name).map((text) => [text, category])),
  )

/** As many answers to each of the eight prompts, of which so many cite the pages: a list is by prompt. */
const onEach = (
  name: string,
  count: number,
  cited: Readonly<Record<string, number | readonly number[]>>,
  platform: EngineId = 'chatgpt',
) =>
  numbered(name).map((prompt, index) =>
    answers({
      prompt,
      platform,
      count,
      cited: Object.fromEntries(
        Object.entries(cited).map(([page, hits]) => [page, typeof hits === 'number' ? hits : (hits[index] ?? 0)]),
      ),
    }),
  )

test('a third-party page cited often in categories where the own site is not makes a finding', async () => {
  const world = worlds.create({
    prompts: ofCategories({ best: 'Discovery', cheapest: 'Pricing', like: 'Alternatives', about: 'Brand' }),
  })
  await world.import(
    ...onEach('best', 10, { [ROUNDUP]: [4, 3, 5, 4, 6, 3, 4, 2], [OWN]: [1, 0, 0, 1, 0, 0, 1, 0] }, 'gemini'),
    ...onEach('cheapest', 10, { [ROUNDUP]: [3, 4, 4, 5, 3, 2, 4, 3], [OWN]: [0, 1, 0, 0, 1, 0, 0, 0] }),
    // As often as the own site.
    ...onEach('like', 10, { [ROUNDUP]: 3, [OWN]: 3 }),
    // Not often.
    ...onEach('about', 20, { [ROUNDUP]: 1 }),
  )
  expect(await world.find(missedPage)).toEqual([
    {
      target: ROUNDUP,
      title: 'Get onto techradar.com/best/tools',
      why: 'In the 28 days to 2026-11-15, this page was cited in 59 of 160 answers (29–45 %) to Discovery and Pricing prompts, acme.com in 5 (1–8 %); it was cited more often than acme.com for 16 of these prompts, less often for 0.',
      detail: expect.stringContaining('Write to the authors of techradar.com/best/tools') as string,
      targetPrompts: [...numbered('best'), ...numbered('cheapest')].map((text) => world.prompt(text)),
      targetPlatforms: ['chatgpt', 'gemini'],
      targetUrl: ROUNDUP,
      stake: { hits: 59, total: 400 },
    },
  ])
})

test('pages close by make none', async () => {
  const world = worlds.create({
    prompts: ofCategories({
      best: 'Discovery',
      cheapest: 'Pricing',
      like: 'Alternatives',
      rare: 'How-to',
      one: 'Brand',
    }),
    competitors: [
      { name: 'Bolt', domains: ['bolt.com'] },
      { name: 'Dash', domains: ['dash.io'], confirmed: false },
    ],
  })
  await world.import(
    ...onEach('best', 10, {
      'https://bolt.com/': 7,
      'https://blog.dash.io/': 7,
      'https://en.wikipedia.org/wiki/Tool': 7,
    }),
    // Three times as often as the own site, and for one prompt of eight less often: could be chance, with four such questions.
    ...onEach('cheapest', 10, { [ROUNDUP]: [4, 3, 5, 4, 6, 3, 4, 0], [OWN]: [1, 0, 0, 1, 0, 0, 1, 2] }),
    // For every prompt more often, and not twice as often.
    ...onEach('like', 30, { [ROUNDUP]: 20, [OWN]: 11 }),
    ...onEach('rare', 3, { [ROUNDUP]: 3 }),
    // A thousand answers to one prompt are no more than one prompt.
    answers({ prompt: 'one 1', count: 1_000, cited: { [ROUNDUP]: 700 } }),
  )
  expect(await world.find(missedPage)).toEqual([])
})

test('what to do depends on the kind of the source', async () => {
  const world = worlds.create({ prompts: ofCategories({ best: 'Discovery' }) })
  await world.import(
    ...onEach('best', 30, {
      'https://www.reddit.com/r/tools/comments/1/': 20,
      'https://www.youtube.com/watch?v=1': 19,
      'https://www.g2.com/products': 18,
      'https://www.amazon.com/dp/1': 17,
      'https://medium.com/p/1': 16,
      'https://www.nobody-knows.example/': 15,
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
