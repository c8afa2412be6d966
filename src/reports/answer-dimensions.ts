import { CATEGORIES, ENGINE_IDS } from '../domain/enums.ts'
import { sql, type Sql } from '../lake/sql.ts'
import { CalendarDay, Category, EngineId, Month, PromptReference, Week } from '../schemas/values.ts'
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
} as const satisfies Readonly<Record<string, AnswerColumn>>
export type AnswerDimension = keyof typeof ANSWER_DIMENSIONS

/** The column of the time that rows are grouped by, of which there is one at most; rows are in its order first. */
export function timeOf(groupBy: readonly AnswerDimension[]): Sql | undefined {
  const time = (['date', 'week', 'month'] as const).find((dimension) => groupBy.includes(dimension))
  return time && ANSWER_DIMENSIONS[time].group
}

/** What a filter says of whole answers (contract/api 4.3), over answers joined with `prompts` and `platforms`. */
export const ANSWER_FILTER_FIELDS = {
  platform: { values: ENGINE_IDS, column: sql`platform` },
  prompt: { values: 'text', column: sql`prompt_text`, id: sql`prompt_id` },
  category: { values: CATEGORIES, column: sql`category` },
} as const

export const AnswerFilter = defineFilter('AnswerFilter', ANSWER_FILTER_FIELDS)
