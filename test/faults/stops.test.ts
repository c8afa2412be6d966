import { expect, test } from 'vitest'
import { inTurns } from './support/in-turns.ts'
import { setUpStage } from './support/kills.ts'
import { REPEATABLE } from './support/operations.ts'
import { planStops, tryStop } from './support/stops.ts'

const POINTS = 8
const SEED = 1

test(
  `a process that stands still holds nobody up for long, and spoils nothing when it goes on; tried at ${POINTS} points`,
  { timeout: 600_000 },
  async () => {
    // One point each; the others are for the long run.
    const stage = await setUpStage(Object.fromEntries(Object.entries(REPEATABLE).slice(0, POINTS)))
    try {
      const points = planStops(stage, POINTS, SEED)
      expect(await inTurns(points, (point) => tryStop(stage, point), 4)).toEqual([])
    } finally {
      stage.close()
    }
  },
)
