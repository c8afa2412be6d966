import { afterAll, beforeAll, expect, test } from 'vitest'
import { lostPage } from '../../../src/actions/rules/lost-page.ts'
import { type ActionWorlds, answers, NEWEST_DAY_BEFORE, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const GUIDE = 'https://www.acme.com/guide'
const before = { lastDay: NEWEST_DAY_BEFORE }

/** Seven prompts of a category, and answers to each of them: of those to the prompt with a place in the list so many cite. */
const numbered = (name: string): readonly string[] => Array.from({ length: 7 }, (_, index) => `${name} ${index + 1}`)
const PROMPTS = Object.fromEntries(
  [...numbered('best'), ...numbered('about')].map((text) => [text, 'Discovery' as const]),
)

test('an own page that was cited in the 28 days before and no longer is makes a finding', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  const about = numbered('about').map((prompt) => answers({ prompt, platform: 'gemini', count: 10, ...before }))
  await world.import(
    ...numbered('best').map((prompt, index) =>
      answers({
        prompt,
        platform: index === 0 ? 'chatgpt' : 'claude',
        count: 10,
        // Another address of the same page.
        cited: { [index === 0 ? `${GUIDE}?utm_source=x` : GUIDE]: 1 + (index % 2), 'https://acme.com/': 5 },
        ...before,
      }),
    ),
    ...about,
    ...numbered('best').map((prompt) =>
      answers({ prompt, platform: 'claude', count: 12, cited: { 'https://acme.com/': 5 } }),
    ),
  )
  expect(await world.find(lostPage)).toEqual([
    {
      target: GUIDE,
      title: 'Win back the citations of acme.com/guide',
      why: 'Cited in 10 of 140 answers (4–13 %) in the 28 days to 2026-10-18, to 7 prompts that were asked again, and in 0 of 84 answers in the 28 days to 2026-11-15.',
      detail: expect.stringContaining('It was cited for "best 1", "best 2" and "best 3".') as string,
      targetPrompts: numbered('best').map((text) => world.prompt(text)),
      targetPlatforms: ['chatgpt', 'claude'],
      targetUrl: GUIDE,
      stake: { hits: 10, total: 140 },
    },
  ])
})

test('pages close by make none', async () => {
  const world = worlds.create({ prompts: PROMPTS, competitors: [{ name: 'Bolt', domains: ['bolt.com'] }] })
  const [first = '', ...rest] = numbered('best')
  await world.import(
    ...numbered('best').map((prompt) =>
      answers({
        prompt,
        count: 20,
        cited: {
          // Still cited once.
          'https://acme.com/kept': 6,
          // Cited under another address of the same page.
          'http://acme.com/moved': 6,
          // Not the site's.
          'https://bolt.com/guide': 6,
          'https://www.g2.com/guide': 6,
          // Many answers, to one prompt.
          ...(prompt === first ? { 'https://acme.com/one': 20 } : {}),
        },
        ...before,
      }),
    ),
    // Seven prompts, which were not all asked again.
    ...numbered('about').map((prompt) =>
      answers({ prompt, count: 20, cited: { 'https://acme.com/unasked': 6 }, ...before }),
    ),
    ...rest.map((prompt) => answers({ prompt, count: 20 })),
    answers({
      prompt: first,
      count: 100,
      cited: { 'https://acme.com/kept': 1, 'https://www.acme.com/moved/': 1 },
    }),
    ...numbered('about')
      .slice(0, 5)
      .map((prompt) => answers({ prompt, count: 20 })),
  )
  expect(await world.find(lostPage)).toEqual([])
})

test('fewer than 30 answers on either side say nothing', async () => {
  for (const [countBefore, countNow] of [
    [29, 100],
    [100, 29],
  ] as const) {
    const world = worlds.create({ prompts: { best: 'Discovery' } })
    await world.import(
      answers({ prompt: 'best', count: countBefore, cited: { [GUIDE]: 29 }, ...before }),
      answers({ prompt: 'best', count: countNow }),
    )
    expect(await world.find(lostPage)).toEqual([])
  }
})
