import { isUnder } from '../derive/citations.ts'
import type { CardCount } from '../domain/action-card.ts'
import { CATEGORIES, type Category, type SourceKind } from '../domain/enums.ts'
import { CARD_ANSWERS_MIN } from '../limits.ts'
import type { CitedSourceRow } from '../reports/cited-sources.ts'
import { type AnswerCounts, countOwnAnswers, groupAnswers, sumAnswers } from './own-answers.ts'
import type { SiteView } from './rule.ts'
import type { Interval } from '../statistics/interval.ts'
import { toDesignEffect, toRate } from '../statistics/rate.ts'
import { isSignificantlyMore } from './two-proportions.ts'
import { listing, ofTotal, toCount, withInterval } from './wording.ts'

/** Share of a category's answers from which a page or domain counts as cited often. */
const OFTEN = 0.1
/** The own site counts as missing where at most this many of its citations come on one of the other's. */
const OWN_RATIO_MAX = 0.5
/** Share of a category's answers from which a page can be named as the one of its domain that is cited most. */
const NAMED = 0.001

/** A page or domain of a third party that is cited often in some categories, and the own site seldom there. */
export interface MissedSource {
  /** The page's URL, or the domain. */
  readonly name: string
  readonly kind: SourceKind
  /** In the order of the API's contract. */
  readonly categories: readonly Category[]
  /** Answers of these categories that cite it, and that cite the own site. */
  readonly cited: CardCount
  readonly ownCited: CardCount
  /** Prompts of these categories by whether their answers cite it more often than the own site, or less often. */
  readonly more: number
  readonly fewer: number
  /** Of the two shares. */
  readonly interval: Interval | null
  readonly ownInterval: Interval | null
}

/** Missed pages or domains, the one in most answers first. Prompts are counted, since answers to one of them resemble each other. */
export async function findMissedSources(view: SiteView, entity: 'page' | 'domain'): Promise<readonly MissedSource[]> {
  const own = groupAnswers(await countOwnAnswers(view, view.window), ({ prompt }) => prompt.category)
  const cited = (await listCitedSources(view)).filter(({ page }) => (page === null) === (entity === 'domain'))
  const candidates = listCandidates(view, cited, own)
  const above = candidates.filter(({ cited, ownCited }) => ownCited.hits <= OWN_RATIO_MAX * cited.hits)
  if (above.length === 0) return []
  const sources = [...new Set(above.map(({ name }) => name))].toSorted()
  const rows = Map.groupBy(await view.reports.citingPrompts(view.window, { entity, sources }), ({ source }) => source)
  const missed = above
    .map((candidate) => {
      const byPrompt = new Map(rows.get(candidate.name)?.map(({ prompt_id, answers }) => [prompt_id, answers]))
      return { ...candidate, prompts: listPrompts(own.get(candidate.category) ?? [], byPrompt) }
    })
    .filter(({ prompts }) => isSignificantlyMore(countMore(prompts), countFewer(prompts), candidates.length))
  return [...Map.groupBy(missed, ({ name }) => name).values()]
    .map((ofSource) => toSource(ofSource, view))
    .toSorted((a, b) => b.cited.hits - a.cited.hits || (a.name < b.name ? -1 : 1))
}

/** The answers to one prompt, and how many of them cite the source and the own site. */
interface PromptCitations {
  readonly answers: number
  readonly cited: number
  readonly ownCited: number
}

function listPrompts(
  counts: readonly AnswerCounts[],
  citedByPrompt: ReadonlyMap<string, number>,
): readonly PromptCitations[] {
  return [...groupAnswers(counts, ({ prompt }) => prompt.id)].map(([id, ofPrompt]) => {
    const { answers, cited: ownCited } = sumAnswers(ofPrompt)
    return { answers, cited: citedByPrompt.get(id) ?? 0, ownCited }
  })
}

