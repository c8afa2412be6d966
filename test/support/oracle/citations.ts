import { readFileSync } from 'node:fs'
import { type Owner, OWNERS, type SourceKind } from '../../../src/domain/enums.ts'
import type { CitationMetric, CitationsRequest } from '../../../src/reports/citations/contract.ts'
import { passes, splitFilter } from './filter.ts'
import { groupAnswers, toAnswerFields } from './groups.ts'
import { isUnder, type OracleLink, toRegistrableDomain } from './links.ts'
import { ascending, byGroupFields, byTime, descending, type Group, inOrderOf } from './order.ts'
import type { OracleAnswer, Truth } from './truth.ts'

/** One link of one answer, as filters on citations see it. */
interface Citation {
  readonly answer: OracleAnswer
  readonly link: OracleLink
  readonly owner: Owner
  readonly kind: SourceKind
}

interface Row extends Group {
  readonly name: string
  readonly owner: Owner
  readonly source_kind: SourceKind
  readonly rank: number
  readonly measured: Record<CitationMetric, number>
}

const BUNDLED = JSON.parse(readFileSync(new URL('../../../data/source_kinds.json', import.meta.url), 'utf8')) as {
  source_kinds: { kind: SourceKind; domains: string[] }[]
  suffixes: { kind: SourceKind; suffixes: string[] }[]
}

/** Rows of the citations report, counted one by one (contract/api 5.6 and 12.5). */
export function expectCitations(truth: Truth, request: CitationsRequest): Record<string, unknown>[] {
  const { forAnswers, forRest: forCitations } = splitFilter(request.filter)
  const rows = groupAnswers(truth, { ...request, filter: forAnswers }).flatMap(({ group, answers }) => {
    const all = answers
      .flatMap((answer) => answer.links.map((link) => toCitation(truth, answer, link)))
      .filter(({ link }) => request.entity === 'domain' || link.page !== null)
    const nameOf = ({ link }: Citation): string => (request.entity === 'domain' ? link.domain : link.page!)
    const answersOf = (citations: readonly Citation[]): number => new Set(citations.map(({ answer }) => answer)).size
    const byName = Map.groupBy(all, nameOf)
    const answerCounts = [...byName.values()].map(answersOf)
    return [...byName].flatMap(([name, citations]): Row[] => {
      const passing = citations.filter((citation) => passes(forCitations, toFields(citation)))
      if (passing.length === 0) return []
      const answerCount = answersOf(citations)
      return [
        {
          ...group,
          name,
          owner: OWNERS.find((owner) => passing.some((citation) => citation.owner === owner))!,
          source_kind: passing[0]!.kind,
          rank: 1 + answerCounts.filter((count) => count > answerCount).length,
          measured: {
            answers: answersOf(passing),
            citations: passing.length,
            citation_share: citations.length / all.length,
          },
        },
      ]
    })
  })
  const order = inOrderOf<Row>(
    byTime,
    ascending(({ rank }) => rank),
    descending(({ measured }) => measured.citations),
    ascending(({ name }) => name),
    byGroupFields(request.group_by),
  )
  return rows.sort(order).map(({ name, owner, source_kind, rank, measured, ...group }) => ({
    ...group,
    [request.entity]: name,
    owner,
    source_kind,
    rank,
    ...Object.fromEntries(request.metrics.map((metric) => [metric, measured[metric]])),
  }))
}

function toFields({ answer, link, owner, kind }: Citation): Parameters<typeof passes>[1] {
  return { ...toAnswerFields(answer), domain: link.domain, owner, source_kind: kind }
}

function toCitation({ world: { site }, brands }: Truth, answer: OracleAnswer, link: OracleLink): Citation {
  const competitorDomains = brands
    .filter((brand) => !brand.isOwn && brand.isConfirmed)
    .flatMap(({ domains }) => domains)
  const isOwn = isUnder(link.host, site.domain)
  const isCompetitor = competitorDomains.some((domain) => isUnder(link.host, domain))
  const brandDomains = [site.domain, ...competitorDomains].map(toRegistrableDomain)
  const given = site.sourceKinds.find(({ domain }) => domain === link.domain)?.source_kind
  return {
    answer,
    link,
    owner: isOwn ? 'own' : isCompetitor ? 'competitor' : 'third_party',
    kind: given ?? (brandDomains.includes(link.domain) ? 'brand' : findBundled(link.domain)),
  }
}

function findBundled(domain: string): SourceKind {
  const parent = domain.slice(domain.indexOf('.') + 1)
  const byDomain = BUNDLED.source_kinds.find(({ domains }) => domains.includes(domain))
  return (byDomain ?? BUNDLED.suffixes.find(({ suffixes }) => suffixes.includes(parent)))?.kind ?? 'unknown'
}
