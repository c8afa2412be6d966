/** A way to write a brand's name. */
export interface BrandSpelling {
  readonly spelling: string
  readonly isOwn: boolean
}

/** Text without a brand, or a brand's name as it stands there. */
export type MarkedPiece = string | { readonly name: string; readonly isOwn: boolean }
export type BrandMarker = (text: string) => readonly MarkedPiece[]

/** Scripts that write words without spaces, and Hangul, whose particles follow a name at once. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Hangul}]`
/** A sign that would make a longer word of a name beside it. */
const LETTER = String.raw`(?!${UNSPACED})[\p{L}\p{N}]`
const IS_LETTER = new RegExp(`^${LETTER}`, 'u')

/**
 * Makes a function that finds the names of brands in a text, in time that grows with its length: whole words, case passed
 * over, the longest spelling first. Which brands an answer names the service alone says; this only shows where.
 */
export function createBrandMarker(spellings: readonly BrandSpelling[]): BrandMarker {
  const known = new Map(spellings.map((one) => [one.spelling.toLowerCase(), one]))
  const patterns = [...known.values()]
    .map(({ spelling }) => spelling.trim())
    .filter((spelling) => spelling !== '')
    .toSorted((a, b) => b.length - a.length)
    .map(toPattern)
  if (patterns.length === 0) return (text) => (text === '' ? [] : [text])
  const pattern = new RegExp(patterns.join('|'), 'giu')
  return (text) => {
    const pieces: MarkedPiece[] = []
    let end = 0
    for (const { 0: name, index } of text.matchAll(pattern)) {
      if (index > end) pieces.push(text.slice(end, index))
      pieces.push({ name, isOwn: known.get(name.toLowerCase())?.isOwn ?? false })
      end = index + name.length
    }
    if (end < text.length) pieces.push(text.slice(end))
    return pieces
  }
}

function toPattern(spelling: string): string {
  const [first = '', last = ''] = [/^./su.exec(spelling)?.[0], /.$/su.exec(spelling)?.[0]]
  const escaped = spelling.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`)
  return `${IS_LETTER.test(first) ? `(?<!${LETTER})` : ''}${escaped}${IS_LETTER.test(last) ? `(?!${LETTER})` : ''}`
}
