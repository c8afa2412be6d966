import { isUnder } from '../derive/citations.ts'
import type { CardCount } from '../domain/action-card.ts'
import { CATEGORIES, type Category, type SourceKind } from '../domain/enums.ts'
import { CARD_ANSWERS_MIN } from '../limits.ts'
import type { CitedSourceRow } from '../reports/cited-sources.ts'
import { type AnswerCounts, countOwnAnswers, groupAnswers, sumAnswers } from './own-answers.ts'
import type { SiteView } from './rule.ts'
import { isSignificantlyMore } from './two-proportions.ts'

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
}

/** Missed pages or domains, the one in most answers first. */
export async function findMissedSources(view: SiteView, entity: 'page' | 'domain'): Promise<readonly MissedSource[]> {
  const own = groupAnswers(await countOwnAnswers(view, view.window), ({ prompt }) => prompt.category)
  const cited = (await listCitedSources(view)).filter(({ page }) => (page === null) === (entity === 'domain'))
  const candidates = listCandidates(view, cited, own)
  const missed = candidates.filter(
    ({ cited, ownCited }) =>
      ownCited.hits <= OWN_RATIO_MAX * cited.hits && isSignificantlyMore(cited.hits, ownCited.hits, candidates.length),
  )
  return [...Map.groupBy(missed, ({ name }) => name).values()]
    .map(toSource)
    .toSorted((a, b) => b.cited.hits - a.cited.hits || (a.name < b.name ? -1 : 1))
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

function toSource(candidates: readonly Candidate[]): MissedSource {
  const sum = (pick: (candidate: Candidate) => number): number =>
    candidates.reduce((all, candidate) => all + pick(candidate), 0)
  const total = sum(({ cited }) => cited.total)
  return {
    name: candidates[0]?.name ?? '',
    kind: candidates[0]?.kind ?? 'unknown',
    categories: CATEGORIES.filter((one) => candidates.some(({ category }) => category === one)),
    cited: { hits: sum(({ cited }) => cited.hits), total },
    ownCited: { hits: sum(({ ownCited }) => ownCited.hits), total },
  }
}
