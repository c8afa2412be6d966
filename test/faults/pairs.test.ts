import { expect, test } from 'vitest'
import { inTurns } from './support/in-turns.ts'
import { planPairs, setUpPairs } from './support/pairs.ts'

test('two operators at once come out as one after the other', { timeout: 600_000 }, async () => {
  const stage = await setUpPairs([
    ['undo answers', 'import'],
    ['delete answers', 'undo answers'],
    ['delete site', 'replace answers'],
    ['undo logs', 'undo logs'],
  ])
  try {
    expect(await inTurns(planPairs(stage, 8, 1), (point) => stage.tryPair(point))).toEqual([])
  } finally {
    stage.close()
  }
})
