import { createRandom } from '../../faults/support/random.ts'
import type { Script } from '../engines/script.ts'
import type { KillPoint, Scenario, Trial } from './scenario.ts'
import { tryScenario } from './scenario.ts'
import { ALL_TARGETS, type ScanSetup } from './scan-data.ts'

/** Enough for every provider to sell a few answers. */
const SETUP: ScanSetup = { prompts: 4, targets: ALL_TARGETS, samples: 1, concurrency: 3, usdDay: 100 }

/** Some answers come late, some are paid for and lost, some are refused first. */
const SCRIPT: Script = {
  latencyMs: 10,
  taskMs: 50,
  rules: [
    { provider: 'anthropic', oneIn: 2, act: { do: 'pause', times: 1 } },
    { nth: [1], oneIn: 7, act: { do: 'refuse', status: 429, headers: { 'retry-after': '0' } } },
    { oneIn: 11, act: { do: 'break', status: 500 } },
    { oneIn: 11, act: { do: 'cut', at: 100 } },
    { oneIn: 11, act: { do: 'unfinished' } },
  ],
}

/** A run that nobody kills, which says where there is something to be killed at. */
export function rehearse(): Promise<Trial> {
  return tryScenario({ setup: SETUP, script: SCRIPT, kills: [], tears: false, retries: false })
}

/** Spread over the steps on the disk, what the engines sell and send, and time; half of each before and after. */
export function planKills(rehearsal: Trial, count: number, seed: number): Scenario[] {
  const random = createRandom(seed)
  const spread = (index: number, of: number): number => Math.floor(((index + random()) / Math.ceil(count / 3)) * of)
  return Array.from({ length: count }, (_, index) => {
    const turn = Math.floor(index / 3)
    const kills: Readonly<Record<number, KillPoint>> = {
      0: { at: { step: spread(turn, rehearsal.steps.length), when: turn % 2 === 0 ? 'before' : 'after' } },
      1: { entry: 1 + spread(turn, rehearsal.purchases), isSent: turn % 2 === 0 },
      2: { ms: spread(turn, rehearsal.ms) },
    }
    const kill = kills[index % 3]
    return { setup: SETUP, script: SCRIPT, kills: kill ? [kill] : [], tears: turn % 2 === 0, retries: turn % 4 === 0 }
  })
}
