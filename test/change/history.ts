/**
 * Plays many sequences of imports, deletions and maintenance, and compares every report after each step with a model and
 * with a fresh lake. Prints a line a sequence; a seed that was printed is where another run goes on:
 *
 *     TMPDIR=/dev/shm node test/change/history.ts --sequences 300 --steps 20
 *     TMPDIR=/dev/shm node test/change/history.ts --sequences 100 --steps 20 --from-seed 1/200
 */
import { parseArgs } from 'node:util'
import { playHistory } from './support/history.ts'

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '300' },
    steps: { type: 'string', default: '20' },
    'from-seed': { type: 'string', default: '1/0' },
  },
})
const [series = '', first = ''] = values['from-seed'].split('/')
const sequences = Number(values.sequences)
const steps = Number(values.steps)
const toSeconds = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10

const startedMs = performance.now()
let wrong = 0
for (let number = Number(first); number < Number(first) + sequences; number++) {
  const seed = `${series}/${number}`
  const begunMs = performance.now()
  const found = await playHistory(seed, steps)
  console.log(JSON.stringify({ seed, steps, ok: found === undefined, seconds: toSeconds(begunMs) }))
  if (found === undefined) continue
  wrong += 1
  console.error(found)
}
console.log(JSON.stringify({ sequences, steps, from_seed: values['from-seed'], wrong, seconds: toSeconds(startedMs) }))
process.exitCode = wrong === 0 ? 0 : 1
