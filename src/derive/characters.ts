import { foldText } from './brand-key.ts'

/*
 * What matching needs to know of each UTF-16 unit of a text in NFKC, as tables: they are read for every unit of every
 * answer.
 */

/** A letter, digit or mark: next to a spelling it breaks the match (formats.md 2.3). */
export const WORD = 1
/** Half of a character outside the basic plane: only the pair says what it is. */
export const HALF = 2
/** Its folding is no single unit, or depends on its neighbours: the text must be folded as a whole. */
export const FOLDS_IN_CONTEXT = 4

const UNITS = 0x10000
const MAY_FOLD = /[\p{Changes_When_Casefolded}\p{Changes_When_Lowercased}\u2010\u2019]/gu

/** By unit, which of the above hold. */
export const kinds = new Uint8Array(UNITS)
/** By unit, the unit it folds to; itself where that needs the whole text. */
export const folds = new Uint16Array(UNITS)
fillTables()

/** Whether a letter, digit or mark stands at `at`; before the start and after the end stands none. */
export function isWordAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false
  const kind = kinds[text.charCodeAt(at)] ?? 0
  return (kind & HALF) === 0 ? (kind & WORD) !== 0 : /^[\p{L}\p{N}\p{M}]/u.test(characterAt(text, at))
}

/** Kept between texts; a longer text gets a buffer of its own. */
const scratch = Buffer.alloc(2 * 64 * 1_024)

/** The units of a text, then a 0, valid until the next call. Loops over them run twice as fast as over the string. */
export function toUnits(text: string): Uint16Array {
  const bytes = 2 * (text.length + 1)
  const buffer = bytes <= scratch.length ? scratch : Buffer.alloc(bytes)
  buffer.write(text, 'utf16le')
  const units = new Uint16Array(buffer.buffer, buffer.byteOffset, text.length + 1)
  units[text.length] = 0
  return units
}

/** The whole character of which a unit is a half; the unit alone when its other half is missing. */
function characterAt(text: string, at: number): string {
  const isSecond = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return String.fromCodePoint(text.codePointAt(isSecond ? at - 1 : at) ?? 0)
}

function fillTables(): void {
  const units = Array.from({ length: UNITS }, (_, unit) => unit)
  folds.set(units)
  const plane =
    String.fromCharCode(...units.slice(0, 0xd800)) + ' '.repeat(0x800) + String.fromCharCode(...units.slice(0xe000))
  for (const { index, 0: run } of plane.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) kinds.fill(WORD, index, index + run.length)
  for (const { index, 0: character } of plane.matchAll(MAY_FOLD)) {
    const fold = foldText(character)
    if (fold.length === 1) folds[index] = fold.charCodeAt(0)
    else mark(index, index, FOLDS_IN_CONTEXT)
  }
  mark(0xd800, 0xdfff, HALF)
  // Marks that a folded letter may join where the letter itself didn't: `J̌` has no character of its own, `ǰ` has.
  mark(0x0300, 0x036f, FOLDS_IN_CONTEXT)
  // First halves that may begin a letter with a case; D83C to D83E, left out, begin emoji and other symbols.
  mark(0xd800, 0xd83b, FOLDS_IN_CONTEXT)
  mark(0xd83f, 0xdbff, FOLDS_IN_CONTEXT)
}

function mark(first: number, last: number, kind: number): void {
  for (let unit = first; unit <= last; unit++) kinds[unit] = (kinds[unit] ?? 0) | kind
}
