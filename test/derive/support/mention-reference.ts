import type { BrandNo, BrandSpellings } from '../../../src/domain/brand.ts'

/** formats.md 2.3 word for word, without regard to speed: `text` is free of markup. */
export function findByReference(brands: readonly BrandSpellings[], text: string): BrandNo[] {
  const folded = fold(text)
  const places = brands
    .flatMap(({ brandNo, spellings }) =>
      spellings.flatMap((spelling) => placesOf(fold(spelling).trim(), folded, brandNo)),
    )
    .sort((a, b) => a.start - b.start || b.end - a.end || a.brandNo - b.brandNo)
  const found: BrandNo[] = []
  let taken = 0
  for (const { start, end, brandNo } of places) {
    if (start < taken) continue
    taken = end
    if (!found.includes(brandNo)) found.push(brandNo)
  }
  return found
}

interface Place {
  readonly start: number
  readonly end: number
  readonly brandNo: BrandNo
}

function placesOf(spelling: string, text: string, brandNo: BrandNo): Place[] {
  if (spelling === '') return []
  const places: Place[] = []
  for (let start = text.indexOf(spelling); start >= 0; start = text.indexOf(spelling, start + 1)) {
    const end = start + spelling.length
    const before = Array.from(text.slice(0, start)).at(-1) ?? ''
    const behind = Array.from(text.slice(end))[0] ?? ''
    if (!isWord(before) && !isWord(behind) && !splitsPair(text, start) && !splitsPair(text, end))
      places.push({ start, end, brandNo })
  }
  return places
}

function isWord(character: string): boolean {
  return /^[\p{L}\p{N}\p{M}]$/u.test(character)
}

function splitsPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at))
}

/** NFKC, then case folding letter by letter, the apostrophe and the hyphen, then NFC. */
function fold(text: string): string {
  return Array.from(text.normalize('NFKC'), foldLetter).join('').normalize('NFC')
}

function foldLetter(letter: string): string {
  if (letter === 'ı') return letter
  if (letter === '’') return "'"
  if (letter === '‐') return '-'
  return letter.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
