/**
 * Plays many sequences of imports, deletions and maintenance, and compares every report after each step with a model and
 * with a fresh lake:
 *
 *     node test/change/history.ts --sequences 300 --steps 20 --seed 1
 */
import { parseArgs } from 'node:util'
import { playHistory } from './support/history.ts'

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '300' },
    steps: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
})
const startedMs = performance.now()
const sequences = Number(values.sequences)
const steps = Number(values.steps)
let wrong = 0
for (let number = 0; number < sequences; number++) {
  const found = await playHistory(`${values.seed}/${number}`, steps)
  if (found === undefined) continue
  wrong += 1
  console.error(found)
}
const seconds = Math.round((performance.now() - startedMs) / 1_000)
console.log(JSON.stringify({ sequences, steps, seed: values.seed, wrong, seconds }))
process.exitCode = wrong === 0 ? 0 : 1
