import type { BrandNo, BrandSpellings } from '../domain/brand.ts'
import { isHangulParticle } from '../reference/hangul-particles.ts'
import { toMatchText } from './answer-text.ts'
import { EN_DASH, foldCase, toBrandKey } from './brand-key.ts'
import { BREAK, CLASS, classAt, classBefore, codes, folds, isWordAt, toUnits } from './characters.ts'
import { foldWithPlaces, type Original, toCaseForm } from './exact-spellings.ts'
import { addToHash, piece, readPiece } from './pieces.ts'
import { HANGUL, isBorder, NO_WORD, UNSPACED } from './scripts.ts'

/** Finds the brands of one site (contract/imports 2.3). */
export interface MentionMatcher {
  /** Brands named in an answer's text as it is stored, each once, in order of first appearance. */
  find(text: string): BrandNo[]
  /** The brand of which `name`, as a whole, is a spelling; case makes no difference, not even to an exact one. */
  match(name: string): BrandNo | undefined
}

/** Of two brands with the same spelling the own brand has it, else the one with the lower number. */
export function createMentionMatcher(brands: readonly BrandSpellings[]): MentionMatcher {
  const candidatesByKey = new Map<string, Candidate[]>()
  for (const { brandNo, spellings, exact = [] } of brands.toSorted((a, b) => a.brandNo - b.brandNo)) {
    for (const spelling of spellings) {
      const key = toBrandKey(spelling)
      if (key === '') continue
      const candidates = candidatesByKey.get(key) ?? []
      candidatesByKey.set(key, candidates)
      candidates.push(toCandidate(key, brandNo, exact.includes(spelling) ? toCaseForm(spelling) : undefined))
    }
  }
  let index: Index | undefined
  return {
    find(text) {
      index ??= buildIndex(candidatesByKey)
      const matchText = toMatchText(text)
      const found = scan(index, { text: matchText, original: matchText, isFolded: false })
      if (found !== undefined) return found
      const { folded, original } = index.hasExact
        ? foldWithPlaces(matchText)
        : { folded: foldCase(matchText), original: matchText }
      return scan(index, { text: folded, original, isFolded: true }) ?? []
    },
    match: (name) => candidatesByKey.get(toBrandKey(name))?.[0]?.brandNo,
  }
}

interface Candidate {
  readonly units: Uint16Array
  readonly brandNo: BrandNo
  /** Of the letter that it ends in. */
  readonly lastClass: number
  /** A single letter of a script without spaces: other letters beside it always break the match. */
  readonly isSingle: boolean
  /** The only form in which it names the brand; undefined: case makes no difference. */
  readonly exact: string | undefined
}

function toCandidate(key: string, brandNo: BrandNo, exact: string | undefined): Candidate {
  const units = toUnits(key).slice(0, -1)
  const lastClass = classBefore(key, key.length)
  return { units, brandNo, lastClass, isSingle: lastClass === UNSPACED && Array.from(key).length === 1, exact }
}

/**
 * Spellings by the piece of a word they begin with. A spelling begins where a piece does, so the piece that a text has there
 * is the one that the spelling begins with: most words of a text cost one look-up.
 */
interface Index {
  /** By the hash of a piece, the number of a group of candidates; 0 is the empty group. */
  readonly groupNo: Uint32Array
  /** The longest spelling first. */
  readonly groups: Candidate[][]
  readonly hasExact: boolean
}

const HASHES = 0x10000

function buildIndex(candidatesByKey: ReadonlyMap<string, readonly Candidate[]>): Index {
  const groupNo = new Uint32Array(HASHES)
  const groups: Candidate[][] = [[]]
  for (const [key, candidates] of [...candidatesByKey].toSorted(([a], [b]) => b.length - a.length)) {
    const units = toUnits(key)
    readPiece(units, key, 0, NO_WORD, true)
    const place = (piece.end === 0 ? (units[0] ?? 0) : piece.hash) & (HASHES - 1)
    groupNo[place] ||= groups.push([]) - 1
    groups[groupNo[place] ?? 0]?.push(...candidates)
  }
  const hasExact = groups.some((group) => group.some(({ exact }) => exact !== undefined))
  return { groupNo, groups, hasExact }
}

interface Source {
  readonly text: string
  /** What the text was before it was folded. */
  readonly original: Original
  readonly isFolded: boolean
}

