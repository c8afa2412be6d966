/**
 * Plays scans with engines that misbehave, runs that are killed and budgets that end, and looks at what is left:
 *
 *     node test/collect/scenarios.ts --count 300 --seed 1
 */
import { parseArgs } from 'node:util'
import { inTurns } from '../faults/support/in-turns.ts'
import { makeScenario } from './support/random-scenario.ts'
import { tryScenario } from './support/scenario.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
})
const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.seed) + index)
const sums: Record<string, number> = {}
let [killed, purchases] = [0, 0]
const startedMs = performance.now()
const wrong = await inTurns(seeds, async (seed) => {
  const scenario = makeScenario(seed)
  const trial = await tryScenario(scenario)
  killed += trial.killed
  purchases += trial.purchases
  for (const [status, count] of Object.entries(trial.statuses)) sums[status] = (sums[status] ?? 0) + count
  const lines = trial.wrong.map((line) => `seed ${seed}: ${line}`)
  if (lines.length > 0) console.error([JSON.stringify({ seed, ...scenario }), ...lines].join('\n'))
  return lines
})
const seconds = Math.round((performance.now() - startedMs) / 1_000)
console.log(JSON.stringify({ scenarios: seeds.length, killed, purchases, calls: sums, wrong: wrong.length, seconds }))
process.exitCode = wrong.length === 0 ? 0 : 1
