import { ENGINE_IDS } from '../domain/enums.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Cell, Row } from '../lake/cells.ts'
import { day, empty, integers, join, type Sql, sql, texts } from '../lake/sql.ts'
import { ANSWER_DIMENSIONS, ANSWER_FILTER_FIELDS, type AnswerDimension } from './answer-dimensions.ts'
import { toPredicate } from './filter.ts'
import type { Filter } from './request.ts'

/**
 * An answer's slice is its pair of prompt and engine: all that a filter on answers can tell apart besides the day. The
 * filter is judged once per slice, not once per answer.
 */
export interface AnswerSlices {
  /** CTEs `prompts` and `platforms` where they are needed, `selected` and `buckets` for `restriction`, each with a comma behind it. */
  readonly ctes: Sql
  /**
   * Joins for rows with `day`, `prompt_no` and `platform_no`: they keep what passes the filter, and give the columns `category`,
   * `week_start` and `month_start` where groups need them.
   */
  readonly restriction: Sql
  /** Columns of the groups, each with a comma behind it: `day, platform_no, `. */
  readonly groups: Sql
  /** The same of one of several relations: `mentions.day, mentions.platform_no, `. */
  readonly groupsOf: (relation: Sql) => Sql
  /** The same as a list without the last comma; undefined without groups. */
  readonly groupList: Sql | undefined
  /**
   * Joins that give a relation with the group columns the names behind the numbers, for the outermost SELECT. Each number
   * has its name; LEFT keeps their order. The planner is free with inner joins and multiplied prompts with hosts first
   * where it took the relation for large.
   */
  readonly names: Sql
  /** Equality of the group columns of two relations, as a condition. */
  readonly sameGroup: (left: Sql, right: Sql) => Sql
}

/** What of a request its slices follow from. */
interface SlicesRequest {
  readonly start_date: string
  readonly end_date: string
  readonly group_by: readonly AnswerDimension[]
  readonly filter?: Filter | undefined
}

/** `joinsNames`: the caller's own SQL joins `prompts` and `platforms`. */
export function toAnswerSlices(
  prompts: readonly Prompt[],
  { start_date, end_date, group_by: groupBy, filter }: SlicesRequest,
  joinsNames = false,
): AnswerSlices {
  const needsBuckets = groupBy.includes('week') || groupBy.includes('month')
  const needsSelected = filter !== undefined || groupBy.includes('category')
  const needsNames = needsSelected || joinsNames || groupBy.includes('prompt') || groupBy.includes('platform')
  const columns = groupBy.map((dimension) => ANSWER_DIMENSIONS[dimension].group)
  const predicate = filter ? toPredicate(filter, ANSWER_FILTER_FIELDS) : sql`true`
  return {
    ctes: sql`${needsNames ? toNames(prompts) : empty}${
      needsSelected
        ? sql`
  selected AS (
    SELECT prompt_no, platform_no, category
    FROM prompts CROSS JOIN platforms
    WHERE ${predicate}
  ),`
        : empty
    }${needsBuckets ? toBuckets(start_date, end_date) : empty}`,
    restriction: join(
      [
        ...(needsSelected ? [sql`JOIN selected USING (prompt_no, platform_no)`] : []),
        ...(needsBuckets ? [sql`JOIN buckets USING (day)`] : []),
      ],
      sql` `,
    ),
    groups: columns.reduce((all, column) => sql`${all}${column}, `, empty),
    groupsOf: (relation) => columns.reduce((all, column) => sql`${all}${relation}.${column}, `, empty),
    groupList: columns.length === 0 ? undefined : columns.reduce((all, column) => sql`${all}, ${column}`),
    names: join(
      [
        ...(groupBy.includes('prompt')
          ? [sql`LEFT JOIN (SELECT prompt_no, prompt_id, prompt_text FROM prompts) USING (prompt_no)`]
          : []),
        ...(groupBy.includes('platform') ? [sql`LEFT JOIN platforms USING (platform_no)`] : []),
      ],
      sql` `,
    ),
    sameGroup: (left, right) =>
      columns.reduce((all, column) => sql`${all} AND ${left}.${column} = ${right}.${column}`, sql`true`),
  }
}

/** The days of the range with the first days of their weeks and months. */
function toBuckets(start: string, end: string): Sql {
  return sql`
  buckets AS (
    SELECT day, date_trunc('week', day)::DATE AS week_start, date_trunc('month', day)::DATE AS month_start
    FROM (SELECT unnest(generate_series(${day(start)}, ${day(end)}, INTERVAL 1 DAY))::DATE AS day)
  ),`
}

function toNames(prompts: readonly Prompt[]): Sql {
  return sql`
  prompts AS (
    SELECT
      unnest(${integers(prompts.map((prompt) => prompt.promptNo))}) AS prompt_no,
      unnest(${texts(prompts.map((prompt) => prompt.id))}) AS prompt_id,
      unnest(${texts(prompts.map((prompt) => prompt.text))}) AS prompt_text,
      unnest(${texts(prompts.map((prompt) => prompt.category))}) AS category
  ),
  platforms AS (
    SELECT
      unnest(${integers(ENGINE_IDS.map((_, index) => index + 1))}) AS platform_no,
      unnest(${texts(ENGINE_IDS)}) AS platform
  ),`
}

/** The group fields of a row of the outermost SELECT as the API shows them, in the request's order. */
export function toGroupFields(
  row: Row,
  groupBy: readonly AnswerDimension[],
): Record<string, Cell | object | undefined> {
  return Object.fromEntries(
    groupBy.map((dimension) => [
      dimension,
      dimension === 'prompt' ? { id: row['prompt_id'], text: row['prompt_text'] } : row[dimension],
    ]),
  )
}
