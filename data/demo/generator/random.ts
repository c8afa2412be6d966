/** Repeatable chance: the same key gives the same sequence on every machine. */
export interface SeededRandom {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True in `share` of the calls; 0 never, 1 always. */
  chance(share: number): boolean
  /** One of the items. */
  pick<T>(items: readonly T[]): T
  /** One of the items, each as likely as its weight. */
  pickWeighted<T>(items: readonly T[], weightOf: (item: T) => number): T
  /** The items in another order. */
  shuffle<T>(items: readonly T[]): T[]
}

/** Each answer and each day of the log has its own key, so that a change in one place leaves the others as they are. */
export function seededRandom(key: string): SeededRandom {
  let state = hashOf(key)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
  const pick = <T>(items: readonly T[]): T => itemAt(items, Math.floor(next() * items.length))
  return {
    next,
    pick,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (share) => next() < share,
    pickWeighted(items, weightOf) {
      let rest = next() * items.reduce((sum, item) => sum + weightOf(item), 0)
      for (const item of items) {
        rest -= weightOf(item)
        if (rest < 0) return item
      }
      return itemAt(items, items.length - 1)
    },
    shuffle(items) {
      const left = [...items]
      return items.map(() => itemAt(left.splice(Math.floor(next() * left.length), 1), 0))
    },
  }
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`No item ${index} in a list of ${items.length}.`)
  return item
}

/** FNV-1a, then a final mix so that keys that differ in their last letter only start far apart. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
