/**
 * Lets processes stand still at many points while others do the same work, and looks at what they do when they go on:
 *
 *     node test/faults/stops.ts --points 60 --seed 1
 */
import { parseArgs } from 'node:util'
import { inTurns } from './support/in-turns.ts'
import { setUpStage } from './support/kills.ts'
import { REPEATABLE } from './support/operations.ts'
import { planStops, tryStop } from './support/stops.ts'

const { values } = parseArgs({
  options: { points: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const seed = Number(values.seed)
const stage = await setUpStage(REPEATABLE)
try {
  const points = planStops(stage, Number(values.points), seed)
  const startedMs = performance.now()
  const wrong = await inTurns(points, (point) => tryStop(stage, point), 4)
  for (const line of wrong) console.error(line)
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  console.log(JSON.stringify({ points: points.length, seed, wrong: wrong.length, seconds }))
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  stage.close()
}