const NO_SUCH_CLASS = -1

/**
 * From left to right: where a spelling begins and ends at the border of a word, the longest such one is taken and the
 * search goes on behind it. A text that isn't folded is read through the tables of folded units; undefined when it has a
 * character that only folding the whole text gets right.
 */
function scan({ groupNo, groups }: Index, source: Source): BrandNo[] | undefined {
  const { text, isFolded } = source
  const units = toUnits(text)
  const codeOf = codes
  const found: BrandNo[] = []
  let at = 0
  while (at < text.length) {
    // Most words are letters of one script, and are read here: they cost no call.
    const first = codeOf[units[at] ?? 0] ?? BREAK
    const script = (first & CLASS) > UNSPACED ? first & CLASS : NO_SUCH_CLASS
    let code = first
    let end = at
    let hash = 0
    while ((code & CLASS) === script) {
      hash = addToHash(hash, code)
      code = codeOf[units[++end] ?? 0] ?? BREAK
    }
    let next = end + 1
    if (script === HANGUL) hash = addToHash(0, first)
    if (first === BREAK) hash = signAt(units, text, at)
    else if (code !== BREAK) {
      if (!readPiece(units, text, at, NO_WORD, isFolded)) return undefined
      hash = piece.end === at ? signAt(units, text, at) : piece.hash
      next = Math.max(at + 1, placeBehind())
    }
    const group = groupNo[hash & (HASHES - 1)] ?? 0
    const candidate = group === 0 ? undefined : findCandidate(groups[group] ?? [], units, source, at)
    if (candidate === undefined) {
      at = next
      continue
    }
    if (!found.includes(candidate.brandNo)) found.push(candidate.brandNo)
    at += candidate.units.length
    const { lastClass } = candidate
    const behind = classAt(text, at)
    if (lastClass === NO_WORD || (behind !== NO_WORD && isBorder(lastClass, behind))) continue
    if (!readPiece(units, text, at, lastClass, isFolded)) return undefined
    at = placeBehind()
  }
  return found
}

/** Where the next spelling may begin behind `piece`: a sign begins one behind letters of scripts without spaces alone. */
function placeBehind(): number {
  return piece.endsWord && piece.last !== UNSPACED ? piece.end + 1 : piece.end
}

function findCandidate(
  group: readonly Candidate[],
  units: Uint16Array,
  source: Source,
  at: number,
): Candidate | undefined {
  for (const candidate of group) if (standsAt(candidate, units, source, at)) return candidate
  return undefined
}

function standsAt(
  { units: spelling, lastClass, isSingle, exact }: Candidate,
  units: Uint16Array,
  { text, original }: Source,
  at: number,
): boolean {
  for (let i = 0; i < spelling.length; i++) if (signAt(units, text, at + i) !== spelling[i]) return false
  const end = at + spelling.length
  const behind = classAt(text, end)
  if (behind !== NO_WORD) {
    const isSet = isBorder(lastClass, behind) || (lastClass === HANGUL && behind === HANGUL && isParticleAt(text, end))
    if (isSingle || !isSet) return false
  }
  if (isSingle && classAt(text, at - 1) !== NO_WORD) return false
  return exact === undefined || toCaseForm(original.slice(at, end)) === exact
}

/** The unit to compare: folded, and between letters an en dash is a hyphen. */
function signAt(units: Uint16Array, text: string, at: number): number {
  const unit = units[at] ?? 0
  return unit === EN_DASH && isBetweenLetters(text, at) ? HYPHEN : (folds[unit] ?? 0)
}

const HYPHEN = '-'.charCodeAt(0)
/** Longest run of marks on a letter that is looked through. */
const MARKS_MAX = 30

function isBetweenLetters(text: string, at: number): boolean {
  return (
    isWordAt(text, at - 1) &&
    isWordAt(text, at + 1) &&
    /\p{L}\p{M}*$/u.test(text.slice(Math.max(0, at - MARKS_MAX), at)) &&
    /^\p{L}/u.test(text.slice(at + 1, at + 3))
  )
}

const HANGUL_RUN = /(?:(?=\p{L})\p{Script=Hangul})+/uy

function isParticleAt(text: string, at: number): boolean {
  HANGUL_RUN.lastIndex = at
  return isHangulParticle(HANGUL_RUN.exec(text)?.[0] ?? '')
}
