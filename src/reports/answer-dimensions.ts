import { CATEGORIES, ENGINE_IDS } from '../domain/enums.ts'
import { sql, type Sql } from '../lake/sql.ts'
import { CalendarDay, Category, EngineId, PromptReference } from '../schemas/values.ts'
import type { Column } from './contract.ts'
import { defineFilter } from './filter-schema.ts'

/** A dimension of answers; `prompt_no` and `platform_no` stand for the public names while rows are grouped. */
interface AnswerColumn extends Column {
  /** What rows are grouped by. */
  readonly group: Sql
  /** What makes an order total (contract/api 5.5). */
  readonly tie: Sql
}

/** What answers are grouped by. `sql` is for the outermost SELECT, over a relation joined with `prompts` and `platforms`. */
export const ANSWER_DIMENSIONS = {
  date: { type: CalendarDay, sql: sql`strftime(day, '%Y-%m-%d') AS date`, group: sql`day`, tie: sql`day` },
  platform: { type: EngineId, sql: sql`platform`, group: sql`platform_no`, tie: sql`platform_no` },
  prompt: { type: PromptReference, sql: sql`prompt_id, prompt_text`, group: sql`prompt_no`, tie: sql`prompt_id` },
  category: { type: Category, sql: sql`category`, group: sql`category`, tie: sql`category` },
} as const satisfies Readonly<Record<string, AnswerColumn>>
export type AnswerDimension = keyof typeof ANSWER_DIMENSIONS

/** What a filter says of whole answers (contract/api 4.3), over answers joined with `prompts` and `platforms`. */
export const ANSWER_FILTER_FIELDS = {
  platform: { values: ENGINE_IDS, column: sql`platform` },
  prompt: { values: 'text', column: sql`prompt_text`, id: sql`prompt_id` },
  category: { values: CATEGORIES, column: sql`category` },
} as const

export const AnswerFilter = defineFilter('AnswerFilter', ANSWER_FILTER_FIELDS)
