/**
 * Lets every write, sync, naming, opening and removal of an import fail, one a run, and some of a compaction's:
 *
 *     node test/faults/failing-calls.ts --merging 100 --seed 1
 */
import { parseArgs } from 'node:util'
import { type FailingWork, setUpFailures } from './support/failing-calls.ts'
import { inTurns } from './support/in-turns.ts'
import { createRandom, shuffle } from './support/random.ts'

const { values } = parseArgs({
  options: { merging: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
})

async function failAll(work: FailingWork, count = Number.POSITIVE_INFINITY): Promise<void> {
  const stage = await setUpFailures(work)
  if (!stage) return console.log('skipped: needs Linux and a C compiler')
  try {
    const startedMs = performance.now()
    const points = shuffle(stage.points, createRandom(Number(values.seed))).slice(0, count)
    const wrong = await inTurns(points, (point) => stage.tryFailure(point))
    for (const line of wrong) console.error(line)
    const kinds = Map.groupBy(points, ({ calls }) => calls)
    console.log(
      JSON.stringify({
        work,
        calls: Object.fromEntries([...kinds].map(([calls, { length }]) => [calls, length])),
        failures: points.length,
        wrong: wrong.length,
        seconds: Math.round((performance.now() - startedMs) / 1_000),
      }),
    )
    if (wrong.length > 0) process.exitCode = 1
  } finally {
    stage.close()
  }
}

await failAll('import')
await failAll('compact', Number(values.merging))
