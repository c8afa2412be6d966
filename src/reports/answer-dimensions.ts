import * as v from 'valibot'
import { CATEGORIES, ENGINE_IDS } from '../domain/enums.ts'
import { sql, type Sql } from '../lake/sql.ts'
import { CalendarDay, Category, EngineId, Month, PromptReference, Text, Week } from '../schemas/values.ts'
import type { Column } from './contract.ts'
import { defineFilter } from './filter-schema.ts'

/** A dimension of answers; `prompt_no` and `platform_no` stand for the public names while rows are grouped, a week and a month for their first day. */
interface AnswerColumn extends Column {
  /** What rows are grouped by. */
  readonly group: Sql
  /** What makes an order total (contract/api 5.5). */
  readonly tie: Sql
}

/** What answers are grouped by. `sql` is for the outermost SELECT, over a relation joined with `prompts` and `platforms`. */
export const ANSWER_DIMENSIONS = {
  date: { type: CalendarDay, sql: sql`strftime(day, '%Y-%m-%d') AS date`, group: sql`day`, tie: sql`day` },
  week: { type: Week, sql: sql`strftime(week_start, '%G-W%V') AS week`, group: sql`week_start`, tie: sql`week_start` },
  month: {
    type: Month,
    sql: sql`strftime(month_start, '%Y-%m') AS month`,
    group: sql`month_start`,
    tie: sql`month_start`,
  },
  platform: { type: EngineId, sql: sql`platform`, group: sql`platform_no`, tie: sql`platform_no` },
  prompt: { type: PromptReference, sql: sql`prompt_id, prompt_text`, group: sql`prompt_no`, tie: sql`prompt_id` },
  category: { type: Category, sql: sql`category`, group: sql`category`, tie: sql`category` },
  model: {
    type: v.pipe(v.nullable(Text), v.description('As the records name it; null where they name none.')),
    sql: sql`nullif(model_name, '') AS model`,
    group: sql`model_name`,
    tie: sql`nullif(model_name, '') NULLS LAST`,
  },
  provider: {
    type: v.pipe(v.nullable(Text), v.description('Who ran the model; null where the records name nobody.')),
    sql: sql`nullif(provider_name, '') AS provider`,
    group: sql`provider_name`,
    tie: sql`nullif(provider_name, '') NULLS LAST`,
  },
} as const satisfies Readonly<Record<string, AnswerColumn>>
export type AnswerDimension = keyof typeof ANSWER_DIMENSIONS

/** The column of the time that rows are grouped by, of which there is one at most; rows are in its order first. */
export function timeOf(groupBy: readonly AnswerDimension[]): Sql | undefined {
  const time = (['date', 'week', 'month'] as const).find((dimension) => groupBy.includes(dimension))
  return time && ANSWER_DIMENSIONS[time].group
}

/** What a filter says of an answer's prompt and engine (contract/api 4.3), over answers joined with `prompts` and `platforms`. */
export const SLICE_FILTER_FIELDS = {
  platform: { values: ENGINE_IDS, column: sql`platform` },
  prompt: { values: 'text', column: sql`prompt_text`, id: sql`prompt_id` },
  category: { values: CATEGORIES, column: sql`category` },
} as const

/** What a filter says of whole answers; an answer without a model or a provider has an empty name. */
export const ANSWER_FILTER_FIELDS = {
  ...SLICE_FILTER_FIELDS,
  model: { values: 'text', column: sql`model_name`, mayBeEmpty: true },
  provider: { values: 'text', column: sql`provider_name`, mayBeEmpty: true },
} as const

export const AnswerFilter = defineFilter('AnswerFilter', ANSWER_FILTER_FIELDS)
