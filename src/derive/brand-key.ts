/**
 * The form in which a spelling of a brand is compared (formats.md 2.3): two spellings name the same brand when their keys
 * are equal. Empty when nothing of the name can be compared; such a spelling names no brand.
 */
export function toBrandKey(name: string): string {
  return foldText(normalizeText(name).replace(LOOSE_TRADEMARK, '')).trim()
}

/**
 * Unicode NFKC of a text. A trademark sign is no part of a name, but NFKC would glue it to one as the letters `TM` or
 * `SM`; it stands as `®` instead, which NFKC leaves alone.
 */
export function normalizeText(text: string): string {
  const normal = text.normalize('NFKC')
  if (normal === text || !/[\u2120\u2122]/.test(text)) return normal
  return text.replace(/[\u2120\u2122]/g, '®').normalize('NFKC')
}

/**
 * Unicode's full case folding of a text in NFKC, in NFC: `Straße` and `STRASSE` become equal, `Σ`, `σ` and `ς` too, in
 * every place of a word; the Turkish `ı` stays another letter than `i`. Beyond letters, the typographic apostrophe
 * becomes `'` and the typographic hyphen `-`: writers and engines put either.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  if (!FOLDED_BEYOND_LOWER_CASE.test(lower)) return lower.normalize('NFC')
  return lower.replace(FOLDED_BEYOND_LOWER_CASE_ALL, foldCharacter).normalize('NFC')
}

/** A trademark sign with its emoji selector, unless it stands between two parts of a word and so keeps them apart. */
const LOOSE_TRADEMARK = /®\ufe0f?(?![\p{L}\p{N}\p{M}])|(?<![\p{L}\p{N}\p{M}])®\ufe0f?/gu

/** What case folding changes though it is lower case already, the apostrophe and the hyphen. */
const FOLDED_BEYOND_LOWER_CASE = /[\u0345ßς\u1c80-\u1c88\u1f80-\u1fff\u2010\u2019]/
const FOLDED_BEYOND_LOWER_CASE_ALL = new RegExp(FOLDED_BEYOND_LOWER_CASE, 'g')

function foldCharacter(character: string): string {
  if (character === '\u2019') return "'"
  if (character === '\u2010') return '-'
  return character.toUpperCase().toLowerCase()
}
