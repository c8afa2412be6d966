/**
 * Cuts the power of a disk while answers and logs are imported, files merged and deleted (needs root):
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
  const total = { rounds, acknowledged: 0, lost: 0, rounds_with_losses: 0, wrong: 0 }
  for (let round = 0; round < rounds; round++) {
    const [afterImports, afterMs] = [1 + Math.floor(random() * 8), Math.round(random() * 1_500)]
    const { acknowledged, lost, wrong } = await stage.cut({ afterImports, afterMs, syncs })
    total.acknowledged += acknowledged
    total.lost += lost
    if (lost > 0) total.rounds_with_losses += 1
    total.wrong += wrong.length
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
    process.exitCode = cuts.lost + cuts.wrong === 0 && control.lost > 0 ? 0 : 1
  } finally {
    stage.close()
  }
}
