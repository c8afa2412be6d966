import { isUnder, toRegistrableDomain } from '../derive/citations.ts'
import type { CardCount } from '../domain/action-card.ts'
import { CATEGORIES, type Category, type SourceKind, SOURCE_KINDS } from '../domain/enums.ts'
import { CARD_ANSWERS_MIN } from '../limits.ts'
import type { CitationRow } from '../reports/citations.ts'
import { type AnswerCounts, countOwnAnswers, groupAnswers, sumAnswers } from './own-answers.ts'
import type { SiteView } from './rule.ts'
import { isSignificantlyMore } from './two-proportions.ts'

/** Share of a category's answers from which a page or domain counts as cited often. */
const OFTEN = 0.1
/** The own site counts as missing where at most this many of its citations come on one of the other's. */
const OWN_RATIO_MAX = 0.5
/** Pages or domains read of a category; each of them is in a tenth of its answers, so there are few. */
const SOURCES_READ_MAX = 500

/** A page or domain of a third party that is cited often in some categories, and the own site seldom there. */
export interface MissedSource {
  /** The page's URL, or the domain. */
  readonly name: string
  readonly kind: SourceKind
  /** In the order of the specification. */
  readonly categories: readonly Category[]
  /** Answers of these categories that cite it, and that cite the own site. */
  readonly cited: CardCount
  readonly ownCited: CardCount
}

/** Missed pages or domains, the one in most answers first. */
export async function findMissedSources(view: SiteView, entity: 'page' | 'domain'): Promise<readonly MissedSource[]> {
  const own = groupAnswers(await countOwnAnswers(view, view.window), ({ prompt }) => prompt.category)
  const candidates: Candidate[] = []
  for (const category of CATEGORIES) {
    candidates.push(...(await listCandidates(view, entity, category, own.get(category) ?? [])))
  }
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
async function listCandidates(
  view: SiteView,
  entity: 'page' | 'domain',
  category: Category,
  own: readonly AnswerCounts[],
): Promise<readonly Candidate[]> {
  const { answers: total, cited: ownHits } = sumAnswers(own)
  if (total < CARD_ANSWERS_MIN) return []
  const rows = await listCited(view, entity, category)
  const ofRivals = view.competitors.flatMap(({ domains }) => domains)
  return rows.flatMap((row) => {
    const name = row[entity] ?? ''
    const kind = SOURCE_KINDS.find((one) => one === row.source_kind) ?? 'unknown'
    const hits = row.answers ?? 0
    const host = toHost(entity, name)
    // An encyclopedia takes no requests; an unconfirmed competitor's site is a third party's to the reports alone.
    const isReachable = kind !== 'reference' && !ofRivals.some((domain) => isUnder(host, domain))
    return hits >= OFTEN * total && isReachable
      ? [{ name, kind, category, cited: { hits, total }, ownCited: { hits: ownHits, total } }]
      : []
  })
}

/** Third-party pages or domains that answers of a category cite, most cited first. */
export async function listCited(
  { reports, window }: SiteView,
  entity: 'page' | 'domain',
  category: Category,
): Promise<readonly CitationRow[]> {
  return reports.citations(
    window,
    {
      entity,
      group_by: [],
      metrics: ['answers'],
      filter: {
        and: [
          { field: 'category', op: 'is', value: category },
          { field: 'owner', op: 'is', value: 'third_party' },
        ],
      },
    },
    SOURCES_READ_MAX,
  )
}

function toHost(entity: 'page' | 'domain', name: string): string {
  return entity === 'domain' ? name : new URL(name).hostname
}

/** The registrable domain of a cited page. */
export function toPageDomain(url: string): string {
  return toRegistrableDomain(new URL(url).hostname)
}

function toSource(candidates: readonly Candidate[]): MissedSource {
  const sum = (pick: (candidate: Candidate) => number): number =>
    candidates.reduce((all, candidate) => all + pick(candidate), 0)
  const total = sum(({ cited }) => cited.total)
  return {
    name: candidates[0]?.name ?? '',
    kind: candidates[0]?.kind ?? 'unknown',
    categories: candidates.map(({ category }) => category),
    cited: { hits: sum(({ cited }) => cited.hits), total },
    ownCited: { hits: sum(({ ownCited }) => ownCited.hits), total },
  }
}
