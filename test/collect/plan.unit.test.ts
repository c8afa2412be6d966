import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planScan, type PlanRequest } from '../../src/collect/plan.ts'
import type { Target } from '../../src/collect/providers/provider.ts'
import { ENGINE_IDS, PROVIDER_IDS } from '../../src/domain/enums.ts'

const GERMANY = {
  name: 'Germany',
  country: 'DE',
  language: 'de',
  locationCode: 2276,
  city: undefined,
  region: undefined,
  timeZone: 'Europe/Berlin',
}

function makeTarget(change: Partial<Target> = {}): Target {
  return {
    id: 'chatgpt',
    engine: 'chatgpt',
    provider: 'openai',
    model: undefined,
    role: 'main',
    baseUrl: 'https://api.openai.com/v1',
    concurrency: 4,
    ...change,
  }
}

function makeRequest(change: Partial<PlanRequest> = {}): PlanRequest {
  return {
    site: { id: 'acme', market: null, platforms: ENGINE_IDS },
    prompts: [],
    targets: [makeTarget()],
    samples: 1,
    day: '2026-11-22',
    seed: 1,
    getProvider: () => ({ refusesMarket: () => undefined, price: () => ({ lowMicros: 0, highMicros: 0 }) }),
    toPace: () => ({ concurrency: 4, perMinute: 60 }),
    findMarket: (market) => (market === 'Germany' ? GERMANY : undefined),
    ...change,
  }
}

