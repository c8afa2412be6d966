import { expect, test } from 'vitest'
import { inTurns } from './support/in-turns.ts'
import { planKills, setUpStage, tryKill } from './support/kills.ts'

const POINTS = 40
const SEED = 1

test(`killed at ${POINTS} points, operations leave the state before or after, a sound lake, and nothing that the next collection misses`, async () => {
  const stage = await setUpStage()
  try {
    const points = planKills(stage, POINTS, SEED)
    expect(await inTurns(points, (point, index) => tryKill(stage, point, index % 2 === 0))).toEqual([])
  } finally {
    stage.close()
  }
}, 600_000)
