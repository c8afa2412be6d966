import { expect, test } from 'vitest'
import { loadStudentT } from '../../src/statistics/student-t.ts'
import { WORLD_KINDS } from '../statistics/worlds.ts'
import { CARD_WORLDS, measureVerdicts } from './support/verdict-worlds.ts'

const studentT = await loadStudentT()

// The short form of test/actions/simulate.ts, which allows 6 %: of 100 worlds chance alone brings up to 11 with 5 %.
test.each(WORLD_KINDS)('in worlds of the kind "%s" few verdicts are false', { timeout: 120_000 }, (kind) => {
  const shares = ['6 of 12', '1 of 20', '3 of 24', 'the lowest 8 of 30'].map((name) => {
    const { improved, declined } = measureVerdicts(kind, CARD_WORLDS[name]!, { worlds: 100, studentT })
    return improved + declined
  })
  expect(Math.max(...shares)).toBeLessThanOrEqual(0.11)
  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThanOrEqual(0.065)
})

test('what is picked for being low rises by itself, so the window of the pick is not held against', () => {
  const card = CARD_WORLDS['the lowest 8 of 30']!
  const options = { worlds: 100, studentT }
  const flattered = measureVerdicts('drifting prompts', { ...card, heldAgainst: 'the window of the pick' }, options)
  expect(flattered.improved).toBeGreaterThan(0.2)
  expect(measureVerdicts('drifting prompts', card, options).improved).toBeLessThan(0.06)
})

test('six prompts whose answers name the brand in 33 % instead of 20 % are seen in most worlds with correlated days', () => {
  const { improved } = measureVerdicts('correlated days', CARD_WORLDS['6 of 12']!, {
    worlds: 100,
    studentT,
    raised: true,
  })
  expect(improved).toBeGreaterThan(0.5)
})
