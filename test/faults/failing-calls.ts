/**
 * Lets writes, syncs, namings, openings and removals of commands fail, one a run; all that a command makes, or so many of
 * them:
 *
 *     node test/faults/failing-calls.ts --work import
 *     node test/faults/failing-calls.ts --points 50 --seed 1
 */
import { parseArgs } from 'node:util'
import { type FailingWork, setUpFailures } from './support/failing-calls.ts'
import { WORKS } from './support/failing-works.ts'
import { inTurns } from './support/in-turns.ts'
import { createRandom, shuffle } from './support/random.ts'

const { values } = parseArgs({
  options: {
    work: { type: 'string', multiple: true, default: Object.keys(WORKS) },
    points: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})

async function failAll(work: FailingWork, count: number): Promise<void> {
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

for (const work of values.work) {
  if (!isWork(work)) throw new Error(`there is no work ${work}: ${Object.keys(WORKS).join(', ')}`)
  await failAll(work, Number(values.points ?? Number.POSITIVE_INFINITY))
}

function isWork(name: string): name is FailingWork {
  return Object.hasOwn(WORKS, name)
}
