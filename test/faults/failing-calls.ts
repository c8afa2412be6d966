/**
 * Lets every write, sync, naming, opening and removal of an import fail, one a run:
 *
 *     node test/faults/failing-calls.ts
 */
import { setUpFailures } from './support/failing-calls.ts'
import { inTurns } from './support/in-turns.ts'

const stage = await setUpFailures()
if (!stage) {
  console.log('skipped: needs Linux and a C compiler')
} else {
  try {
    const startedMs = performance.now()
    const wrong = await inTurns(stage.points, (point) => stage.tryFailure(point))
    for (const line of wrong) console.error(line)
    const count = (calls: string): number => stage.points.filter((point) => point.calls === calls).length
    console.log(
      JSON.stringify({
        failures: stage.points.length,
        writes: count('write'),
        syncs: count('sync'),
        names: count('name'),
        opens: count('open'),
        removals: count('remove'),
        wrong: wrong.length,
        seconds: Math.round((performance.now() - startedMs) / 1_000),
      }),
    )
    process.exitCode = wrong.length === 0 ? 0 : 1
  } finally {
    stage.close()
  }
}
