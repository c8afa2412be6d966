/**
 * The form in which a spelling of a brand is compared (contract/imports 2.3): two spellings name the same brand when their keys
 * are equal. Empty when nothing of the name can be compared; such a spelling names no brand.
 */
export function toBrandKey(name: string): string {
  return Array.from(foldCase(toPlainName(name).replace(DASH_IN_WORD, '-')), unifySign).join('')
}

/** A name in NFKC, without what is no part of it. */
export function toPlainName(name: string): string {
  return normalizeText(name).replace(LOOSE_TRADEMARK, '').trim()
}

/** What shows nothing and is left out before anything is compared: soft hyphens, zero-width spaces and joiners. */
export const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** Between letters an en dash is a hyphen; the letter that stands for an apostrophe is none. */
export const EN_DASH = 0x2013
const DASH_IN_WORD = /(?<=(?!\u02bc)\p{L}\p{M}*)\u2013(?=(?!\u02bc)\p{L})/gu

/**
 * Unicode NFKC of a text without what shows nothing. A trademark sign is no part of a name, but NFKC would glue it to one as the letters `TM` or
 * `SM`; it stands as `®` instead, which NFKC leaves alone.
 */
export function normalizeText(text: string): string {
  const shown = text.search(INVISIBLE) < 0 ? text : text.replace(INVISIBLE, '')
  const normal = shown.normalize('NFKC')
  if (normal === shown || !/[\u2120\u2122]/.test(shown)) return normal
  return shown.replace(/[\u2120\u2122]/g, '®').normalize('NFKC')
}

/**
 * Unicode's full case folding of a text in NFKC, in NFC: `Straße` and `STRASSE` become equal, `Σ`, `σ` and `ς` too, in
 * every place of a word; the Turkish `ı` and `İ` stay other letters than `i`.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase().replaceAll('ß', 'ss')
  const folded = FOLDED_THOUGH_LOWER.test(lower) ? lower.replace(FOLDED_THOUGH_LOWER_ALL, foldLetter) : lower
  return folded.normalize('NFC')
}

/** Writers and engines put any apostrophe and either hyphen: the typographic ones stand for the plain ones. */
export function unifySign(character: string): string {
  if (character === '\u2019' || character === '\u02bc') return "'"
  return character === '\u2010' ? '-' : character
}

/** A trademark sign with its emoji selector, unless it stands between two parts of a word and so keeps them apart. */
const LOOSE_TRADEMARK = /®\ufe0f?(?![\p{L}\p{N}\p{M}])|(?<![\p{L}\p{N}\p{M}])®\ufe0f?/gu

/** Lower-case letters in NFKC that case folding changes all the same; `ß` is dealt with before. */
const FOLDED_THOUGH_LOWER = /[\u0345ς\u1c80-\u1c88\u1f80-\u1fff]/
const FOLDED_THOUGH_LOWER_ALL = new RegExp(FOLDED_THOUGH_LOWER, 'g')

function foldLetter(letter: string): string {
  return letter.toUpperCase().toLowerCase()
}
