import { dayCount } from '../domain/day.ts'
import { ENGINE_IDS } from '../domain/enums.ts'
import { integer, type Sql, sql, text } from '../lake/sql.ts'
import type { StudentT } from '../statistics/student-t.ts'
import type { RangeRequest } from './request.ts'
import type { SiteState } from './run.ts'

/** Intervals of rates in SQL: the formulas of src/statistics/rate.ts, for groups by the million. */

const Z = sql`1.959963984540054::DOUBLE`
const Z2 = sql`3.8414588206941254::DOUBLE`

/**
 * Student's t of a group with `clusters`, 2 to `clustersMax`. The values are one text, 18 characters each: as a list of
 * hundreds they took DuckDB longer to plan with than the rest of a report.
 */
export function toCriticalValue(clusters: Sql, clustersMax: number, studentT: StudentT): Sql {
  const values = Array.from({ length: Math.max(0, clustersMax - 1) }, (_, place) =>
    studentT
      .criticalValue(place + 1)
      .toFixed(15)
      .padStart(CHARACTERS),
  )
  return sql`substr(${text(values.join(''))}, 1 + ${integer(CHARACTERS)} * (${clusters} - 2), ${integer(CHARACTERS)})::DOUBLE`
}

const CHARACTERS = 18

/** How a group's answers fall into clusters (contract/api 5.15): an answer's week and engine, or its prompt. */
export function toCluster(groupBy: readonly string[]): Sql {
  return groupBy.includes('prompt') ? sql`yearweek(day) * 100 + platform_no` : sql`prompt_no`
}

/** More clusters than any group of the request has. */
export function toClustersMax(
  { prompts }: SiteState,
  {
    group_by,
    start_date,
    end_date,
  }: { readonly group_by: readonly string[] } & Pick<RangeRequest, 'start_date' | 'end_date'>,
): number {
  const weeks = Math.ceil(dayCount(start_date, end_date) / DAYS_OF_WEEK) + 1
  return group_by.includes('prompt') ? weeks * ENGINE_IDS.length : prompts.length
}

const DAYS_OF_WEEK = 7

/**
 * A sum that is the same in whatever order DuckDB adds: doubles that several threads add up differ in their last digits from
 * one request to the next, fixed-point numbers of `type` don't.
 */
export function toSteadySum(value: Sql, type: Sql): Sql {
  return sql`sum((${value})::${type})::DOUBLE`
}

/** The type of squared numbers of answers, with room for 10 billion answers. */
export const SQUARE = sql`DECIMAL(38, 18)`

/** A rate's variance, from the sum of squares of what clusters have more or less than their share (docs/methods.md 2). */
export function toVariance(squares: Sql, answers: Sql): Sql {
  return sql`clusters / (clusters - 1) * ${squares} / (${answers} * ${answers})`
}

/** A rate's own design effect, NULL where it is 0 or 1 (docs/methods.md 2). */
export function toDesignEffect(hits: Sql, answers: Sql, variance: Sql): Sql {
  return sql`CASE WHEN ${hits} > 0 AND ${hits} < ${answers}
        THEN greatest(1, ${variance} * ${answers} / (${hits} / ${answers} * (1 - ${hits} / ${answers}))) END`
}

/** How many independent answers would say as much; a design effect of NULL takes the clusters for them (docs/methods.md 2). */
export function toEffectiveAnswers(answers: Sql, effect: Sql): Sql {
  return sql`coalesce(${answers} / ${effect} * ${Z2} / (critical_value * critical_value), clusters)`
}

/**
 * Wilson's interval of a rate, its fractions made one: both ends, and their distance. NULL where `answers` is (docs/methods.md
 * 3).
 */
export function toWilson(rate: Sql, answers: Sql): { readonly low: Sql; readonly high: Sql; readonly width: Sql } {
  const middle = sql`2 * ${answers} * ${rate} + ${Z2}`
  const half = sql`${Z} * sqrt(${Z2} + 4 * ${answers} * ${rate} * (1 - ${rate}))`
  const whole = sql`(2 * (${answers} + ${Z2}))`
  const low = sql`CASE WHEN ${rate} = 0 THEN 0 ELSE greatest(0, (${middle} - ${half}) / ${whole}) END`
  const high = sql`CASE WHEN ${rate} = 1 THEN 1 ELSE least(1, (${middle} + ${half}) / ${whole}) END`
  return {
    low: sql`CASE WHEN ${answers} > 0 THEN ${low} END`,
    high: sql`CASE WHEN ${answers} > 0 THEN ${high} END`,
    width: sql`2 * ${half} / ${whole}`,
  }
}
