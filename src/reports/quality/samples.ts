import { setImmediate } from 'node:timers/promises'
import { seededShares } from '../../statistics/seeded-shares.ts'

/** Prompts on an engine on a day, `count` of them, that have `answers` each, of which `named` name the own brand. */
export interface Samples {
  readonly answers: number
  readonly named: number
  readonly count: number
}

/** How alike answers are that were asked for at once (docs/methods.md 17). */
export interface Reproducibility {
  /** Of pairs of answers to one prompt, engine and day, the share that agree on naming the own brand. */
  readonly agreement: number
  /** How far rates of two halves of the answers differ by chance, at most, in 95 of 100 splits. */
  readonly noiseFloor: number
}

const SPLITS = 200
const SHARE_BELOW = 0.95

/** Null where no prompt has two answers of an engine on a day. Lets others have their turn between the splits. */
export async function measureReproducibility(samples: readonly Samples[]): Promise<Reproducibility | null> {
  // What chance makes of them must not hang on the order in which they were read.
  const several = samples
    .filter(({ answers }) => answers > 1)
    .toSorted((a, b) => a.answers - b.answers || a.named - b.named)
  if (several.length === 0) return null
  const pairs = sumUp(several, ({ answers }) => toPairs(answers))
  const agreeing = sumUp(several, ({ answers, named }) => toPairs(named) + toPairs(answers - named))
  const next = seededShares()
  const differences: number[] = []
  for (let split = 0; split < SPLITS; split++) {
    differences.push(splitOnce(several, next))
    await setImmediate()
  }
  differences.sort((a, b) => a - b)
  return { agreement: agreeing / pairs, noiseFloor: differences[Math.ceil(SHARE_BELOW * SPLITS) - 1] ?? 0 }
}

const toPairs = (count: number): number => (count * (count - 1)) / 2

function sumUp(samples: readonly Samples[], of: (sample: Samples) => number): number {
  return samples.reduce((sum, sample) => sum + sample.count * of(sample), 0)
}

/** How far the rates of two halves differ; of an odd number of answers either half may have one more. */
function splitOnce(samples: readonly Samples[], next: () => number): number {
  let taken = 0
  let takenNamed = 0
  for (const { answers, named, count } of samples) {
    for (let group = 0; group < count; group++) {
      const half = answers % 2 === 0 ? answers / 2 : (answers + (next() < 0.5 ? -1 : 1)) / 2
      taken += half
      takenNamed += takeNamed(answers, named, half, next)
    }
  }
  const all = sumUp(samples, ({ answers }) => answers)
  const allNamed = sumUp(samples, ({ named }) => named)
  return Math.abs(takenNamed / taken - (allNamed - takenNamed) / (all - taken))
}

/** How many of `half` answers name the brand, drawn one after the other. */
function takeNamed(answers: number, named: number, half: number, next: () => number): number {
  if (named === 0) return 0
  if (named === answers) return half
  let found = 0
  for (let drawn = 0; drawn < half; drawn++) {
    if (next() * (answers - drawn) < named - found) found += 1
  }
  return found
}
