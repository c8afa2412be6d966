import { ownText } from '../../derive/own-text.ts'

/** Gives texts their place in the order in which they came, from 0. */
export interface Places {
  find(text: string): number
  /** The texts that came since the last call, how many there were before, and whether the next ones start at 0. */
  take(): { readonly added: readonly string[]; readonly before: number; readonly startsAnew: boolean }
}

/** Starts anew, at a call of `take`, when it holds so many texts or characters. */
export function createPlaces(textsMax = Number.POSITIVE_INFINITY, charactersMax = Number.POSITIVE_INFINITY): Places {
  const places = new Map<string, number>()
  let added: string[] = []
  let characters = 0

  return {
    find(text) {
      const known = places.get(text)
      if (known !== undefined) return known
      // A piece of a line would keep alive the whole chunk it came in. Texts that no file can hold may become the same.
      const own = ownText(text)
      const same = places.get(own)
      if (same !== undefined) return same
      const place = places.size
      places.set(own, place)
      added.push(own)
      characters += own.length
      return place
    },
    take() {
      const startsAnew = places.size >= textsMax || characters >= charactersMax
      const taken = { added, before: places.size - added.length, startsAnew }
      added = []
      if (startsAnew) {
        places.clear()
        characters = 0
      }
      return taken
    },
  }
}
