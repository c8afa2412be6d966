import { readFileSync } from 'node:fs'
import type { BrandNo, BrandSpellings } from '../../../src/domain/brand.ts'

const { hangul_particles } = JSON.parse(
  readFileSync(new URL('../../../data/hangul_particles.json', import.meta.url), 'utf8'),
) as { hangul_particles: { particles: string[] }[] }
const PARTICLES = new Set(hangul_particles.flatMap(({ particles }) => particles))

/** contract/imports 2.3 word for word, without regard to speed: `text` is free of markup. */
export function findByReference(brands: readonly BrandSpellings[], text: string): BrandNo[] {
  const letters = fold(text)
  const places = brands
    .flatMap(({ brandNo, spellings, exact = [] }) =>
      spellings.flatMap((spelling) => placesOf(spelling, exact.includes(spelling), letters, brandNo)),
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

/** A character that is compared, and the one it was folded from. */
interface Letter {
  readonly folded: string
  readonly written: string
}

function placesOf(spelling: string, isExact: boolean, text: readonly Letter[], brandNo: BrandNo): Place[] {
  const name = fold(withoutInvisible(spelling).trim())
  const places: Place[] = []
  if (name.length === 0) return places
  for (let start = 0; start + name.length <= text.length; start++) {
    const end = start + name.length
    const isThere = name.every(({ folded, written }, index) => {
      const letter = text[start + index]!
      return letter.folded === folded && (!isExact || letter.written === written)
    })
    if (isThere && standsAlone(text, start, end)) places.push({ start, end, brandNo })
  }
  return places
}

function standsAlone(text: readonly Letter[], start: number, end: number): boolean {
  const at = (index: number): string => text[index]?.folded ?? ''
  const isSingle = end - start === 1 && isUnspaced(at(start))
  const before = at(start - 1)
  const behind = at(end)
  if (isSingle) return !isWord(before) && !isWord(behind)
  if (isMark(behind)) return false
  const endsWell = !isWord(behind) || isApart(letterOf(text, end - 1), behind) || isParticle(text, end)
  const startsWell = !isWord(before) || (!isMark(at(start)) && isApart(letterOf(text, start - 1), at(start)))
  return startsWell && endsWell
}

/** The letter that carries the mark at a place, or what stands there. */
function letterOf(text: readonly Letter[], place: number): string {
  let at = place
  while (at > 0 && isMark(text[at]!.folded) && isWord(text[at - 1]!.folded)) at--
  return text[at]!.folded
}

function isApart(one: string, other: string): boolean {
  if (isUnspaced(one) || isUnspaced(other)) return true
  if (!/^\p{L}$/u.test(one) || !/^\p{L}$/u.test(other)) return false
  const scripts = [scriptOf(one), scriptOf(other)]
  return !scripts.includes(undefined) && scripts[0] !== scripts[1]
}

function isParticle(text: readonly Letter[], end: number): boolean {
  const isHangul = (letter: string): boolean => scriptOf(letter) === 'Hangul' && /\p{L}/u.test(letter)
  let runEnd = end
  while (isHangul(text[runEnd]?.folded ?? '')) runEnd++
  const run = text.slice(end, runEnd).map(({ folded }) => folded)
  return isHangul(letterOf(text, end - 1)) && PARTICLES.has(run.join(''))
}

/** The scripts that the tests' letters are of. */
const SCRIPTS = (
  'Latin Greek Cyrillic Hangul Arabic Hebrew Devanagari Bengali Tamil Telugu Thaana Georgian Armenian Ethiopic Cherokee Deseret ' +
  'Adlam Gujarati Kannada Malayalam Sinhala Tibetan Mongolian'
).split(' ')

function scriptOf(letter: string): string | undefined {
  const known = SCRIPTS.find((script) => new RegExp(`^\\p{Script=${script}}`, 'u').test(letter))
  return known ?? (/^\p{Script=Common}|^\p{Script=Inherited}/u.test(letter) ? undefined : 'another')
}

function isUnspaced(letter: string): boolean {
  return (
    /^\p{L}$/u.test(letter) &&
    /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u.test(letter)
  )
}

function isMark(character: string): boolean {
  return /^\p{M}$/u.test(character)
}

function isWord(character: string): boolean {
  return /^[\p{L}\p{N}\p{M}]$/u.test(character)
}

/** Without what shows nothing, in NFKC, the apostrophes and hyphens made one; each letter with its folded form. */
function fold(text: string): Letter[] {
  const plain = withoutInvisible(text)
    .normalize('NFKC')
    .replaceAll(/[\u2019\u02bc]/g, "'")
    .replaceAll('\u2010', '-')
    .replaceAll(/(?<=\p{L}\p{M}*)\u2013(?=\p{L})/gu, '-')
  const letters: Letter[] = []
  for (const [cluster] of plain.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const folded = Array.from(Array.from(cluster, foldLetter).join('').normalize('NFC'))
    const written = Array.from(cluster)
    const isSame = folded.length === written.length
    for (const [index, letter] of folded.entries()) {
      letters.push({ folded: letter, written: isSame ? written[index]! : `${cluster} ${index}` })
    }
  }
  return letters
}

function withoutInvisible(text: string): string {
  return text.replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
}

function foldLetter(letter: string): string {
  if (letter === 'ı') return letter
  return letter.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
