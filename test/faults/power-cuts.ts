/**
 * Cuts the power of a disk while answers and logs are imported, corrected, taken back and forgotten, files merged and deleted
 * (needs root):
 *
 *     node test/faults/power-cuts.ts --rounds 100 --control 12
 */
import { parseArgs } from 'node:util'
import { setUpPowerCuts, type PowerCutStage } from './support/power-cuts.ts'
import { createRandom } from './support/random.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    control: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
  },
})
const random = createRandom(Number(values.seed))

async function cutAgainAndAgain(stage: PowerCutStage, rounds: number, syncs: boolean) {
  const cutOff: Record<string, number> = {}
  const total = { rounds, acknowledged: 0, cut_off: cutOff, wrong_rounds: 0 }
  for (let round = 0; round < rounds; round++) {
    const [seed, afterActs, afterMs] = [random() * 2 ** 31, 1 + Math.floor(random() * 18), Math.round(random() * 500)]
    const { acknowledged, cutOff: kind, wrong } = await stage.cut({ seed, afterActs, afterMs, syncs })
    total.acknowledged += acknowledged
    cutOff[kind] = (cutOff[kind] ?? 0) + 1
    if (wrong.length > 0) total.wrong_rounds += 1
    if (syncs) for (const line of wrong) console.error(`round ${round}: ${line}`)
  }
  return total
}

const startedMs = performance.now()
const stage = await setUpPowerCuts()
if (!stage) {
  console.log('skipped: needs Linux, mkfs.ext4 and the right to mount')
} else {
  try {
    const control = await cutAgainAndAgain(stage, Number(values.control), false)
    const cuts = await cutAgainAndAgain(stage, Number(values.rounds), true)
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    console.log(JSON.stringify({ with_syncs: cuts, control_without_syncs: control, seconds }))
    process.exitCode = cuts.wrong_rounds === 0 && control.wrong_rounds > 0 ? 0 : 1
  } finally {
    stage.close()
  }
}
