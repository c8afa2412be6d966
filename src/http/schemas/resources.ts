import * as v from 'valibot'
import {
  CARD_CADENCES,
  CARD_CATEGORIES,
  CARD_EFFORTS,
  CARD_IMPACTS,
  CARD_KINDS,
  CARD_METRICS,
  CARD_STATUSES,
  CARD_VERDICTS,
} from '../../domain/action-card.ts'
import { COMPETITOR_SOURCES, KEY_PERMISSIONS, PLANS, PROMPT_STATUSES, SCAN_STATUSES } from '../../domain/enums.ts'
import { GRADES } from '../../reports/quality/grades.ts'
import { pageInfo } from '../../schemas/page.ts'
import {
  CalendarDay,
  Category,
  Count,
  EngineId,
  PromptReference,
  Share,
  Text,
  Timestamp,
} from '../../schemas/values.ts'

/** What the API gives back, named as in contract/api 11 and 12.5. The document shows each as a component of the same name. */

export const PromptStatus = v.picklist(PROMPT_STATUSES)

export const Site = v.object({
  id: Text,
  name: Text,
  domain: Text,
  created_at: Timestamp,
  platforms: v.array(EngineId),
  last_answer_scan: v.nullable(v.object({ date: CalendarDay, status: v.picklist(SCAN_STATUSES) })),
})

const Grade = v.picklist(GRADES)
const graded = <const S extends v.GenericSchema<number, number>>(value: S, description: string) =>
  v.object({ value: v.pipe(value, v.description(description)), grade: Grade })

export const Quality = v.object({
  grade: v.pipe(Grade, v.description('The least of the others.')),
  prompts: graded(Count, 'Prompts with an answer.'),
  answers_per_cell_week: graded(
    v.pipe(v.number(), v.minValue(0)),
    'Median of the answers to a prompt on an engine in a week (ISO, UTC) with an answer.',
  ),
  categories: graded(Count, 'Categories with at least 5 such prompts.'),
  days: graded(Share, 'Share of the days with an answer or a question that got none.'),
  engines: graded(Count, 'Engines with an answer.'),
  reproducibility: v.nullable(
    v.object({
      agreement: v.pipe(
        Share,
        v.description('Share of pairs of answers of one prompt, engine and day that agree on naming the own brand.'),
      ),
      noise_floor: v.pipe(
        Share,
        v.description('How far mention rates of two halves of such answers differ, in 95 of 100 splits at most.'),
      ),
      grade: Grade,
    }),
  ),
})

export const Prompt = v.object({
  id: Text,
  text: Text,
  category: Category,
  market: v.pipe(
    v.nullable(Text),
    v.description('Appended to the question when it is asked; null uses the market of the site.'),
  ),
  status: PromptStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** A prompt that a request created, or in a dry run would create. */
export const CreatedPrompt = v.object({
  ...Prompt.entries,
  id: v.pipe(v.nullable(Text), v.description('Null in a dry run.')),
  created_at: v.pipe(v.nullable(Timestamp), v.description('Null in a dry run.')),
  updated_at: v.pipe(v.nullable(Timestamp), v.description('Null in a dry run.')),
})

export const Competitor = v.object({
  id: Text,
  name: Text,
  domains: v.array(Text),
  confirmed: v.boolean(),
  source: v.picklist(COMPETITOR_SOURCES),
})

export const Engine = v.object({
  id: EngineId,
  name: Text,
  available: v.pipe(v.boolean(), v.description('Whether answers are collected from it today.')),
})

export const CallingKey = v.object({
  key: v.object({ id: Text, name: Text, permission: v.picklist(KEY_PERMISSIONS), expires_at: Timestamp }),
  organization: v.object({ id: Text, name: Text, plan: v.picklist(PLANS) }),
  rate_limits: v.object({ requests_per_minute: Count, writes_per_minute: Count }),
})

export const ActionCard = v.object({
  id: Text,
  title: Text,
  why: Text,
  detail: Text,
  category: v.picklist(CARD_CATEGORIES),
  impact: v.picklist(CARD_IMPACTS),
  effort: v.picklist(CARD_EFFORTS),
  target_metric: v.picklist(CARD_METRICS),
  kind: v.picklist(CARD_KINDS),
  cadence: v.nullable(v.picklist(CARD_CADENCES)),
  period: v.nullable(Text),
  status: v.picklist(CARD_STATUSES),
  target_prompts: v.array(PromptReference),
  target_platforms: v.array(EngineId),
  target_url: Text,
  created_at: Timestamp,
  outcome: v.nullable(
    v.object({
      marked_done_at: Timestamp,
      result_due: Timestamp,
      verdict: v.nullable(v.picklist(CARD_VERDICTS)),
      summary: Text,
    }),
  ),
})

export const PageInfo = v.object(pageInfo)
/** `{data}` of one thing. */
export function single<const S extends v.GenericSchema>(data: S) {
  return v.object({ data })
}

/** `{data}` of a whole list. */
export function list<const S extends v.GenericSchema>(row: S) {
  return v.object({ data: v.array(row) })
}
