import { empty, type Sql, sql } from '../../lake/sql.ts'
import type { AnswerSlices } from '../answer-slices.ts'
import { toCluster, toCriticalValues, toDesignEffect, toEffectiveAnswers, toVariance } from '../rate-interval.ts'
import type { SiteState } from '../run.ts'
import type { StudentT } from '../../statistics/student-t.ts'

/** What the spread is of. */
export interface SpreadRequest {
  readonly state: SiteState
  readonly slices: AnswerSlices
  readonly groupBy: readonly string[]
  /** A join that keeps the groups whose spread is wanted; empty for all. */
  readonly restriction: Sql
  readonly clustersMax: number
  readonly studentT: StudentT
  /** The condition that a mention is of a brand with a row in `placed`; it may let others through. */
  readonly isMeasured: Sql
  /** Whether brands are compared in pairs, for ranges of ranks. */
  readonly comparesBrands: boolean
}

/**
 * CTEs after `placed` (a row a group and brand) and `cited_answers`, the last of them `spread`: of each group with two
 * clusters at least and each brand the group columns, `brand_no`, `clusters`, `critical_value`, `effective_answers`,
 * `effective_citing`, `voice_spread`, `score_spread`, and `ahead` and `behind`, ranked brands that surely are it
 * (docs/methods.md 2, 4 and 13).
 */
