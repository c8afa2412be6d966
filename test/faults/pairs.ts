/**
 * Lets two operators change the same things at once, and looks whether it came out as one after the other:
 *
 *     node test/faults/pairs.ts --rounds 200 --seed 1
 */
import { parseArgs } from 'node:util'
import { inTurns } from './support/in-turns.ts'
import { planPairs, setUpPairs } from './support/pairs.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const stage = await setUpPairs()
try {
  const points = planPairs(stage, Number(values.rounds), Number(values.seed))
  const startedMs = performance.now()
  const wrong = await inTurns(points, (point) => stage.tryPair(point))
  for (const line of wrong) console.error(line)
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  console.log(
    JSON.stringify({
      pairs: stage.pairs.length,
      rounds: points.length,
      seed: values.seed,
      wrong: wrong.length,
      seconds,
    }),
  )
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  stage.close()
}
