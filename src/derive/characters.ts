import { foldCase, INVISIBLE, unifySign } from './brand-key.ts'
import { classOf, LATIN, MARK, NO_SCRIPT, NO_WORD } from './scripts.ts'

/*
 * What matching needs to know of each UTF-16 unit of a text, as tables: they are read for every unit of every answer.
 */

const UNITS = 0x10000
/** By unit, the unit it folds to; itself where that takes the whole text. */
export const folds = new Uint16Array(UNITS)
/**
 * By unit, its class (scripts.ts) and in the lower half what it folds to, when it is a letter, digit or mark, which break a
 * match beside them (contract/imports 2.3); else:
 */
export const codes = new Int32Array(UNITS)
/** The part of a code that is the class. */
export const CLASS = ~0xffff
/** It is none of these. */
export const BREAK = NO_WORD
/** It takes a closer look: half of a character outside the basic plane, or a letter or mark that folds with its neighbours. */
export const LOOK = 1 << 16
/** Its class is found out when a text has it: `codeOf` does. */
export const PENDING = 2 << 16
/** By unit, 1 where NFKC changes it or may change it together with its neighbours, or where it shows nothing. */
export const unstable = new Uint8Array(UNITS)

/** Whether a letter, digit or mark stands at `at`; before the start and after the end stands none. */
export function isWordAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false
  const code = codes[text.charCodeAt(at)] ?? BREAK
  return (code & CLASS) === LOOK ? /^[\p{L}\p{N}\p{M}]/u.test(characterAt(text, at)) : code !== BREAK
}

/** The code of a unit whose class isn't known yet, which then is. */
export function codeOf(unit: number): number {
  const code = classOf(String.fromCharCode(unit)) | (folds[unit] ?? 0)
  codes[unit] = code
  return code
}

/** The class of the character that stands at `at`, or of which a half does; NO_WORD before the start and after the end. */
export function classAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return NO_WORD
  const unit = text.charCodeAt(at)
  const known = (codes[unit] ?? BREAK) & CLASS
  if (known === PENDING) return codeOf(unit) & CLASS
  return known === LOOK ? classOf(characterAt(text, at)) : known
}

/** The class of the letter or digit that ends before `at`, marks behind it passed over; MARK when there are only marks. */
export function classBefore(text: string, at: number): number {
  let found = NO_WORD
  for (let place = at - 1; place >= 0; place--) {
    const here = classAt(text, place)
    if (here !== MARK) return here === NO_WORD ? found : here
    found = MARK
  }
  return found
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
    for (let unit = index; unit < index + run.length; unit++) codes[unit] = PENDING | unit
  }
  for (const { index, 0: run } of plane.matchAll(/(?:(?=\p{L})\p{Script=Latin})+|\d+/gu)) {
    const found = /\d/.test(run) ? NO_SCRIPT : LATIN
    for (let unit = index; unit < index + run.length; unit++) codes[unit] = found | unit
  }
  for (const { index, 0: character } of plane.matchAll(/[\p{CWKCF}\p{CWL}\u2010\u2019]/gu)) {
    if (character.normalize('NFKC') !== character) unstable[index] = 1
    else setFold(index, unifySign(foldCase(character)))
  }
  // Marks, and the second parts of Korean syllables, join what stands before them.
  for (const { index, 0: run } of plane.matchAll(/[\p{M}\u1161-\u1175\u11a8-\u11c2]+/gu)) {
    unstable.fill(1, index, index + run.length)
  }
  for (const { index } of plane.matchAll(INVISIBLE)) unstable[index] = 1
  // The letter that stands for an apostrophe is one.
  codes[0x02bc] = BREAK
  setFold(0x02bc, unifySign('\u02bc'))
  // Marks that a folded letter may join where the letter itself didn't: `J̌` has no character of its own, `ǰ` has.
  codes.fill(LOOK, 0x0300, 0x0370)
  codes.fill(LOOK, 0xd800, 0xe000)
  unstable.fill(1, 0xd800, 0xe000)
}

function setFold(unit: number, fold: string): void {
  if (fold.length === 1) folds[unit] = fold.charCodeAt(0)
  const code = codes[unit] ?? BREAK
  if (code !== BREAK) codes[unit] = fold.length === 1 ? (code & CLASS) | fold.charCodeAt(0) : LOOK
}
