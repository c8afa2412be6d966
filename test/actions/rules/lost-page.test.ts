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

test('an own page that was cited in the 28 days before and no longer is makes a finding', async () => {
  const world = worlds.create({ prompts: { best: 'Discovery', cheapest: 'Pricing', about: 'Brand' } })
  await world.import(
    answers({
      prompt: 'best',
      platform: 'claude',
      count: 40,
      cited: { [GUIDE]: 9, 'https://acme.com/': 20 },
      ...before,
    }),
    answers({ prompt: 'cheapest', platform: 'chatgpt', count: 40, cited: { [`${GUIDE}?utm_source=x`]: 3 }, ...before }),
    answers({ prompt: 'about', platform: 'gemini', count: 40, ...before }),
    answers({ prompt: 'best', platform: 'claude', count: 50, cited: { 'https://acme.com/': 20 } }),
    answers({ prompt: 'about', platform: 'gemini', count: 60 }),
  )
  expect(await world.find(lostPage)).toEqual([
    {
      target: GUIDE,
      title: 'Win back the citations of acme.com/guide',
      why: 'Cited in 12 of 120 answers in the 28 days to 2026-10-18, in 0 of 110 answers in the 28 days to 2026-11-15.',
      detail: expect.stringContaining('It was cited for "best" and "cheapest".') as string,
      targetPrompts: [world.prompt('best'), world.prompt('cheapest')],
      targetPlatforms: ['chatgpt', 'claude'],
      targetUrl: GUIDE,
      stake: { hits: 12, total: 120 },
    },
  ])
})

test('pages close by make none', async () => {
  const world = worlds.create({
    prompts: { best: 'Discovery' },
    competitors: [{ name: 'Bolt', domains: ['bolt.com'] }],
  })
  await world.import(
    answers({
      prompt: 'best',
      count: 100,
      cited: {
        // Still cited once.
        'https://acme.com/kept': 30,
        // Cited under another address of the same page.
        'http://acme.com/moved': 30,
        // Could be chance.
        'https://acme.com/seldom': 6,
        // Not the site's.
        'https://bolt.com/guide': 30,
        'https://www.g2.com/guide': 30,
      },
      ...before,
    }),
    answers({ prompt: 'best', count: 100, cited: { 'https://acme.com/kept': 1, 'https://www.acme.com/moved/': 1 } }),
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
