import { ENGINE_IDS } from '../domain/enums.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Cell, Row } from '../lake/cells.ts'
import { day, empty, integers, join, type Sql, sql, texts } from '../lake/sql.ts'
import { ANSWER_DIMENSIONS, ANSWER_FILTER_FIELDS, type AnswerDimension } from './answer-dimensions.ts'
import { mentionsField, toPredicate } from './filter.ts'
import type { Filter } from './request.ts'
import type { SiteState } from './run.ts'

/**
 * An answer's slice is its pair of prompt and engine: all that a filter on answers can tell apart besides the day. The
 * filter is judged once per slice, not once per answer.
 */
export interface AnswerSlices {
  /** CTEs `prompts` and `platforms` where they are needed, `selected` or `selected_answers` and `buckets` for `restriction`, each with a comma behind it. */
  readonly ctes: Sql
  /**
   * Joins for rows with `day`, `prompt_no` and `platform_no`: they keep what passes the filter, and give the columns `category`,
   * `week_start` and `month_start` where groups need them.
   */
  readonly restriction: Sql
  /** Columns besides `category` that `restriction` gives, each with a comma before it. */
  readonly added: Sql
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

/** `others`: a filter that the caller's own SQL judges, over rows that it joins with `prompts` and `platforms`. */
export function toAnswerSlices(
  state: Pick<SiteState, 'prompts' | 'filesOf'>,
  { start_date, end_date, group_by: groupBy, filter }: SlicesRequest,
  others?: Filter,
): AnswerSlices {
  const needsBuckets = groupBy.includes('week') || groupBy.includes('month')
  const needsModels = namesModels(groupBy, filter, others)
  const needsSelected = filter !== undefined || groupBy.includes('category') || needsModels
  const needsNames = needsSelected || others !== undefined || groupBy.includes('prompt') || groupBy.includes('platform')
  const columns = groupBy.map((dimension) => ANSWER_DIMENSIONS[dimension].group)
  const predicate = filter ? toPredicate(filter, ANSWER_FILTER_FIELDS) : sql`true`
  const bucket = groupBy.includes('week') ? sql`, week_start` : groupBy.includes('month') ? sql`, month_start` : empty
  return {
    ctes: sql`${needsNames ? toNames(state.prompts) : empty}${
      needsModels
        ? toSelectedAnswers(state, predicate)
        : needsSelected
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
        ...(needsModels ? [sql`JOIN selected_answers USING (answer_no)`] : []),
        ...(needsSelected && !needsModels ? [sql`JOIN selected USING (prompt_no, platform_no)`] : []),
        ...(needsBuckets ? [sql`JOIN buckets USING (day)`] : []),
      ],
      sql` `,
    ),
    added: sql`${bucket}${needsModels ? sql`, model_name, provider_name` : empty}`,
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

/** Whether groups or filters need what only the answers themselves have. */
export function namesModels(groupBy: readonly string[], ...filters: readonly (Filter | undefined)[]): boolean {
  return MODELS.some((name) => groupBy.includes(name) || filters.some((filter) => mentionsField(filter, name)))
}

const MODELS = ['model', 'provider']

/** Answers that pass, each by itself: their model and provider are in no other data set. */
function toSelectedAnswers({ filesOf }: Pick<SiteState, 'filesOf'>, predicate: Sql): Sql {
  return sql`
  selected_answers AS MATERIALIZED (
    SELECT answer_no, category, model_name, provider_name
    FROM (
      SELECT answer_no, prompt_no, platform_no, coalesce(model, '') AS model_name, coalesce(provider, '') AS provider_name
      FROM ${filesOf('answers')}
    )
    JOIN prompts USING (prompt_no) JOIN platforms USING (platform_no)
    WHERE ${predicate}
  ),`
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
