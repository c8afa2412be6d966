import * as v from 'valibot'
import { ENGINE_IDS, SENTIMENTS } from '../../domain/enums.ts'
import { ANSWER_PROMPT_IDS_MAX, RANGE_DAYS_MAX } from '../../limits.ts'
import { arrayOf } from '../../schemas/bounded-array.ts'
import { INFO, PROMPT, RANGE } from '../../schemas/examples.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { CalendarDay, EngineId, Order, PromptReference, Text, Timestamp } from '../../schemas/values.ts'
import { defineContract, namesOf, ReportInfo, type RequestOf, type RowOf } from '../contract.ts'
import { listOf, page, range, withinRange } from '../request-schema.ts'

const Citation = v.object({
  url: Text,
  domain: Text,
  title: Text,
  position: v.pipe(Order, v.description("Order among the answer's sources.")),
  own_site: v.boolean(),
})

const ConsultedSource = v.object({ url: Text, domain: v.nullable(Text), title: Text })

/** Fields beside `id`, as a row has them unless the request says which (contract/api 11.7). */
const USUAL_FIELDS = {
  prompt: v.optional(PromptReference),
  platform: v.optional(EngineId),
  date: v.optional(CalendarDay),
  text: v.optional(v.pipe(Text, v.description('Exactly as the engine returned it.'))),
  brand_mentioned: v.optional(v.boolean()),
  brand_position: v.optional(v.nullable(Order)),
  sentiment: v.optional(v.nullable(v.picklist(SENTIMENTS))),
  mentions: v.optional(v.pipe(v.array(Text), v.description('Brands named, in order of first appearance.'))),
  citations: v.optional(v.array(Citation)),
}

/** What else a record said; null where it said nothing. */
const RECORDED_FIELDS = {
  model: v.optional(v.nullable(v.pipe(Text, v.description('The model, as the record names it.')))),
  provider: v.optional(v.nullable(v.pipe(Text, v.description('Who ran the model.')))),
  market: v.optional(v.nullable(v.pipe(Text, v.description('Location it was asked for.')))),
  asked_at: v.optional(v.nullable(v.pipe(Timestamp, v.description('To the second.')))),
  search_queries: v.optional(
    v.nullable(v.pipe(v.array(Text), v.description('What the engine searched for while it answered.'))),
  ),
  consulted: v.optional(
    v.nullable(v.pipe(v.array(ConsultedSource), v.description('Sources that were read and not cited.'))),
  ),
}
const FIELDS = { ...USUAL_FIELDS, ...RECORDED_FIELDS }
export type AnswerField = keyof typeof FIELDS
/** What `include` may name, in the order of the API. */
export const ANSWER_FIELDS = namesOf(FIELDS)
/** What it is unless given. */
export const USUAL_ANSWER_FIELDS = namesOf(USUAL_FIELDS)

const { prompt, platform, date, ...contents } = FIELDS

/** Stored answers (contract/api 5.8 and 12.5). */
export const ANSWERS = defineContract({
  name: 'answers',
  operation: 'listAnswers',
  tag: 'Answers',
  path: '/v1/answers',
  summary: 'Stored answers',
  description:
    'Newest first. Days are UTC; `end_date` is at most 92 days after `start_date`. A page ends early where its texts and links would exceed 8 MiB: `info.count` is then below `limit`, and `info.next_cursor` leads on. Leaving out `text` gives much smaller responses.',
  request: v.pipe(
    strictObject({
      ...range,
      platforms: v.optional(v.pipe(listOf(ENGINE_IDS, { min: 1 }), v.description('Only answers of these engines.'))),
      prompt_ids: v.optional(
        v.pipe(
          arrayOf(v.string(), { min: 1, max: ANSWER_PROMPT_IDS_MAX }),
          v.description('Only answers to these prompts; unknown ids match nothing.'),
        ),
      ),
      include: v.optional(v.pipe(listOf(ANSWER_FIELDS), v.description('Fields beside `id`.')), [
        ...USUAL_ANSWER_FIELDS,
      ] as AnswerField[]),
      ...page({ max: 50, default: 20 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
  ),
  info: ReportInfo,
  row: v.object({ id: Text, date, platform, prompt, ...contents }),
  rowName: 'Answer',
  enumerations: { AnswerField: ANSWER_FIELDS },
  rowParts: { Citation, ConsultedSource },
  example: {
    request: {
      ...RANGE,
      platforms: ['chatgpt'],
      include: ['date', 'prompt', 'text', 'mentions', 'citations'],
      limit: 1,
    },
    response: {
      info: INFO,
      data: [
        {
          id: 'ans_0k7q4zj0x1c2v3b4n5m6a7s8d9',
          date: '2026-11-20',
          prompt: { id: PROMPT.id, text: PROMPT.text },
          text: 'Small teams often choose Acme or Globex.',
          mentions: ['Acme', 'Globex'],
          citations: [
            {
              url: 'https://acme.com/teams?utm_source=openai',
              domain: 'acme.com',
              title: 'Acme for teams',
              position: 1,
              own_site: true,
            },
          ],
        },
      ],
    },
  },
})

export type AnswersRequest = RequestOf<typeof ANSWERS>
export type AnswerRow = RowOf<typeof ANSWERS>
