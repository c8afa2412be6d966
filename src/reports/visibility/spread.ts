import { empty, type Sql, sql } from '../../lake/sql.ts'
import type { AnswerSlices } from '../answer-slices.ts'
import {
  SQUARE,
  toCluster,
  toCriticalValue,
  toDesignEffect,
  toEffectiveAnswers,
  toSteadySum,
  toVariance,
} from '../rate-interval.ts'
import type { SiteState } from '../run.ts'
import type { StudentT } from '../../statistics/student-t.ts'

/** What the spread is of. */
export interface SpreadRequest {
  readonly slices: AnswerSlices
  readonly groupBy: readonly string[]
  readonly clustersMax: number
  readonly studentT: StudentT
  /** Whether brands are compared in pairs, for ranges of ranks. */
  readonly comparesBrands: boolean
}

/**
 * Both of `cluster_answers` and `cluster_named`: answers, and answers that name a brand, by cluster (`n`, `s`, and the sum
 * of `positions`). `restriction` is a join that keeps the wanted groups, empty for all; `isMeasured` the condition that a
 * mention is of a measured brand, which may let others through.
 */
export function toClusterCounts(
  state: SiteState,
  slices: AnswerSlices,
  groupBy: readonly string[],
  { restriction, isMeasured }: { readonly restriction: Sql; readonly isMeasured: Sql },
): Sql {
  const cluster = toCluster(groupBy)
  return sql`
  cluster_answers AS MATERIALIZED (
    SELECT ${slices.groups}${cluster} AS cluster, count(*)::DOUBLE AS n
    FROM ${state.filesOf('answers')} ${slices.restriction} ${restriction}
    WHERE ${state.inRange('answers')}
    GROUP BY ${slices.groups}cluster
  ),
  cluster_named AS MATERIALIZED (
    SELECT ${slices.groups}${cluster} AS cluster, brand_no, count(*)::DOUBLE AS s, sum(position)::DOUBLE AS positions
    FROM ${state.filesOf('mentions')} ${slices.restriction} ${restriction}
    WHERE ${state.inRange('mentions')} AND ${isMeasured}
    GROUP BY ${slices.groups}cluster, brand_no
  )`
}

/**
 * CTEs after `placed` (a row a group and brand), `cluster_answers`, `cluster_named` and `cluster_cited`, the last of them
 * `spread`: of each group with two clusters at least and each brand the group columns, `brand_no`, `clusters`,
 * `critical_value`, `effective_answers`, `effective_citing`, `voice_spread`, `score_spread`, and `ahead` and `behind`,
 * ranked brands that surely are it (docs/methods.md 2, 4 and 13).
 */
