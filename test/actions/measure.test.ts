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

test('a share has an interval by prompt, or by week and engine where there is one prompt', async () => {
  const prompts = ['first', 'second', 'third'].map((text) => world.prompt(text))
  // 5 of 30 and 0 of 5 answers; 3 of 20 and 2 of 10 a day each, back from a Sunday.
  const { interval: ofAll } = await measure('mention', prompts, ['chatgpt', 'claude'])
  const { interval: ofOne } = await measure('mention', [world.prompt('first')], ['chatgpt', 'claude'])
  expect(ofAll).toEqual(
    naiveInterval(
      [
        [30, 5],
        [5, 0],
      ],
      12.706204736174698,
    ),
  )
  expect(ofOne).toEqual(naiveInterval(listWeeks(), 2.7764451051977987))
  const { interval: ofCoverage } = await measure('coverage', prompts, ['chatgpt', 'claude'])
  expect(ofCoverage!.low).toBeCloseTo(0.09453120573423074, 9)
  expect(ofCoverage!.high).toBeCloseTo(0.9054687942657693, 9)
})

/** Answers of the world's first prompt by week and engine: one a day back from 2026-11-15, a Sunday; the newest name the brand. */
function listWeeks(): readonly (readonly [answers: number, hits: number])[] {
  return [
    [7, 3],
    [7, 0],
    [6, 0],
    [7, 2],
    [3, 0],
  ]
}

/** Wilson's interval on the effective answers of clusters, written down anew (docs/methods.md 2 and 3). */
function naiveInterval(clusters: readonly (readonly [answers: number, hits: number])[], t: number) {
  let [n, s] = [0, 0]
  for (const [answers, hits] of clusters) [n, s] = [n + answers, s + hits]
  const p = s / n
  let squares = 0
  for (const [answers, hits] of clusters) squares += (hits - p * answers) ** 2
  const variance = ((clusters.length / (clusters.length - 1)) * squares) / n ** 2
  const effective = (n / Math.max(1, (variance * n) / (p * (1 - p)))) * (1.959963984540054 / t) ** 2
  const z2 = 1.959963984540054 ** 2
  const centre = (p + z2 / (2 * effective)) / (1 + z2 / effective)
  const half = (Math.sqrt(z2) / (1 + z2 / effective)) * Math.sqrt((p * (1 - p)) / effective + z2 / (4 * effective ** 2))
  return { low: expect.closeTo(centre - half, 6) as number, high: expect.closeTo(centre + half, 6) as number }
}
