import { EN_DASH, foldCase, toPlainName, unifySign } from './brand-key.ts'

/** A text, and of its folded form which part of it a place comes from. */
export interface Original {
  slice(start: number, end: number): string
}

/** The form in which an exact spelling is compared (contract/imports 2.3): as a brand's key, but with its case. */
export function toCaseForm(spelling: string): string {
  return Array.from(toPlainName(spelling), (sign) => (sign.charCodeAt(0) === EN_DASH ? '-' : unifySign(sign)))
    .join('')
    .normalize('NFC')
}

/** `foldCase` of a text, letter by letter, so that each of its places is known in the text. */
export function foldWithPlaces(text: string): { folded: string; original: Original } {
  const starts: number[] = []
  let folded = ''
  for (const { index, 0: letter } of text.matchAll(/[^\p{M}]\p{M}*|\p{M}+/gu)) {
    const part = foldCase(letter)
    for (let i = 0; i < part.length; i++) starts.push(part.length === letter.length ? index + i : index)
    folded += part
  }
  starts.push(text.length)
  return { folded, original: { slice: (start, end) => text.slice(starts[start], starts[end]) } }
}
