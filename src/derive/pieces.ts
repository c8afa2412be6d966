import { BREAK, CLASS, classAt, codeOf, codes, foldsInContext, LOOK, PENDING } from './characters.ts'
import { HANGUL, isBorder, MARK, NO_SCRIPT, NO_WORD, UNSPACED } from './scripts.ts'

/** A word, or the part of one up to where another script begins; of a script without spaces, a letter with its marks. */
interface Piece {
  /** Before this unit it ends; at its start where no letter, digit or mark stands. */
  end: number
  /** Of its folded units; up to its first Hangul letter where it has one, since particles stand right behind a name. */
  hash: number
  /** Class of the letter or digit that it ends in. */
  last: number
  /** Whether what follows is no letter, digit or mark, or nothing. */
  endsWord: boolean
}

/** The piece that was read last. One object for all: a piece is read for every word of every text. */
export const piece: Piece = { end: 0, hash: 0, last: NO_WORD, endsWord: true }

/**
 * Reads the piece that begins at `start` into `piece`, or, behind a letter of the class `before`, the rest of one. False when
 * the text has a character there that only folding the whole text gets right.
 */
export function readPiece(units: Uint16Array, text: string, start: number, before: number, isFolded: boolean): boolean {
  let at = start
  let hash = 0
  let last = before
  let run = -1
  let hashToHangul: number | undefined
  let code = codes[units[at] ?? 0] ?? BREAK
  for (;;) {
    // Letters of one script follow each other: the way that most texts take.
    while ((code & CLASS) === run) {
      hash = addToHash(hash, code)
      code = codes[units[++at] ?? 0] ?? BREAK
    }
    let here = code & CLASS
    if (here === PENDING) {
      code = codeOf(units[at] ?? 0)
      continue
    }
    let second = 0
    if (here === LOOK) {
      const unit = units[at] ?? 0
      if (!isFolded && foldsInContext(unit)) return false
      here = classAt(text, at)
      code = here | unit
      const next = units[at + 1] ?? 0
      if ((unit & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00) second = next
    }
    if (here === BREAK || (last !== NO_WORD && isBorder(last, here))) {
      piece.end = at
      piece.hash = hashToHangul ?? hash
      piece.last = last
      piece.endsWord = here === BREAK
      return true
    }
    hash = addToHash(hash, code)
    if (here === HANGUL) hashToHangul ??= hash
    if (second !== 0) {
      hash = addToHash(hash, second)
      at++
    }
    code = codes[units[++at] ?? 0] ?? BREAK
    if (here !== MARK) {
      last = here
      run = here === UNSPACED ? -1 : here
    } else if (last === NO_WORD) last = NO_SCRIPT
  }
}

export function addToHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0
}
