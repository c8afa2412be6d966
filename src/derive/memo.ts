import { LRUCache } from 'lru-cache'
import { MEMO_CHARACTERS_MAX, MEMO_ENTRY_CHARACTERS, MEMO_KEY_CHARACTERS_MAX } from '../limits.ts'

interface Remembered<V> {
  readonly value: V
}

/**
 * Remembers what `compute` gave for a text, for fields of logs that repeat a few values millions of times. Bounded, whatever
 * strangers write into a log: when it is full, what nobody asked for longest is forgotten. A text over
 * MEMO_KEY_CHARACTERS_MAX is computed each time.
 */
export function memoize<V>(compute: (text: string) => V): (text: string) => V {
  // Without `max`, which would take the room of all entries at once, for each of the many caches of a thread.
  const known = new LRUCache<string, Remembered<V>>({
    maxSize: MEMO_CHARACTERS_MAX,
    sizeCalculation: (_, text) => Math.max(text.length, MEMO_ENTRY_CHARACTERS),
  })
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.value
    const value = compute(text)
    if (text.length <= MEMO_KEY_CHARACTERS_MAX) known.set(toOwnText(text), { value })
    return value
  }
}

/** V8 keeps the whole text alive that a piece was cut from: a few remembered fields would hold every chunk of a log in memory. */
function toOwnText(piece: string): string {
  // With one byte a character where that will do: texts of different widths compare ten times slower.
  const encoding = /^[\0-\xff]*$/.test(piece) ? 'latin1' : 'utf16le'
  return Buffer.from(piece, encoding).toString(encoding)
}
