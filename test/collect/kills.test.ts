import { expect, test } from 'vitest'
import { inTurns } from '../faults/support/in-turns.ts'
import { makeScenario } from './support/random-scenario.ts'
import { planKills, rehearse } from './support/scan-kills.ts'
import { tryScenario } from './support/scenario.ts'

const POINTS = 12
const SCENARIOS = 4

test(
  `a scan that is killed at ${POINTS} points buys nothing twice, loses no answer that came and no cent, and tells no secret`,
  { timeout: 900_000 },
  async () => {
    const rehearsal = await rehearse()
    expect(rehearsal.wrong).toEqual([])
    let killed = 0
    const wrong = await inTurns(planKills(rehearsal, POINTS, 1), async (scenario) => {
      const trial = await tryScenario(scenario)
      killed += trial.killed
      return trial.wrong.map((line) => `${JSON.stringify(scenario.kills)}: ${line}`)
    })
    expect(wrong).toEqual([])
    // Those at times and steps may be done sooner.
    expect(killed).toBeGreaterThan(POINTS / 2)
  },
)

test('the same holds where engines misbehave and budgets end', { timeout: 900_000 }, async () => {
  const seeds = Array.from({ length: SCENARIOS }, (_, index) => index + 1)
  const wrong = await inTurns(seeds, async (seed) => {
    const { wrong } = await tryScenario(makeScenario(seed))
    return wrong.map((line) => `seed ${seed}: ${line}`)
  })
  expect(wrong).toEqual([])
})
