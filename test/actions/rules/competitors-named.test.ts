import { afterAll, beforeAll, expect, test } from 'vitest'
import { competitorsNamed } from '../../../src/actions/rules/competitors-named.ts'
import { type ActionWorlds, answers, NEWEST_DAY_BEFORE, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const BOLT = { name: 'Bolt' }
const ZED = { name: 'Zed' }
const ASK = 'Which tool is best?'

test('a prompt that names confirmed competitors often and never the own brand makes a finding', async () => {
  const world = worlds.create({ prompts: { [ASK]: 'Discovery', 'What is Acme?': 'Brand' }, competitors: [BOLT, ZED] })
  await world.import(
    answers({ prompt: ASK, platform: 'chatgpt', count: 25, named: { Bolt: 18, Zed: 5 } }),
    answers({ prompt: ASK, platform: 'claude', count: 15, named: { Bolt: 2 } }),
    answers({ prompt: 'What is Acme?', count: 60, named: { Acme: 60, Bolt: 30 } }),
  )
  expect(await world.find(competitorsNamed)).toEqual([
    {
      target: world.prompt(ASK).id,
      title: 'Get named for "Which tool is best?"',
      why: 'In the 28 days to 2026-11-15, Acme was named in 0 of 40 answers (0–44 %) to this prompt, Bolt in 20 (17–83 %) and Zed in 5 (2–57 %).',
      detail: expect.stringContaining('compare it with Bolt and Zed in a table') as string,
      targetPrompts: [world.prompt(ASK)],
      targetPlatforms: ['chatgpt', 'claude'],
      targetUrl: 'https://acme.com/',
      stake: { hits: 40, total: 100 },
    },
  ])
})

test('prompts close by make none', async () => {
  const world = worlds.create({
    prompts: {
      'often enough': 'Discovery',
      'not often': 'Discovery',
      'one mention': 'Discovery',
      'too few answers': 'Discovery',
      'not confirmed': 'Discovery',
      'long ago': 'Discovery',
      disabled: 'Discovery',
    },
    competitors: [BOLT],
  })
  await world.import(
    answers({ prompt: 'often enough', count: 100, named: { Bolt: 20 } }),
    answers({ prompt: 'not often', count: 100, named: { Bolt: 19 } }),
    answers({ prompt: 'one mention', count: 40, named: { Bolt: 40, Acme: 1 } }),
    answers({ prompt: 'too few answers', count: 29, named: { Bolt: 29 } }),
    answers({ prompt: 'not confirmed', count: 40, named: { Dash: 40 } }),
    answers({ prompt: 'long ago', count: 40, named: { Bolt: 40 }, lastDay: NEWEST_DAY_BEFORE }),
    answers({ prompt: 'disabled', count: 40, named: { Bolt: 40 } }),
  )
  world.app.catalog.prompts.setStatus(world.site.id, [world.prompt('disabled').id], 'disabled')
  expect((await world.find(competitorsNamed)).map(({ why }) => why)).toEqual([
    'In the 28 days to 2026-11-15, Acme was named in 0 of 100 answers (0–17 %) to this prompt, Bolt in 20 (8–42 %).',
  ])
})

test('6 of 30 answers are significant for one competitor, not for the best of three', async () => {
  const find = async (competitors: readonly { name: string }[]) => {
    const world = worlds.create({ prompts: { [ASK]: 'Discovery' }, competitors })
    await world.import(answers({ prompt: ASK, count: 30, named: { Bolt: 6 } }))
    return (await world.find(competitorsNamed)).map(({ why }) => why)
  }
  expect(await find([BOLT])).toEqual([
    'In the 28 days to 2026-11-15, Acme was named in 0 of 30 answers (0–69 %) to this prompt, Bolt in 6 (2–80 %).',
  ])
  expect(await find([BOLT, ZED, { name: 'Third' }])).toEqual([])
})
