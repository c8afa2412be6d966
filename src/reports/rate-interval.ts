import { integers, doubles, type Sql, sql } from '../lake/sql.ts'
import type { StudentT } from '../statistics/student-t.ts'

/** Intervals of rates in SQL: the formulas of src/statistics/rate.ts, for groups by the million. */

const Z = sql`1.959963984540054::DOUBLE`

/**
 * The CTE `critical_values`, Student's t by number of clusters (`clusters`, `critical_value`), from 2 clusters to
 * `clustersMax`; joined with groups it leaves those with fewer out.
 */
export function toCriticalValues(clustersMax: number, studentT: StudentT): Sql {
  const clusters = Array.from({ length: Math.max(0, clustersMax - 1) }, (_, place) => place + 2)
  return sql`
  critical_values AS (
    SELECT
      unnest(${integers(clusters)}) AS clusters,
      unnest(${doubles(clusters.map((count) => studentT.criticalValue(count - 1)))}) AS critical_value
  )`
}

/** How a group's answers fall into clusters (contract/api 5.15): an answer's week and engine, or its prompt. */
export function toCluster(groupBy: readonly string[]): Sql {
  return groupBy.includes('prompt') ? sql`yearweek(day) * 100 + platform_no` : sql`prompt_no`
}

/** A rate's variance, from the sum of squares of what clusters have more or less than their share (docs/methods.md 2). */
export function toVariance(squares: Sql, answers: Sql): Sql {
  return sql`clusters / (clusters - 1) * ${squares} / pow(${answers}, 2)`
}

/** A rate's own design effect, NULL where it is 0 or 1 (docs/methods.md 2). */
export function toDesignEffect(hits: Sql, answers: Sql, variance: Sql): Sql {
  return sql`CASE WHEN ${hits} > 0 AND ${hits} < ${answers}
        THEN greatest(1, ${variance} * ${answers} / (${hits} / ${answers} * (1 - ${hits} / ${answers}))) END`
}

/** How many independent answers would say as much; a design effect of NULL takes the clusters for them (docs/methods.md 2). */
export function toEffectiveAnswers(answers: Sql, effect: Sql): Sql {
  return sql`coalesce(${answers} / ${effect} * pow(${Z} / critical_value, 2), clusters)`
}

/** Both ends of Wilson's interval of a rate; NULL where `answers` is (docs/methods.md 3). */
export function toWilson(rate: Sql, answers: Sql): { readonly low: Sql; readonly high: Sql } {
  const whole = sql`(1 + pow(${Z}, 2) / ${answers})`
  const centre = sql`(${rate} + pow(${Z}, 2) / (2 * ${answers})) / ${whole}`
  const half = sql`${Z} / ${whole} * sqrt(${rate} * (1 - ${rate}) / ${answers} + pow(${Z}, 2) / (4 * pow(${answers}, 2)))`
  const end = (exact: Sql, cut: Sql): Sql =>
    sql`CASE WHEN ${answers} IS NULL THEN NULL WHEN ${rate} = ${exact} THEN ${exact} ELSE ${cut} END`
  return {
    low: end(sql`0`, sql`greatest(0, ${centre} - ${half})`),
    high: end(sql`1`, sql`least(1, ${centre} + ${half})`),
  }
}