export function toSpread(request: SpreadRequest): Sql {
  const { state, slices, groupBy, restriction, clustersMax, isMeasured, studentT, comparesBrands } = request
  const cluster = toCluster(groupBy)
  const { groups, groupList } = slices
  const byGroup = groupList ? sql`GROUP BY ${groupList}` : empty
  const same = (left: Sql, right: Sql): Sql => slices.sameGroup(left, right)
  // Without a prompt in the group a cluster is a prompt; with one the group's only prompt is named while any cluster does.
  const coverageWithout = groupBy.includes('prompt')
    ? sql`CASE WHEN naming_clusters > CASE WHEN s > 0 THEN 1 ELSE 0 END THEN 1 ELSE 0 END`
    : sql`(covered - CASE WHEN s > 0 THEN 1 ELSE 0 END) / (prompts - 1)`
  return sql`
  cluster_answers AS MATERIALIZED (
    SELECT ${groups}${cluster} AS cluster, count(*)::DOUBLE AS n
    FROM ${state.filesOf('answers')} ${slices.restriction} ${restriction}
    WHERE ${state.inRange('answers')}
    GROUP BY ${groups}cluster
  ),
  cluster_named AS (
    SELECT ${groups}${cluster} AS cluster, brand_no, count(*)::DOUBLE AS s
    FROM ${state.filesOf('mentions')} ${slices.restriction} ${restriction}
    WHERE ${state.inRange('mentions')} AND ${isMeasured}
    GROUP BY ${groups}cluster, brand_no
  ),
  cluster_cited AS (
    SELECT ${groups}cluster, brand_no, count(*)::DOUBLE AS c
    FROM cited_answers ${restriction}
    GROUP BY ${groups}cluster, brand_no
  ),${toCriticalValues(clustersMax, studentT)},
  clustered AS (
    SELECT counted.*, critical_value
    FROM (SELECT ${groups}count(*) AS clusters FROM cluster_answers ${byGroup}) AS counted
    JOIN critical_values USING (clusters)
  ),
  parts AS MATERIALIZED (
    SELECT
      placed.*, clusters, critical_value, cluster_answers.cluster, n, coalesce(s, 0) AS s, coalesce(c, 0) AS c
    FROM cluster_answers
    JOIN clustered ON ${same(sql`clustered`, sql`cluster_answers`)}
    JOIN placed ON ${same(sql`placed`, sql`cluster_answers`)}
    LEFT JOIN cluster_named ON ${same(sql`cluster_named`, sql`cluster_answers`)}
      AND cluster_named.cluster = cluster_answers.cluster AND cluster_named.brand_no = placed.brand_no
    LEFT JOIN cluster_cited ON ${same(sql`cluster_cited`, sql`cluster_answers`)}
      AND cluster_cited.cluster = cluster_answers.cluster AND cluster_cited.brand_no = placed.brand_no
  ),
  totals AS (
    SELECT ${groups}cluster, sum(s) FILTER (ranked) AS ranked_s FROM parts GROUP BY ${groups}cluster
  ),
  naming AS (
    SELECT ${groups}brand_no, count_if(s > 0) AS naming_clusters FROM parts GROUP BY ${groups}brand_no
  ),
  left_out AS MATERIALIZED (
    SELECT
      parts.*,
      CASE WHEN voices - ranked_s - CASE WHEN ranked THEN 0 ELSE s END = 0 THEN 0
        ELSE (named - s) / (voices - ranked_s - CASE WHEN ranked THEN 0 ELSE s END) END AS voice_without,
      45 * (named - s) / (answers - n) + 35 * (cited - c) / (answers - n) + 20 * ${coverageWithout} AS score_without
    FROM parts
    JOIN totals ON ${same(sql`totals`, sql`parts`)} AND totals.cluster = parts.cluster
    JOIN naming ON ${same(sql`naming`, sql`parts`)} AND naming.brand_no = parts.brand_no
  ),
  summed AS (
    SELECT
      ${groups}brand_no, any_value(ranked) AS ranked, any_value(answers) AS answers, any_value(named) AS named,
      any_value(cited) AS cited, any_value(clusters) AS clusters, any_value(critical_value) AS critical_value,
      ${toVariance(sql`sum(pow(s - mention_rate * n, 2))`, sql`any_value(answers)`)} AS named_variance,
      ${toVariance(sql`sum(pow(c - citation_rate * n, 2))`, sql`any_value(answers)`)} AS cited_variance,
      CASE WHEN any_value(voices) > 0 THEN sqrt((count(*) - 1) * var_pop(voice_without)) END AS voice_spread,
      sqrt((count(*) - 1) * var_pop(score_without)) AS score_spread
    FROM left_out
    GROUP BY ${groups}brand_no, clusters
  ),
  effects AS MATERIALIZED (
    SELECT
      *,
      ${toDesignEffect(sql`named`, sql`answers`, sql`named_variance`)} AS named_effect,
      ${toDesignEffect(sql`cited`, sql`answers`, sql`cited_variance`)} AS cited_effect
    FROM summed
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
      ${slices.groupsOf(sql`effects`)}effects.brand_no, clusters, critical_value, voice_spread, score_spread,
      ${comparesBrands ? sql`CASE WHEN ranked THEN coalesce(ahead, 0) END AS ahead, CASE WHEN ranked THEN coalesce(behind, 0) END AS behind,` : empty}
      ${toEffectiveAnswers(sql`answers`, sql`coalesce(named_effect, usual_named_effect)`)} AS effective_answers,
      ${toEffectiveAnswers(sql`answers`, sql`coalesce(cited_effect, usual_cited_effect)`)} AS effective_citing
    FROM effects
    JOIN borrowed ON ${same(sql`borrowed`, sql`effects`)}
    ${comparesBrands ? sql`LEFT JOIN comparisons ON ${same(sql`comparisons`, sql`effects`)} AND comparisons.brand_no = effects.brand_no` : empty}
  )`
}

/** Of each asked and ranked brand, how many ranked ones surely have a higher score and how many a lower one (docs/methods.md 13). */
function toComparisons(slices: AnswerSlices): Sql {
  const { groups } = slices
  return sql`
  differences AS (
    SELECT
      ${slices.groupsOf(sql`one`)}one.brand_no,
      any_value(other.visibility_score - one.visibility_score) AS difference,
      any_value(one.critical_value) AS critical_value,
      sqrt((count(*) - 1) * var_pop(other.score_without - one.score_without)) AS spread
    FROM left_out AS one
    JOIN left_out AS other ON ${slices.sameGroup(sql`one`, sql`other`)}
      AND one.cluster = other.cluster AND one.brand_no <> other.brand_no
    WHERE one.asked AND one.ranked AND other.ranked
    GROUP BY ${slices.groupsOf(sql`one`)}one.brand_no, other.brand_no
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
