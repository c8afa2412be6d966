/**
 * Kills operations at many points and looks at what is left:
 *
 *     node test/faults/kills.ts --points 200 --seed 1
 *     node test/faults/kills.ts --points 100 --operation 'delete answers' --operation 'delete logs'
 *     node test/faults/kills.ts --points 600 --corrections
 */
import { parseArgs } from 'node:util'
import { CORRECTIONS } from './support/corrections.ts'
import { inTurns } from './support/in-turns.ts'
import { type Operation, OPERATIONS } from './support/operations.ts'
import { planKills, setUpStage, tryKill } from './support/kills.ts'

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    operation: { type: 'string', multiple: true },
    corrections: { type: 'boolean', default: false },
  },
})
const operations: Record<string, Operation> = values.corrections ? CORRECTIONS : OPERATIONS
const seed = Number(values.seed)
const chosen = Object.entries(operations).filter(([name]) => values.operation?.includes(name) ?? true)
const stage = await setUpStage(Object.fromEntries(chosen))
try {
  const points = planKills(stage, Number(values.points), seed)
  const startedMs = performance.now()
  let killed = 0
  const wrong = await inTurns(points, async (point, index) => {
    const trial = await tryKill(stage, point, index % 2 === 0)
    if (trial.wasKilled) killed += 1
    return trial.wrong
  })
  for (const line of wrong) console.error(line)
  const atSteps = points.filter(({ at }) => 'step' in at).length
  console.log(
    JSON.stringify({
      points: points.length,
      killed,
      at_steps: atSteps,
      at_times: points.length - atSteps,
      steps_known: Object.fromEntries(
        Object.entries(stage.rehearsals).map(([name, { steps }]) => [name, steps.length]),
      ),
      seed,
      wrong: wrong.length,
      seconds: Math.round((performance.now() - startedMs) / 1_000),
    }),
  )
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  stage.close()
}
