import { expect, test } from 'vitest'
import { setUpFailures } from './support/failing-calls.ts'
import { inTurns } from './support/in-turns.ts'
import { createRandom, shuffle } from './support/random.ts'

test.for([
  ['import', 12],
  ['undo answers', 3],
  ['replace answers', 3],
  ['delete answers', 3],
  ['delete site', 3],
] as const)(
  'of %s a write, sync or naming fails: it says so and leaves the state before; tried at %i calls',
  { timeout: 600_000 },
  async ([work, count], context) => {
    const stage = await setUpFailures(work)
    if (!stage) return context.skip('needs Linux and a C compiler')
    try {
      const points = shuffle(stage.points, createRandom(1)).slice(0, count)
      expect(await inTurns(points, (point) => stage.tryFailure(point))).toEqual([])
    } finally {
      stage.close()
    }
  },
)
