import { readFileSync } from 'node:fs'

/** A brand with its spellings, and those of them whose case counts. */
export interface Spelled {
  readonly spellings: readonly string[]
  readonly exact: readonly string[]
}

/** The form in which names are compared: NFKC, without case (contract/imports 2.3). */
export function foldName(name: string): string {
  return Array.from(plainName(name), (letter) => letter.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFKC')
}

function plainName(name: string): string {
  return name
    .replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .normalize('NFKC')
    .replaceAll(/[ʼ’]/g, "'")
    .replaceAll('\u2010', '-')
    .replaceAll(/(?<=\p{L})–(?=\p{L})/gu, '-')
    .trim()
}

/** The brands that a text names, in order of first appearance, each once. */
export function findNamed<B extends Spelled>(text: string, brands: readonly B[]): B[] {
  const shown = plainName(text)
    .replaceAll(/(https?:\/\/|www\.)[^\s"'<>)\]]*/gi, ' ')
    .replaceAll(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, ' ')
  const letters = Array.from(shown)
  const spelled = brands.flatMap((brand) =>
    brand.spellings.map((name) => ({
      brand,
      pattern: brand.exact.includes(name) ? plainName(name) : foldName(name),
      isExact: brand.exact.includes(name),
      length: Array.from(plainName(name)).length,
    })),
  )
  const named: B[] = []
  for (let at = 0; at < letters.length; at++) {
    let longest: { brand: B; end: number } | undefined
    for (const { brand, pattern, isExact } of spelled) {
      const end = endOf(letters, at, pattern, isExact)
      if (end !== undefined && end > (longest?.end ?? at) && isWhole(letters, at, end)) longest = { brand, end }
    }
    if (!longest) continue
    if (!named.includes(longest.brand)) named.push(longest.brand)
    at = longest.end - 1
  }
  return named
}

/** Where the letters that spell the name from `at` on end: folding may lengthen them. */
function endOf(letters: readonly string[], at: number, pattern: string, isExact: boolean): number | undefined {
  let spelled = ''
  for (let end = at; end < letters.length; end++) {
    spelled += isExact ? letters[end] : foldName(`|${letters[end]}|`).slice(1, -1)
    if (spelled === pattern) return end + 1
    if (!pattern.startsWith(spelled)) return undefined
  }
  return undefined
}

const BUNDLED = JSON.parse(readFileSync(new URL('../../../data/hangul_particles.json', import.meta.url), 'utf8')) as {
  hangul_particles: { particles: string[] }[]
}
const PARTICLES = new Set(BUNDLED.hangul_particles.flatMap(({ particles }) => particles))
const SCRIPTS = ['Latin', 'Hangul', 'Arabic', 'Hebrew', 'Cyrillic', 'Greek', 'Devanagari']

function isWhole(letters: readonly string[], start: number, end: number): boolean {
  const [before = '', first = '', last = '', behind = ''] = [start - 1, start, end - 1, end].map((at) => letters[at])
  if (/^\p{M}/u.test(behind)) return false
  if (end - start === 1 && runsOn(first)) return !isWordLetter(before) && !isWordLetter(behind)
  const isParticle = (): boolean =>
    scriptOf(last) === 'Hangul' && PARTICLES.has(/^\p{Script=Hangul}*/u.exec(letters.slice(end).join(''))?.[0] ?? '')
  return breaksAt(before, first) && (breaksAt(last, behind) || isParticle())
}

/** Whether a word may end between two letters. */
function breaksAt(one: string, other: string): boolean {
  if (!isWordLetter(one) || !isWordLetter(other) || runsOn(one) || runsOn(other)) return true
  const [first, second] = [scriptOf(one), scriptOf(other)]
  return first !== undefined && second !== undefined && first !== second
}

function runsOn(letter: string): boolean {
  return (
    /^\p{L}/u.test(letter) &&
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u.test(
      letter,
    )
  )
}

function scriptOf(letter: string): string | undefined {
  return SCRIPTS.find((script) => new RegExp(`^(?=\\p{L})\\p{Script=${script}}`, 'u').test(letter))
}

function isWordLetter(letter: string): boolean {
  return /^[\p{L}\p{N}\p{M}]$/u.test(letter)
}