function makePrompts(count: number, markets: readonly (string | null)[] = [null]): PlanRequest['prompts'] {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index + 1}`,
    promptNo: index + 1,
    text: `question ${index + 1}`,
    market: markets[index % markets.length] ?? null,
  }))
}

const arbitraryRequest = fc
  .record({
    prompts: fc.integer({ min: 0, max: 30 }),
    markets: fc.array(fc.constantFrom(null, 'Germany', 'Atlantis'), { minLength: 1, maxLength: 4 }),
    engines: fc.uniqueArray(fc.constantFrom(...ENGINE_IDS), { maxLength: 4 }),
    platforms: fc.subarray([...ENGINE_IDS]),
    shadows: fc.integer({ min: 0, max: 2 }),
    samples: fc.integer({ min: 1, max: 10 }),
    seed: fc.nat(),
    off: fc.constantFrom(...ENGINE_IDS),
  })
  .map(({ prompts, markets, engines, platforms, shadows, samples, seed, off }) => {
    const main = engines.map((engine, index) =>
      makeTarget({ id: engine, engine, provider: PROVIDER_IDS[index % PROVIDER_IDS.length]! }),
    )
    const shadow = Array.from({ length: shadows }, (_, index) => makeTarget({ id: `s${index}`, role: 'shadow' }))
    return makeRequest({
      site: { id: 'acme', market: 'Germany', platforms },
      prompts: makePrompts(prompts, markets),
      targets: [...main, ...shadow],
      samples,
      seed,
      getProvider: () => ({
        refusesMarket: ({ market, place }) =>
          market !== null && place === undefined ? `it does not know ${market}` : undefined,
        price: ({ prompt }) => ({ lowMicros: prompt.length, highMicros: 3 * prompt.length + 1 }),
      }),
      refuses: ({ engine }) => (engine === off ? `${engine} is switched off` : undefined),
    })
  })

describe('properties of a plan', () => {
  test('each prompt is asked of each target, as often as there are samples, or its target says why not', () => {
    fc.assert(
      fc.property(arbitraryRequest, (request) => {
        const { calls, cannot } = planScan(request)
        const keys = calls.map(({ promptNo, question, sample }) => `${promptNo} ${question.target.id} ${sample}`)
        expect(new Set(keys).size).toBe(keys.length)
        for (const target of request.targets) {
          const own = calls.filter(({ question }) => question.target.id === target.id)
          const refused = cannot.filter((each) => each.target.id === target.id)
          const unasked = refused.reduce((sum, { prompts }) => sum + prompts, 0)
          expect(own.length).toBe((request.prompts.length - unasked) * request.samples)
          const asked = new Set(own.map(({ promptNo }) => promptNo))
          expect(asked.size + unasked).toBe(request.prompts.length)
          expect(new Set(own.map(({ sample }) => sample)).size).toBe(own.length === 0 ? 0 : request.samples)
          for (const { reason, prompts } of refused) {
            expect(reason).not.toBe('')
            expect(prompts).toBeGreaterThan(0)
          }
        }
      }),
    )
  })

  test('costs are the sums of the calls, in all and by target', () => {
    fc.assert(
      fc.property(arbitraryRequest, (request) => {
        const plan = planScan(request)
        const sum = (pick: (price: { lowMicros: number; highMicros: number }) => number) =>
          plan.calls.reduce((total, { price }) => total + pick(price), 0)
        expect(plan.costLowMicros).toBe(sum(({ lowMicros }) => lowMicros))
        expect(plan.costHighMicros).toBe(sum(({ highMicros }) => highMicros))
        const ofTargets = (pick: (line: (typeof plan.byTarget)[number]) => number) =>
          plan.byTarget.reduce((total, line) => total + pick(line), 0)
        expect(ofTargets(({ calls }) => calls)).toBe(plan.calls.length)
        expect(ofTargets(({ costLowMicros }) => costLowMicros)).toBe(plan.costLowMicros)
        expect(ofTargets(({ costHighMicros }) => costHighMicros)).toBe(plan.costHighMicros)
      }),
    )
  })

  test('the seed decides the order and nothing else', () => {
    fc.assert(
      fc.property(arbitraryRequest, fc.nat(), (request, seed) => {
        const { calls } = planScan(request)
        expect(planScan(request).calls).toEqual(calls)
        const other = planScan({ ...request, seed }).calls
        const toKey = ({ promptNo, question, sample }: (typeof calls)[number]) =>
          `${promptNo} ${question.target.id} ${sample}`
        expect(other.map(toKey).toSorted()).toEqual(calls.map(toKey).toSorted())
      }),
    )
  })
})

test('the order mixes prompts and targets: whatever part is asked, all targets are in it', () => {
  const targets = (['chatgpt', 'gemini'] as const).map((engine) => makeTarget({ id: engine, engine }))
  const { calls } = planScan(makeRequest({ prompts: makePrompts(1_000), targets }))
  const first = calls.slice(0, 400)
  const share = first.filter(({ question }) => question.target.id === 'gemini').length / first.length
  const middle = first.reduce((sum, { promptNo }) => sum + promptNo, 0) / first.length
  expect(Math.abs(share - 0.5)).toBeLessThan(0.1)
  expect(Math.abs(middle - 500)).toBeLessThan(60)
  expect(planScan(makeRequest({ prompts: makePrompts(1_000), targets, seed: 2 })).calls).not.toEqual(calls)
})

test('a market is appended to the text, the prompt’s own before that of the site', () => {
  const site = { id: 'acme', market: 'Germany', platforms: ENGINE_IDS }
  const { calls } = planScan(makeRequest({ site, prompts: makePrompts(2, [null, 'Atlantis']) }))
  const questions = calls.toSorted((a, b) => a.promptNo - b.promptNo).map(({ question }) => question)
  expect(questions).toMatchObject([
    { prompt: 'question 1 Germany', market: 'Germany', place: GERMANY },
    { prompt: 'question 2 Atlantis', market: 'Atlantis', place: undefined },
  ])
  const [alone] = planScan(makeRequest({ prompts: makePrompts(1) })).calls
  expect(alone?.question).toMatchObject({ prompt: 'question 1', market: null, place: undefined })
})

test('what cannot be asked is listed by target and reason', () => {
  const plan = planScan(
    makeRequest({
      site: { id: 'acme', market: null, platforms: ['chatgpt', 'gemini'] },
      prompts: makePrompts(3, ['Atlantis', 'Germany', 'Mu']),
      targets: [
        makeTarget(),
        makeTarget({ id: 'copilot', engine: 'copilot' }),
        makeTarget({ id: 'gemini', engine: 'gemini' }),
      ],
      getProvider: () => ({
        refusesMarket: ({ market, place }) => (place === undefined ? `it does not know ${market}` : undefined),
        price: () => ({ lowMicros: 1, highMicros: 2 }),
      }),
      refuses: ({ id }) => (id === 'gemini' ? 'there is no secret' : undefined),
    }),
  )
  expect(plan.cannot.map(({ target, reason, prompts }) => [target.id, reason, prompts])).toEqual([
    ['chatgpt', 'it does not know Atlantis', 1],
    ['chatgpt', 'it does not know Mu', 1],
    ['copilot', 'the site is not measured on copilot (sites set --platforms)', 3],
    ['gemini', 'there is no secret', 3],
  ])
  expect(plan.byTarget.map(({ target, calls }) => [target.id, calls])).toEqual([['chatgpt', 1]])
})

test('the time is that of the slowest provider: by its rate, or by its answers under way', () => {
  const targets = [makeTarget(), makeTarget({ id: 'gemini', engine: 'gemini', provider: 'gemini' })]
  const minutes = (perMinute: number, concurrency: number): number =>
    planScan(
      makeRequest({
        prompts: makePrompts(100),
        targets,
        toPace: (id) => (id === 'gemini' ? { perMinute, concurrency } : { perMinute: 1_000, concurrency: 100 }),
      }),
    ).minutes
  expect(minutes(10, 100)).toBe(10)
  // 25 rounds of 15 seconds.
  expect(minutes(1_000, 4)).toBe(7)
  expect(planScan(makeRequest()).minutes).toBe(0)
})