const countMore = (prompts: readonly PromptCitations[]): number =>
  prompts.filter(({ cited, ownCited }) => cited > ownCited).length
const countFewer = (prompts: readonly PromptCitations[]): number =>
  prompts.filter(({ cited, ownCited }) => cited < ownCited).length

/** `cited in 49 of 120 answers (30–52 %) to Discovery prompts, acme.com in 9 (3–15 %): more often for 12 prompts, …` */
export function describeCitations(source: MissedSource, ownDomain: string): string {
  const { cited, ownCited, categories, more, fewer, interval, ownInterval } = source
  return (
    `cited in ${withInterval(ofTotal(cited.hits, cited.total, 'answer'), interval)} to ${listing(categories)} prompts, ` +
    `${ownDomain} in ${withInterval(toCount(ownCited.hits), ownInterval)}; ` +
    `it was cited more often than ${ownDomain} for ${toCount(more)} of these prompts, less often for ${toCount(fewer)}.`
  )
}

interface Candidate {
  readonly name: string
  readonly kind: SourceKind
  readonly category: Category
  readonly cited: CardCount
  readonly ownCited: CardCount
}

/** What is cited often in a category and can be reached out to. */
function listCandidates(
  view: SiteView,
  cited: readonly CitedSourceRow[],
  own: ReadonlyMap<Category, readonly AnswerCounts[]>,
): readonly Candidate[] {
  const ofRivals = view.competitors.flatMap(({ domains }) => domains)
  return cited.flatMap(({ category, domain, page, kind, answers: hits }) => {
    const { answers: total, cited: ownHits } = sumAnswers(own.get(category) ?? [])
    const host = page === null ? domain : new URL(page).hostname
    // An encyclopedia takes no requests; an unconfirmed competitor's site is a third party's to the reports alone.
    const isReachable = kind !== 'reference' && !ofRivals.some((rival) => isUnder(host, rival))
    return hits >= OFTEN * total && isReachable
      ? [{ name: page ?? domain, kind, category, cited: { hits, total }, ownCited: { hits: ownHits, total } }]
      : []
  })
}

/**
 * Third-party domains and pages of each category with enough answers, the one in most answers first: one question for all
 * rules.
 */
export async function listCitedSources(view: SiteView): Promise<readonly CitedSourceRow[]> {
  const own = groupAnswers(await countOwnAnswers(view, view.window), ({ prompt }) => prompt.category)
  const totals = [...own].map(([category, counts]) => [category, sumAnswers(counts).answers] as const)
  const answersMin = Object.fromEntries(
    totals
      .filter(([, total]) => total >= CARD_ANSWERS_MIN)
      .map(([category, total]) => [category, { domain: Math.ceil(OFTEN * total), page: Math.ceil(NAMED * total) }]),
  )
  return view.reports.citedSources(view.window, { answersMin })
}

function toSource(
  candidates: readonly (Candidate & { readonly prompts: readonly PromptCitations[] })[],
  { studentT }: SiteView,
): MissedSource {
  const prompts = candidates.flatMap((candidate) => candidate.prompts)
  const citing = prompts.map(({ answers, cited: hits }) => ({ answers, hits }))
  const effect = toDesignEffect(citing)
  const cited = toRate(citing, [], studentT)
  const borrowed = effect === undefined ? [] : [effect]
  const own = toRate(
    prompts.map(({ answers, ownCited: hits }) => ({ answers, hits })),
    borrowed,
    studentT,
  )
  return {
    name: candidates[0]?.name ?? '',
    kind: candidates[0]?.kind ?? 'unknown',
    categories: CATEGORIES.filter((one) => candidates.some(({ category }) => category === one)),
    cited: { hits: cited.hits, total: cited.answers },
    ownCited: { hits: own.hits, total: own.answers },
    more: countMore(prompts),
    fewer: countFewer(prompts),
    interval: cited.interval,
    ownInterval: own.interval,
  }
}
