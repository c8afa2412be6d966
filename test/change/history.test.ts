import { expect, test } from 'vitest'
import { playHistory } from './support/history.ts'

const SEEDS = ['a', 'b']
const STEPS = 8

test(`${SEEDS.length} sequences of ${STEPS} steps leave what should be there, and nothing else`, async () => {
  const wrong: (string | undefined)[] = []
  for (const seed of SEEDS) wrong.push(await playHistory(seed, STEPS))
  expect(wrong.filter((one) => one !== undefined)).toEqual([])
}, 180_000)
