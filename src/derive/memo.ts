import { MEMO_CHARACTERS_MAX, MEMO_ENTRIES_MAX, MEMO_KEY_CHARACTERS_MAX } from '../limits.ts'

interface Remembered<V> {
  readonly value: V
}

/**
 * Remembers what `compute` gave for a text, for fields of logs that repeat a few values millions of times. Bounded in entries
 * and characters, whatever strangers write into a log: when a generation is full, the one before it is forgotten, so what is
 * still asked for stays. A text over MEMO_KEY_CHARACTERS_MAX is computed each time.
 */
export function memoize<V>(compute: (text: string) => V): (text: string) => V {
  let young = new Map<string, Remembered<V>>()
  let old = new Map<string, Remembered<V>>()
  let characters = 0

  function remember(text: string, entry: Remembered<V>): V {
    if (young.size >= MEMO_ENTRIES_MAX || characters >= MEMO_CHARACTERS_MAX) {
      old = young
      young = new Map()
      characters = 0
    }
    young.set(toOwnText(text), entry)
    characters += text.length
    return entry.value
  }

  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known.value
    if (text.length > MEMO_KEY_CHARACTERS_MAX) return compute(text)
    return remember(text, old.get(text) ?? { value: compute(text) })
  }
}

/** V8 keeps the whole text alive that a piece was cut from: a few remembered fields would hold every chunk of a log in memory. */
function toOwnText(piece: string): string {
  // With one byte a character where that will do: texts of different widths compare ten times slower.
  const encoding = /^[\0-\xff]*$/.test(piece) ? 'latin1' : 'utf16le'
  return Buffer.from(piece, encoding).toString(encoding)
}
