import { toRate } from '../../src/statistics/rate.ts'
import type { StudentT } from '../../src/statistics/student-t.ts'
import { type Ends, findJackknife } from '../support/oracle/certainty.ts'
import { type SimulatedAnswer, simulateWorld, type WorldKind, type WorldOptions } from './worlds.ts'

/** Worlds whose intervals hold the truth, as a share of all, and how wide the intervals are in the middle. */
export interface Coverage {
  readonly covered: number
  readonly width: number
}

/** A brand's rate and its share of voice among three, over twelve prompts and eight weeks or twenty and a quarter. */
export const COVERAGE_WORLDS: Readonly<Record<string, WorldOptions>> = {
  '12 prompts, 56 days': { prompts: 12, engines: 4, days: 56, rates: [0.2, 0.35, 0.1] },
  '20 prompts, 92 days': { prompts: 20, engines: 4, days: 92, rates: [0.2, 0.35, 0.1] },
}

/** How often intervals of the first brand hold the truth, in so many worlds of a kind. */
export function measureCoverage(
  kind: WorldKind,
  options: WorldOptions,
  worlds: number,
  studentT: StudentT,
): { readonly mention_rate: Coverage; readonly share_of_voice: Coverage } {
  const rates = new Counter()
  const shares = new Counter()
  for (let world = 0; world < worlds; world++) {
    const { answers, truth } = simulateWorld(kind, String(world), options)
    const prompts = [...Map.groupBy(answers, ({ prompt }) => prompt).values()]
    const named = (of: readonly SimulatedAnswer[]): number => of.filter((answer) => answer.named[0]).length
    const voices = (of: readonly SimulatedAnswer[]): number =>
      of.flatMap((answer) => answer.named.filter(Boolean)).length
    const counts = prompts.map((of) => ({ answers: of.length, hits: named(of) }))
    rates.add(toRate(counts, [], studentT).interval, truth[0] ?? 0)
    const [all, allVoices] = [named(answers), voices(answers)]
    const leftOut = prompts.map((of) => (all - named(of)) / (allVoices - voices(of)))
    const share = findJackknife(all / allVoices, leftOut, 1)
    shares.add(share, (truth[0] ?? 0) / truth.reduce((sum, rate) => sum + rate, 0))
  }
  return { mention_rate: rates.read(), share_of_voice: shares.read() }
}

class Counter {
  #covered = 0
  readonly #widths: number[] = []

  add(interval: Ends | null, truth: number): void {
    if (interval === null || interval.low === null || interval.high === null)
      throw new Error('a world without an interval says nothing')
    if (interval.low <= truth && truth <= interval.high) this.#covered++
    this.#widths.push(interval.high - interval.low)
  }

  read(): Coverage {
    const sorted = this.#widths.toSorted((a, b) => a - b)
    return { covered: this.#covered / sorted.length, width: sorted[sorted.length >> 1] ?? 0 }
  }
}
