import { afterAll, beforeAll, expect, test } from 'vitest'
import { negativeAnswers } from '../../../src/actions/rules/negative-answers.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

test('a prompt whose answers describe the brand mostly negatively makes a finding', async () => {
  const world = worlds.create({ prompts: { complaints: 'Brand', about: 'Brand' } })
  await world.import(
    answers({
      prompt: 'complaints',
      platform: 'claude',
      count: 50,
      named: { Acme: 40 },
      judged: { negative: 25, positive: 10 },
    }),
    answers({ prompt: 'about', count: 50, named: { Acme: 50 }, judged: { negative: 2, positive: 30 } }),
  )
  expect(await world.find(negativeAnswers)).toEqual([
    {
      target: world.prompt('complaints').id,
      title: 'Answer the criticism in "complaints"',
      why: 'In the 28 days to 2026-11-15, 25 of 35 judged answers to this prompt that name Acme describe it negatively, 10 positively.',
      detail: expect.stringContaining('reply to reviews and threads') as string,
      targetPrompts: [world.prompt('complaints')],
      targetPlatforms: ['claude'],
      targetUrl: 'https://acme.com/',
      stake: { hits: 25, total: 90 },
    },
  ])
})

test('prompts close by make none', async () => {
  const world = worlds.create({
    prompts: { half: 'Brand', unjudged: 'Brand', divided: 'Brand', few: 'Brand', unnamed: 'Brand' },
  })
  await world.import(
    // Half is not most.
    answers({ prompt: 'half', count: 40, named: { Acme: 40 }, judged: { negative: 20, neutral: 20 } }),
    // Most of those judged, but most are not.
    answers({ prompt: 'unjudged', count: 80, named: { Acme: 80 }, judged: { negative: 39 } }),
    // Most, and nearly as many positive ones.
    answers({ prompt: 'divided', count: 40, named: { Acme: 40 }, judged: { negative: 22, positive: 18 } }),
    answers({ prompt: 'few', count: 29, named: { Acme: 29 }, judged: { negative: 29 } }),
    // Answers that don't name the brand aren't about it.
    answers({ prompt: 'unnamed', count: 100, named: { Acme: 29 }, judged: { negative: 100 } }),
  )
  expect(await world.find(negativeAnswers)).toEqual([])
})
