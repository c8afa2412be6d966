import type { BrandNo, BrandSpellings } from '../domain/brand.ts'
import { toMatchText } from './answer-text.ts'
import { foldText, toBrandKey } from './brand-key.ts'
import { FOLDS_IN_CONTEXT, folds, HALF, isWordAt, kinds, toUnits, WORD } from './characters.ts'

export { toBrandKey } from './brand-key.ts'

/** Finds the brands of one site (formats.md 2.3). */
export interface MentionMatcher {
  /** Brands named in an answer's text as it is stored, each once, in order of first appearance. */
  find(text: string): BrandNo[]
  /** The brand of which `name`, as a whole, is a spelling. */
  match(name: string): BrandNo | undefined
}

/** Of two brands with the same spelling the own brand has it, else the one with the lower number. */
export function createMentionMatcher(brands: readonly BrandSpellings[]): MentionMatcher {
  const brandByKey = new Map<string, BrandNo>()
  for (const { brandNo, spellings } of brands.toSorted((a, b) => a.brandNo - b.brandNo)) {
    for (const key of spellings.map(toBrandKey)) if (key !== '' && !brandByKey.has(key)) brandByKey.set(key, brandNo)
  }
  const index = buildIndex(brandByKey)
  return {
    find(text) {
      const matchText = toMatchText(text)
      return scan(index, matchText, false) ?? scan(index, foldText(matchText), true) ?? []
    },
    match: (name) => brandByKey.get(toBrandKey(name)),
  }
}

interface Candidate {
  readonly units: Uint16Array
  readonly brandNo: BrandNo
}

/** Spellings by how they begin: most words of a text begin like none of them and cost one look-up. */
interface Index {
  /** By hash, the number of a group of candidates; 0 is the empty group. */
  readonly groupNo: Uint16Array
  /** The longest spelling first. */
  readonly groups: Candidate[][]
}

const HASHES = 0x10000

function buildIndex(brandByKey: ReadonlyMap<string, BrandNo>): Index {
  const groupNo = new Uint16Array(HASHES)
  const groups: Candidate[][] = [[]]
  for (const [key, brandNo] of [...brandByKey].toSorted(([a], [b]) => b.length - a.length)) {
    const units = toUnits(key).slice(0, -1)
    const [first = 0, second = 0] = units
    const hash = hashOf(first, second, kinds[second] ?? 0)
    groupNo[hash] ||= groups.push([]) - 1
    groups[groupNo[hash] ?? 0]?.push({ units, brandNo })
  }
  return { groupNo, groups }
}

/** Of the first unit and the second, where that is part of a word: behind a spelling of one unit anything else may stand. */
function hashOf(first: number, second: number, secondKind: number): number {
  return (first * 31 + (secondKind === WORD ? second : 0)) & (HASHES - 1)
}

/**
 * From left to right: where a spelling begins and ends at the border of a word, the longest such one is taken and the
 * search goes on behind it. A text that isn't folded is read through the table of folded units; undefined when it has a
 * character that only folding the whole text gets right.
 */
function scan({ groupNo, groups }: Index, text: string, isFolded: boolean): BrandNo[] | undefined {
  const [kindOf, foldOf] = [kinds, folds]
  const units = toUnits(text)
  const refused = isFolded ? 0 : FOLDS_IN_CONTEXT
  const found: BrandNo[] = []
  let at = 0
  while (at < text.length) {
    const next = units[at + 1] ?? 0
    const group = groupNo[hashOf(foldOf[units[at] ?? 0] ?? 0, foldOf[next] ?? 0, kindOf[next] ?? 0)] ?? 0
    const candidate = group === 0 ? undefined : findCandidate(groups[group] ?? [], units, text, at)
    if (candidate !== undefined) {
      if (!found.includes(candidate.brandNo)) found.push(candidate.brandNo)
      at += candidate.units.length
      if (!isWordAt(text, at - 1)) continue
    }
    for (;;) {
      while (kindOf[units[at] ?? 0] === WORD) at++
      const kind = kindOf[units[at] ?? 0] ?? 0
      if ((kind & refused) !== 0) return undefined
      if (kind === 0 || ((kind & HALF) !== 0 && !isWordAt(text, at))) break
      at++
    }
    at++
  }
  return found
}

function findCandidate(
  group: readonly Candidate[],
  units: Uint16Array,
  text: string,
  at: number,
): Candidate | undefined {
  for (const candidate of group) if (standsAt(candidate.units, units, text, at)) return candidate
  return undefined
}

function standsAt(spelling: Uint16Array, units: Uint16Array, text: string, at: number): boolean {
  const foldOf = folds
  for (let i = 0; i < spelling.length; i++) if (foldOf[units[at + i] ?? 0] !== spelling[i]) return false
  return !isWordAt(text, at + spelling.length)
}
