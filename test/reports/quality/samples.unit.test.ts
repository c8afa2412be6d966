import { expect, it } from 'vitest'
import { measureReproducibility } from '../../../src/reports/quality/samples.ts'

it('says nothing without two answers of one prompt, engine and day', async () => {
  expect(await measureReproducibility([])).toBeNull()
  expect(await measureReproducibility([{ answers: 1, named: 1, count: 500 }])).toBeNull()
})

it('finds no noise in answers that all say the same', async () => {
  expect(
    await measureReproducibility([
      { answers: 2, named: 2, count: 30 },
      { answers: 4, named: 0, count: 15 },
    ]),
  ).toMatchObject({ agreement: 1, noiseFloor: 0 })
})

it('counts pairs that agree: of 3 answers, 1 naming the brand, one pair of three', async () => {
  expect(await measureReproducibility([{ answers: 3, named: 1, count: 7 }])).toMatchObject({ agreement: 1 / 3 })
})

it('has the noise that the binomial distribution has', async () => {
  // 400 pairs of which one names the brand: the halves' rates differ by |2·B − 400| / 400, B of 400 tosses of a coin.
  const found = await measureReproducibility([{ answers: 2, named: 1, count: 400 }])
  // 1.96 · √400 / 400 = 0.098; of 200 splits the quantile itself varies.
  expect(found!.noiseFloor).toBeGreaterThan(0.08)
  expect(found!.noiseFloor).toBeLessThan(0.12)
})

it('gives the same in whichever order the samples come', async () => {
  const samples = [
    { answers: 3, named: 1, count: 5 },
    { answers: 2, named: 1, count: 9 },
    { answers: 2, named: 0, count: 4 },
  ]
  expect(await measureReproducibility(samples.toReversed())).toEqual(await measureReproducibility(samples))
})
