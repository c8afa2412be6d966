import type { VisibilityMetric, VisibilityRequest } from '../../../src/reports/visibility/contract.ts'
import { groupAnswers } from './groups.ts'
import { isUnder } from './links.ts'
import {
  ascending,
  byGroupFields,
  type Compare,
  descending,
  type Group,
  inOrderOf,
  nullsLast,
  rounded,
} from './order.ts'
import { findBrand, type OracleAnswer, type OracleBrand, type Truth } from './truth.ts'

type Measured = Record<VisibilityMetric, number | null>

interface Row extends Group {
  readonly brand: OracleBrand
  readonly rank: number | null
  readonly measured: Measured
}

/** Rows of the visibility report, counted one by one (contract/api 5, 5.4 and 12.5). */
export function expectVisibility(truth: Truth, request: VisibilityRequest): Record<string, unknown>[] {
  const groups = groupAnswers(truth, request)
  if (groups.length === 0 && request.group_by.length === 0) groups.push({ group: {}, answers: [] })
  const wanted = listWanted(truth.brands, request.brands)
  const rows = groups.flatMap(({ group, answers }): Row[] => {
    const ranked = truth.brands.filter(({ isConfirmed }) => isConfirmed)
    const scores = ranked.map((brand) => rounded(measure(brand, ranked, answers).visibility_score ?? 0))
    return wanted.map((brand) => {
      const measured = measure(brand, ranked, answers)
      const score = rounded(measured.visibility_score ?? 0)
      const rank = brand.isConfirmed ? 1 + scores.filter((other) => other > score).length : null
      return { ...group, brand, rank, measured }
    })
  })
  return rows.sort(toOrder(request)).map(({ brand, rank, measured, ...group }) => ({
    ...group,
    brand: { name: brand.name, owned: brand.isOwn },
    rank,
    ...Object.fromEntries(request.metrics.map((metric) => [metric, measured[metric]])),
  }))
}

export function listWanted(brands: readonly OracleBrand[], asked: VisibilityRequest['brands']): readonly OracleBrand[] {
  if (asked === 'owned') return brands.filter(({ isOwn }) => isOwn)
  if (asked === 'all') return brands.filter(({ isConfirmed }) => isConfirmed)
  return [...new Set(asked.map((name) => findBrand(brands, name)!))]
}

function measure(brand: OracleBrand, ranked: readonly OracleBrand[], answers: readonly OracleAnswer[]): Measured {
  const naming = answers.filter(({ brands }) => brands.includes(brand))
  const linking = answers.filter(({ links }) =>
    links.some(({ host }) => brand.domains.some((domain) => isUnder(host, domain))),
  )
  const prompts = new Set(answers.map(({ prompt }) => prompt))
  const covered = new Set(naming.map(({ prompt }) => prompt))
  const counted = ranked.includes(brand) ? ranked : [...ranked, brand]
  const allNamed = counted.reduce((sum, each) => sum + answers.filter(({ brands }) => brands.includes(each)).length, 0)
  const mention_rate = share(naming.length, answers.length)
  const citation_rate = share(linking.length, answers.length)
  const prompt_coverage = share(covered.size, prompts.size)
  const positions = naming.map(({ brands }) => brands.indexOf(brand) + 1)
  return {
    visibility_score: 100 * (0.45 * mention_rate + 0.35 * citation_rate + 0.2 * prompt_coverage),
    mention_rate,
    citation_rate,
    prompt_coverage,
    average_position:
      positions.length === 0 ? null : positions.reduce((sum, position) => sum + position, 0) / positions.length,
    share_of_voice: share(naming.length, allNamed),
    answers: answers.length,
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function toOrder({ sort, group_by }: VisibilityRequest): Compare<Row> {
  const byDefault = inOrderOf<Row>(
    group_by.includes('date') ? ascending(({ date }) => date ?? '') : () => 0,
    nullsLast(({ rank }) => rank),
    ascending(({ brand }) => brand.name),
    byGroupFields(group_by),
  )
  if (sort === undefined) return byDefault
  const sorted = (row: Row): number | null => {
    const value = row.measured[sort.field]
    return sort.field === 'visibility_score' && value !== null ? rounded(value) : value
  }
  return inOrderOf(nullsLast(sorted, sort.dir === 'asc' ? ascending : descending), byDefault)
}
