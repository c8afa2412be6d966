import { median } from '../statistics/rate.ts'
import { seededShares } from '../statistics/seeded-shares.ts'

/** Sets of prompts beyond this number are drawn instead of counted out. */
const DRAWS = 10_000
/** Distances this much nearer than the one found count as equal: rounding must not tell them apart. */
const TIE_TOLERANCE = 1e-9

/** How far some prompts moved away from the rest, among sets of as many prompts that nobody worked on. */
export interface PlaceboRank {
  /** How far their mean change is from the median change of all prompts. */
  readonly distance: number
  /** The share of sets that lie as far from it or farther, this set among them. */
  readonly p: number
}

/**
 * The placebo test of few prompts (docs/methods.md 9): `targets` and `untouched` are changes of single prompts, one at least
 * of each. All other sets of as many prompts take part, or 10,000 drawn ones where there are more: the same ones each time.
 */
export function toPlaceboRank(targets: readonly number[], untouched: readonly number[]): PlaceboRank {
  const all = [...targets, ...untouched]
  const centre = median(all) ?? 0
  const size = targets.length
  const distance = targets.reduce((sum, change) => sum + change, 0) / size - centre
  const least = Math.abs(distance) - TIE_TOLERANCE
  let asFar = 0
  let draws = 0
  const look = (sum: number): void => {
    draws += 1
    if (Math.abs(sum / size - centre) >= least) asFar += 1
  }
  if (countSets(all.length, size) - 1 <= DRAWS) {
    lookAtEachSet(all, size, look)
    // The target prompts themselves are the first set, which the formula counts apart.
    return { distance, p: asFar / draws }
  }
  drawSets(all, size, look)
  return { distance, p: (1 + asFar) / (1 + draws) }
}

/** How many sets of `size` there are in `count`. */
function countSets(count: number, size: number): number {
  let sets = 1
  for (let taken = 1; taken <= size; taken++) sets = (sets * (count - size + taken)) / taken
  return sets
}

function lookAtEachSet(all: readonly number[], size: number, look: (sum: number) => void): void {
  const take = (from: number, left: number, sum: number): void => {
    if (left === 0) return look(sum)
    for (let index = from; index <= all.length - left; index++) take(index + 1, left - 1, sum + (all[index] ?? 0))
  }
  take(0, size, 0)
}

function drawSets(all: readonly number[], size: number, look: (sum: number) => void): void {
  const next = seededShares()
  const shuffled = [...all]
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0
    for (let taken = 0; taken < size; taken++) {
      const other = taken + Math.floor(next() * (shuffled.length - taken))
      const change = shuffled[other] ?? 0
      shuffled[other] = shuffled[taken] ?? 0
      shuffled[taken] = change
      sum += change
    }
    look(sum)
  }
}
