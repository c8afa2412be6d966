import { expect, test } from 'vitest'
import { setUpFailures } from './support/failing-calls.ts'
import { inTurns } from './support/in-turns.ts'
import { createRandom, shuffle } from './support/random.ts'

const POINTS = 12

test(
  `an import of which a write, sync or naming fails says so and leaves the state before; tried at ${POINTS} calls`,
  { timeout: 600_000 },
  async (context) => {
    const stage = await setUpFailures('import')
    if (!stage) return context.skip('needs Linux and a C compiler')
    try {
      const points = shuffle(stage.points, createRandom(1)).slice(0, POINTS)
      expect(await inTurns(points, (point) => stage.tryFailure(point))).toEqual([])
    } finally {
      stage.close()
    }
  },
)
