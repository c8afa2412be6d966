import { mayHaveChips, withoutChips } from '../derive/citation-chips.ts'
import { toCitation } from '../derive/citations.ts'
import type { MentionMatcher } from '../derive/mentions.ts'
import type { CitationRecord } from '../domain/answer.ts'
import type { BrandNo } from '../domain/brand.ts'
import type { DerivedAnswer, DerivedCitation } from '../lake/write/derived-answer.ts'
import type { RawAnswer } from '../lake/maintain/answer-rederivation.ts'
import type { SiteBrands } from './site-brands.ts'

/** What an answer's brands are derived from. Provider and engine tell whether its text is a copy of a page. */
type Named = Pick<RawAnswer, 'text' | 'givenMentions' | 'provider' | 'platform'>

/**
 * Brands of an answer in order of first appearance: those that the record itself lists, else those found in the text.
 * `toBrand` gives the number of a listed name, undefined for a name that is to be left out.
 */
export function deriveMentions(
  answer: Named,
  matcher: MentionMatcher,
  toBrand: (name: string) => BrandNo | undefined,
): BrandNo[] {
  const { text } = answer
  if (answer.givenMentions === undefined) return matcher.find(mayHaveChips(answer) ? withoutChips(text) : text)
  const brands = answer.givenMentions.map(toBrand).filter((brandNo) => brandNo !== undefined)
  return [...new Set(brands)]
}

/** Links of an answer in their order, without those that are no absolute http(s) URL (contract/api 5.6). */
export function deriveCitations(citations: readonly CitationRecord[]): {
  citations: DerivedCitation[]
  dropped: number
} {
  const kept: DerivedCitation[] = []
  for (const record of citations) {
    const citation = toCitation(record)
    if (citation) kept.push({ ...citation, givenDomain: record.domain?.toWellFormed() ?? null })
  }
  return { citations: kept, dropped: citations.length - kept.length }
}

/** Derives anew what a stored answer names and links to; `brands` keeps count of it. */
export function deriveStored(
  answer: Named & Pick<RawAnswer, 'citations' | 'promptNo'>,
  brands: SiteBrands,
): Pick<DerivedAnswer, 'mentions' | 'citations'> {
  const mentions = deriveMentions(answer, brands.matcher, (name) => brands.take(name))
  brands.keep({ promptNo: answer.promptNo, mentions, candidates: [] })
  return { mentions, citations: deriveCitations(answer.citations).citations }
}
