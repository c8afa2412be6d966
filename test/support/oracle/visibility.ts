import {
  type USUAL_VISIBILITY_METRICS,
  type VisibilityMetric,
  type VisibilityRequest,
} from '../../../src/reports/visibility/contract.ts'
import {
  findDesignEffect,
  findEffective,
  findJackknife,
  findSpread,
  findWilson,
  NO_ENDS,
  toClusters,
} from './certainty.ts'
import { findCriticalValue } from './student-t.ts'
import { groupAnswers } from './groups.ts'
import { isUnder } from './links.ts'
import {
  ascending,
  byGroupFields,
  byTime,
  type Compare,
  descending,
  type Group,
  inOrderOf,
  nullsLast,
  rounded,
} from './order.ts'
import { findBrand, type OracleAnswer, type OracleBrand, type Truth } from './truth.ts'

type Basic = Record<UsualMetric | CountMetric, number | null>
type Measured = Record<VisibilityMetric, number | string | null>
type UsualMetric = (typeof USUAL_VISIBILITY_METRICS)[number]
type CountMetric = 'named_answers' | 'citing_answers' | 'covered_prompts' | 'prompts' | 'brand_mentions'

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
    const isSure = request.metrics.some((metric) => /_(low|high)$|^(effective_answers|reliability)$/.test(metric))
    const certain = isSure ? measureCertainty(wanted, ranked, answers, request.group_by) : wanted.map(() => NOTHING)
    return wanted.map((brand, place) => {
      const measured = { ...measure(brand, ranked, answers), ...certain[place]! }
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

function measure(brand: OracleBrand, ranked: readonly OracleBrand[], answers: readonly OracleAnswer[]): Basic {
  const naming = answers.filter(({ brands }) => brands.includes(brand))
  const linking = answers.filter((answer) => isCiting(answer, brand))
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
    named_answers: naming.length,
    citing_answers: linking.length,
    covered_prompts: covered.size,
    prompts: prompts.size,
    brand_mentions: allNamed,
  }
}

function isCiting({ links }: OracleAnswer, brand: OracleBrand): boolean {
  return links.some(({ host }) => brand.domains.some((domain) => isUnder(host, domain)))
}

type CertaintyMetric = Exclude<VisibilityMetric, UsualMetric | CountMetric>
const CERTAINTY_METRICS: readonly CertaintyMetric[] = [
  ...(['mention_rate', 'citation_rate', 'prompt_coverage', 'share_of_voice', 'visibility_score'] as const).flatMap(
    (metric) => [`${metric}_low`, `${metric}_high`] as const,
  ),
  'effective_answers',
  'reliability',
  'rank_low',
  'rank_high',
]
const NOTHING = Object.fromEntries(CERTAINTY_METRICS.map((metric) => [metric, null])) as Record<CertaintyMetric, null>

/** How sure the brands' numbers are, by measuring them again without each cluster in turn (contract/api 5.15). */
function measureCertainty(
  wanted: readonly OracleBrand[],
  ranked: readonly OracleBrand[],
  answers: readonly OracleAnswer[],
  groupBy: readonly string[],
): Record<CertaintyMetric, number | string | null>[] {
  const clusters = toClusters(answers, groupBy)
  const rest = clusters.map((cluster) => answers.filter((answer) => !cluster.includes(answer)))
  const brands = [...new Set([...wanted, ...ranked])]
  const known = new Map(
    brands.map((brand) => {
      const without = clusters.length < 2 ? [] : rest.map((others) => measure(brand, ranked, others))
      const named = findDesignEffect(clusters, (answer) => answer.brands.includes(brand))
      const cited = findDesignEffect(clusters, (answer) => isCiting(answer, brand))
      return [brand, { all: measure(brand, ranked, answers), without, named, cited }] as const
    }),
  )
  return wanted.map((brand) => {
    const { all, without, named, cited } = known.get(brand)!
    const others = ranked.filter((other) => other !== brand).map((other) => known.get(other)!)
    const effective_answers = findEffective(
      clusters,
      named,
      others.map((other) => other.named),
    )
    const citing = findEffective(
      clusters,
      cited,
      others.map((other) => other.cited),
    )
    const mention = findWilson(all.mention_rate!, effective_answers)
    const citation = findWilson(all.citation_rate!, citing)
    const coverage = findWilson(all.prompt_coverage!, all.prompts! < 2 ? null : all.prompts)
    const of = (metric: keyof Basic): number[] => without.map((measured) => measured[metric] ?? 0)
    const voice = all.brand_mentions === 0 ? NO_ENDS : findJackknife(all.share_of_voice!, of('share_of_voice'), 1)
    const score = findJackknife(all.visibility_score!, of('visibility_score'), 100)
    const compared = others.map((other) => {
      const spread = findSpread(
        without.map((m, place) => other.without[place]!.visibility_score! - m.visibility_score!),
      )
      const difference = other.all.visibility_score! - all.visibility_score!
      const isSure = spread >= 1e-7 && Math.abs(difference) > findCriticalValue(clusters.length - 1) * spread
      return isSure ? Math.sign(difference) : 0
    })
    const hasRank = brand.isConfirmed && clusters.length >= 2
    return {
      mention_rate_low: mention.low,
      mention_rate_high: mention.high,
      citation_rate_low: citation.low,
      citation_rate_high: citation.high,
      prompt_coverage_low: coverage.low,
      prompt_coverage_high: coverage.high,
      share_of_voice_low: voice.low,
      share_of_voice_high: voice.high,
      visibility_score_low: score.low,
      visibility_score_high: score.high,
      effective_answers,
      reliability:
        clusters.length < 8
          ? 'few_prompts'
          : effective_answers! < 30
            ? 'few_answers'
            : mention.high! - mention.low! > 0.3
              ? 'wide'
              : 'ok',
      rank_low: hasRank ? 1 + compared.filter((sign) => sign > 0).length : null,
      rank_high: hasRank ? ranked.length - compared.filter((sign) => sign < 0).length : null,
    }
  })
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

const ROUNDED = /_(?:low|high|answers|prompts|mentions)$|^prompts$|^visibility_score$/

function toOrder({ sort, group_by }: VisibilityRequest): Compare<Row> {
  const byDefault = inOrderOf<Row>(
    byTime,
    nullsLast(({ rank }) => rank),
    ascending(({ brand }) => brand.name),
    byGroupFields(group_by),
  )
  if (sort === undefined) return byDefault
  const sorted = (row: Row): number | null => {
    const value = row.measured[sort.field]
    return typeof value !== 'number' ? null : ROUNDED.test(sort.field) ? rounded(value) : value
  }
  return inOrderOf(nullsLast(sorted, sort.dir === 'asc' ? ascending : descending), byDefault)
}
