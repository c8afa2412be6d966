import type { BrandNo, BrandSpellings } from '../domain/brand.ts'
import { toMatchText } from './answer-text.ts'
import { foldCase, toBrandKey } from './brand-key.ts'
import { BREAK, codes, folds, foldsInContext, isWordAt, LOOK, toUnits } from './characters.ts'

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
  let index: Index | undefined
  return {
    find(text) {
      index ??= buildIndex(brandByKey)
      const matchText = toMatchText(text)
      return scan(index, matchText, false) ?? scan(index, foldCase(matchText), true) ?? []
    },
    match: (name) => brandByKey.get(toBrandKey(name)),
  }
}

interface Candidate {
  readonly units: Uint16Array
  readonly brandNo: BrandNo
}

/**
 * Spellings by the word they begin with. A spelling stands where a whole word does, so the word that a text has there is the
 * one that the spelling begins with: most words of a text cost one look-up.
 */
interface Index {
  /** By the hash of a word, the number of a group of candidates; 0 is the empty group. */
  readonly groupNo: Uint32Array
  /** The longest spelling first. */
  readonly groups: Candidate[][]
}

const HASHES = 0x10000

function buildIndex(brandByKey: ReadonlyMap<string, BrandNo>): Index {
  const groupNo = new Uint32Array(HASHES)
  const groups: Candidate[][] = [[]]
  for (const [key, brandNo] of [...brandByKey].toSorted(([a], [b]) => b.length - a.length)) {
    const units = toUnits(key).slice(0, -1)
    let hash = units[0] ?? 0
    for (let at = 1; isWordAt(key, at - 1) && isWordAt(key, at); at++) hash = addToHash(hash, units[at] ?? 0)
    const place = hash & (HASHES - 1)
    groupNo[place] ||= groups.push([]) - 1
    groups[groupNo[place] ?? 0]?.push({ units, brandNo })
  }
  return { groupNo, groups }
}

function addToHash(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + unit) | 0
}

/**
 * From left to right: where a spelling begins and ends at the border of a word, the longest such one is taken and the
 * search goes on behind it. A text that isn't folded is read through the tables of folded units; undefined when it has a
 * character that only folding the whole text gets right.
 */
function scan({ groupNo, groups }: Index, text: string, isFolded: boolean): BrandNo[] | undefined {
  const units = toUnits(text)
  const codeOf = codes
  const found: BrandNo[] = []
  let at = 0
  while (at < text.length) {
    const start = at
    let hash = 0
    for (;;) {
      let code = codeOf[units[at] ?? 0] ?? BREAK
      while (code > LOOK) {
        hash = addToHash(hash, code)
        code = codeOf[units[++at] ?? 0] ?? BREAK
      }
      if (code === BREAK) break
      const unit = units[at] ?? 0
      if (!isFolded && foldsInContext(unit)) return undefined
      if (!isWordAt(text, at)) break
      hash = addToHash(hash, unit)
      at++
    }
    // Where no word begins, a spelling may begin with a sign.
    if (at === start) hash = folds[units[at] ?? 0] ?? 0
    const group = groupNo[hash & (HASHES - 1)] ?? 0
    const candidate = group === 0 ? undefined : findCandidate(groups[group] ?? [], units, text, start)
    if (candidate === undefined) at++
    else {
      if (!found.includes(candidate.brandNo)) found.push(candidate.brandNo)
      at = start + candidate.units.length
      if (isWordAt(text, at - 1)) at++
    }
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
  for (let i = 0; i < spelling.length; i++) if (folds[units[at + i] ?? 0] !== spelling[i]) return false
  return !isWordAt(text, at + spelling.length)
}
