/**
 * Kills scans at many points, goes on with them, and looks at what was bought, stored and spent:
 *
 *     node test/collect/kills.ts --points 200 --seed 1
 */
import { parseArgs } from 'node:util'
import { inTurns } from '../faults/support/in-turns.ts'
import { planKills, rehearse } from './support/scan-kills.ts'
import { tryScenario } from './support/scenario.ts'

const { values } = parseArgs({
  options: { points: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const startedMs = performance.now()
const rehearsal = await rehearse()
const sums: Record<string, number> = {}
let [killed, purchases] = [0, 0]
const wrong = await inTurns(planKills(rehearsal, Number(values.points), Number(values.seed)), async (scenario) => {
  const trial = await tryScenario(scenario)
  killed += trial.killed
  purchases += trial.purchases
  for (const [status, count] of Object.entries(trial.statuses)) sums[status] = (sums[status] ?? 0) + count
  const lines = trial.wrong.map((line) => `${JSON.stringify(scenario.kills)}: ${line}`)
  for (const line of lines) console.error(line)
  return lines
})
console.log(
  JSON.stringify({
    points: Number(values.points),
    killed,
    steps_known: rehearsal.steps.length,
    purchases,
    calls: sums,
    wrong: [...rehearsal.wrong, ...wrong].length,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
  }),
)
for (const line of rehearsal.wrong) console.error(line)
process.exitCode = wrong.length + rehearsal.wrong.length === 0 ? 0 : 1