export function toSpread({ slices, groupBy, clustersMax, studentT, comparesBrands }: SpreadRequest): Sql {
  const { groups, groupsOf, groupList } = slices
  const byGroup = groupList ? sql`GROUP BY ${groupList}` : empty
  const same = (left: Sql, right: Sql): Sql => slices.sameGroup(left, right)
  const ofBrand = (left: Sql, right: Sql): Sql => sql`${same(left, right)} AND ${left}.brand_no = ${right}.brand_no`
  const isNamed = sql`CASE WHEN s > 0 THEN 1 ELSE 0 END`
  // Without a prompt in the group a cluster is a prompt; with one the group's only prompt is named while any cluster does.
  const coverageWithout = groupBy.includes('prompt')
    ? sql`CASE WHEN naming_clusters > ${isNamed} THEN 1 ELSE 0 END`
    : sql`(covered - ${isNamed}) / (prompts - 1)`
  const voicesWithout = sql`(voices - ranked_s - CASE WHEN ranked THEN 0 ELSE s END)`
  return sql`
  clustered AS MATERIALIZED (
    SELECT *, ${toCriticalValue(sql`clusters`, clustersMax, studentT)} AS critical_value
    FROM (SELECT ${groups}count(*) AS clusters FROM cluster_answers ${byGroup})
    WHERE clusters >= 2
  ),
  cells AS MATERIALIZED (
    SELECT ${groupsOf(sql`cluster_answers`)}cluster_answers.cluster, n, placed.brand_no, coalesce(s, 0) AS s, coalesce(c, 0) AS c
    FROM cluster_answers
    JOIN placed ON ${same(sql`placed`, sql`cluster_answers`)}
    LEFT JOIN cluster_named ON ${ofBrand(sql`cluster_named`, sql`placed`)}
      AND cluster_named.cluster = cluster_answers.cluster
    LEFT JOIN cluster_cited ON ${ofBrand(sql`cluster_cited`, sql`placed`)}
      AND cluster_cited.cluster = cluster_answers.cluster
  ),
  totals AS (
    SELECT ${groupsOf(sql`cells`)}cluster, sum(s) FILTER (ranked) AS ranked_s
    FROM cells JOIN brands USING (brand_no)
    GROUP BY ${groupsOf(sql`cells`)}cluster
  ),${
    groupBy.includes('prompt')
      ? sql`
  naming AS (
    SELECT ${groups}brand_no, count_if(s > 0) AS naming_clusters FROM cells GROUP BY ${groups}brand_no
  ),`
      : empty
  }
  left_out AS (
    SELECT
      ${groupsOf(sql`cells`)}cells.cluster, cells.brand_no,
      pow(s - mention_rate * n, 2) AS named_square,
      pow(c - citation_rate * n, 2) AS cited_square,
      CASE WHEN ${voicesWithout} = 0 THEN 0 ELSE (named - s) / ${voicesWithout} END - share_of_voice AS voice_shift,
      45 * (named - s) / (answers - n) + 35 * (cited - c) / (answers - n) + 20 * ${coverageWithout} - visibility_score
        AS score_shift
    FROM cells
    JOIN clustered ON ${same(sql`clustered`, sql`cells`)}
    JOIN placed ON ${ofBrand(sql`placed`, sql`cells`)}
    JOIN totals ON ${same(sql`totals`, sql`cells`)} AND totals.cluster = cells.cluster
    ${groupBy.includes('prompt') ? sql`JOIN naming ON ${ofBrand(sql`naming`, sql`cells`)}` : empty}
  ),
  summed AS MATERIALIZED (
    SELECT
      ${groups}brand_no,
      ${toSteadySum(sql`named_square`, SQUARE)} AS named_squares,
      ${toSteadySum(sql`cited_square`, SQUARE)} AS cited_squares,
      ${toJackknifeSpread(sql`voice_shift`)} AS voice_spread,
      ${toJackknifeSpread(sql`score_shift`)} AS score_spread${
        comparesBrands
          ? sql`,
      ${toSteadySum(sql`score_shift`, SHIFT)} / count(*) AS mean_shift,
      list(score_shift ORDER BY cluster) AS shifts`
          : empty
      }
    FROM left_out
    GROUP BY ${groups}brand_no
  ),
  effects AS MATERIALIZED (
    SELECT
      ${groupsOf(sql`summed`)}summed.brand_no, ranked, answers, clusters, critical_value, score_spread,
      CASE WHEN voices > 0 THEN voice_spread END AS voice_spread,
      ${toDesignEffect(sql`named`, sql`answers`, toVariance(sql`named_squares`, sql`answers`))} AS named_effect,
      ${toDesignEffect(sql`cited`, sql`answers`, toVariance(sql`cited_squares`, sql`answers`))} AS cited_effect
    FROM summed
    JOIN clustered ON ${same(sql`clustered`, sql`summed`)}
    JOIN placed ON ${ofBrand(sql`placed`, sql`summed`)}
  ),
  borrowed AS (
    SELECT
      ${groups}median(named_effect) FILTER (ranked) AS usual_named_effect,
      median(cited_effect) FILTER (ranked) AS usual_cited_effect
    FROM effects
    ${byGroup}
  ),${comparesBrands ? toComparisons(slices) : empty}
  spread AS (
    SELECT
      ${groupsOf(sql`effects`)}effects.brand_no, clusters, critical_value, voice_spread, score_spread,
      ${
        comparesBrands
          ? sql`CASE WHEN ranked THEN coalesce(ahead, 0) END AS ahead,
      CASE WHEN ranked THEN coalesce(behind, 0) END AS behind,`
          : empty
      }
      ${toEffectiveAnswers(sql`answers`, sql`coalesce(named_effect, usual_named_effect)`)} AS effective_answers,
      ${toEffectiveAnswers(sql`answers`, sql`coalesce(cited_effect, usual_cited_effect)`)} AS effective_citing
    FROM effects
    JOIN borrowed ON ${same(sql`borrowed`, sql`effects`)}
    ${comparesBrands ? sql`LEFT JOIN comparisons ON ${ofBrand(sql`comparisons`, sql`effects`)}` : empty}
  )`
}

/** √V_J of a group's brand (docs/methods.md 4), from how far the value moves without each cluster. */
function toJackknifeSpread(shift: Sql): Sql {
  const squares = toSteadySum(sql`${shift} * ${shift}`, SHIFT)
  const sum = toSteadySum(shift, SHIFT)
  return sql`sqrt((count(*) - 1) / count(*) * greatest(0, ${squares} - pow(${sum}, 2) / count(*)))`
}

/** The type of shifts of a value of at most 100, and of their squares. */
const SHIFT = sql`DECIMAL(38, 24)`

/** Of each asked and ranked brand, how many ranked ones surely have a higher score and how many a lower one (docs/methods.md 13). */
function toComparisons({ groups, groupsOf, sameGroup }: AnswerSlices): Sql {
  return sql`
  curves AS MATERIALIZED (
    SELECT
      ${groupsOf(sql`summed`)}summed.brand_no, asked, visibility_score, clusters, critical_value,
      [shift - mean_shift FOR shift IN shifts] AS curve
    FROM summed
    JOIN clustered ON ${sameGroup(sql`clustered`, sql`summed`)}
    JOIN placed ON ${sameGroup(sql`placed`, sql`summed`)} AND placed.brand_no = summed.brand_no
    WHERE ranked
  ),
  differences AS (
    SELECT
      ${groupsOf(sql`one`)}one.brand_no,
      other.visibility_score - one.visibility_score AS difference,
      one.critical_value,
      list_distance(one.curve, other.curve) * sqrt((one.clusters - 1) / one.clusters) AS spread
    FROM curves AS one
    JOIN curves AS other ON ${sameGroup(sql`one`, sql`other`)} AND one.brand_no <> other.brand_no
    WHERE one.asked
  ),
  comparisons AS (
    SELECT
      ${groups}brand_no,
      count_if(difference > critical_value * spread) AS ahead,
      count_if(-difference > critical_value * spread) AS behind
    FROM differences
    WHERE spread >= 1e-7
    GROUP BY ${groups}brand_no
  ),`
}
