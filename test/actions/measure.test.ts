import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureCard, openMeasuring } from '../../src/actions/measure.ts'
import { openReportRows } from '../../src/actions/report-rows.ts'
import type { CardMetric, TargetPrompt } from '../../src/domain/action-card.ts'
import type { EngineId } from '../../src/domain/enums.ts'
import { type ActionWorld, type ActionWorlds, answers, openActionWorlds } from './support/action-world.ts'

let worlds: ActionWorlds
let world: ActionWorld
beforeAll(async () => {
  worlds = await openActionWorlds()
  world = worlds.create({ prompts: { first: 'Discovery', second: 'Discovery', third: 'Pricing', other: 'Brand' } })
  await world.import(
    answers({ prompt: 'first', platform: 'chatgpt', count: 20, named: { Acme: 3 }, cited: { 'https://acme.com/': 7 } }),
    answers({ prompt: 'first', platform: 'claude', count: 10, named: { Acme: 2 } }),
    answers({ prompt: 'first', platform: 'gemini', count: 50, named: { Acme: 50 } }),
    answers({ prompt: 'second', platform: 'chatgpt', count: 5, cited: { 'https://blog.acme.com/': 1 } }),
    answers({ prompt: 'third', platform: 'gemini', count: 5 }),
    answers({ prompt: 'other', platform: 'chatgpt', count: 40, named: { Acme: 40 } }),
    answers({ prompt: 'first', platform: 'chatgpt', count: 9, named: { Acme: 9 }, lastDay: '2026-10-18', days: 1 }),
    answers({ prompt: 'first', platform: 'chatgpt', count: 9, named: { Acme: 9 }, lastDay: '2026-11-16', days: 1 }),
  )
})
afterAll(() => worlds.close())

const measure = (
  targetMetric: CardMetric,
  targetPrompts: readonly TargetPrompt[],
  targetPlatforms: readonly EngineId[],
) =>
  openMeasuring(world.app.catalog, world.site.id, openReportRows(world.app.reporting, world.site.id)).then(
    (measuring) =>
      measureCard(
        measuring,
        { targetMetric, targetPrompts, targetPlatforms },
        { first: '2026-10-19', last: '2026-11-15' },
      ),
  )

test('counts the target prompts on the target engines in the window, and nothing else', async () => {
  const prompts = ['first', 'second', 'third'].map((text) => world.prompt(text))
  expect(await measure('mention', prompts, ['chatgpt', 'claude'])).toMatchObject({
    count: { hits: 5, total: 35 },
    answers: 35,
  })
  expect(await measure('citation', prompts, ['chatgpt', 'claude'])).toMatchObject({
    count: { hits: 8, total: 35 },
    answers: 35,
  })
})

test('coverage counts prompts: with a mention, of those with an answer', async () => {
  const prompts = ['first', 'second', 'third'].map((text) => world.prompt(text))
  expect(await measure('coverage', prompts, ['chatgpt', 'claude'])).toMatchObject({
    count: { hits: 1, total: 2 },
    answers: 35,
  })
})

test('without targets nothing is counted', async () => {
  expect(await measure('mention', [], ['chatgpt'])).toMatchObject({ count: { hits: 0, total: 0 }, answers: 0 })
  expect(await measure('mention', [world.prompt('first')], [])).toMatchObject({
    count: { hits: 0, total: 0 },
    answers: 0,
  })
})
