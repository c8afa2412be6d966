import { foldCase, unifySign } from './brand-key.ts'

/*
 * What matching needs to know of each UTF-16 unit of a text, as tables: they are read for every unit of every answer.
 */

const UNITS = 0x10000
/** By unit, the unit it folds to; itself where that takes the whole text. */
export const folds = new Uint16Array(UNITS)
/** By unit, what it folds to when it is a letter, digit or mark, which break a match beside them (formats.md 2.3); else: */
export const codes = new Uint16Array(UNITS)
/** It is none of these. */
export const BREAK = 0
/** It takes a closer look: half of a character outside the basic plane, or a letter or mark that folds with its neighbours. */
export const LOOK = 1
/** By unit, 1 where NFKC changes it, or may change it together with its neighbours. */
export const unstable = new Uint8Array(UNITS)

/** Whether a letter, digit or mark stands at `at`; before the start and after the end stands none. */
export function isWordAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false
  const code = codes[text.charCodeAt(at)]
  return code === LOOK ? /^[\p{L}\p{N}\p{M}]/u.test(characterAt(text, at)) : code !== BREAK
}

/** Of a unit that takes a closer look, whether its folding does. D83C to D83E begin emoji and other symbols, without case. */
export function foldsInContext(unit: number): boolean {
  return unit < 0xd83c || (unit > 0xd83e && unit < 0xdc00) || unit > 0xdfff
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

fillTables()

function fillTables(): void {
  for (let unit = 0; unit < UNITS; unit++) folds[unit] = unit
  const plane = Buffer.from(folds.buffer).toString('utf16le')
  for (const { index, 0: run } of plane.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    codes.set(folds.subarray(index, index + run.length), index)
  }
  for (const { index, 0: character } of plane.matchAll(/[\p{CWKCF}\p{CWL}\u2010\u2019]/gu)) {
    if (character.normalize('NFKC') !== character) unstable[index] = 1
    else setFold(index, unifySign(foldCase(character)))
  }
  // Marks, and the second parts of Korean syllables, join what stands before them.
  for (const { index, 0: run } of plane.matchAll(/[\p{M}\u1161-\u1175\u11a8-\u11c2]+/gu)) {
    unstable.fill(1, index, index + run.length)
  }
  // Marks that a folded letter may join where the letter itself didn't: `J̌` has no character of its own, `ǰ` has.
  codes.fill(LOOK, 0x0300, 0x0370)
  codes.fill(LOOK, 0xd800, 0xe000)
  unstable.fill(1, 0xd800, 0xe000)
}

function setFold(unit: number, fold: string): void {
  if (fold.length === 1) folds[unit] = fold.charCodeAt(0)
  if (codes[unit] !== BREAK) codes[unit] = fold.length === 1 ? fold.charCodeAt(0) : LOOK
}
