import * as v from 'valibot'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { INFO, RANGE } from '../../schemas/examples.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { CalendarDay, Count, Share, Text } from '../../schemas/values.ts'
import { ANSWER_DIMENSIONS, AnswerFilter } from '../answer-dimensions.ts'
import { AnyBrands, Brands } from '../brands-schema.ts'
import { defineContract, namesOf, ReportInfo, type RequestOf, type RowOf, whenAsked } from '../contract.ts'
import { comparedRange, groupBy, inObject, page, range, sharesNoDay, withinRange } from '../request-schema.ts'

/** What a change may be of, and the most that it can be, up or down. */
export const CHANGE_METRICS_MAX = {
  mention_rate: 1,
  citation_rate: 1,
  prompt_coverage: 1,
  visibility_score: 100,
  share_of_voice: 1,
}
const CHANGE_METRICS = namesOf(CHANGE_METRICS_MAX)
export type ChangeMetric = keyof typeof CHANGE_METRICS_MAX

const { platform, prompt, category } = ANSWER_DIMENSIONS
const DIMENSIONS = { platform, prompt, category }
const CHANGE_DIMENSIONS = namesOf(DIMENSIONS)

/** What is said of a change, in the order of rows. */
export const CHANGE_VERDICTS = ['up', 'down', 'no_change', 'not_enough_data'] as const

/** Of rates and shares 1 is the most, of scores 100. */
const Value = v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100)))
const Difference = v.nullable(v.pipe(v.number(), v.minValue(-100), v.maxValue(100)))

const OF_SEVERAL_PROMPTS: readonly unknown[] = ['prompt_coverage', 'visibility_score'] satisfies ChangeMetric[]

/** `metric` is one that a single prompt has a spread of, where rows are single prompts. */
function hasSpread<T extends object>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const { value } = dataset
    if (typeof value !== 'object' || value === null) return
    const group: unknown = Reflect.get(value, 'group_by')
    const isByPrompt = Array.isArray(group) && group.includes('prompt')
    if (!isByPrompt || !OF_SEVERAL_PROMPTS.includes(Reflect.get(value, 'metric'))) return
    addIssue({
      message: 'This metric is of several prompts. Use another one, or leave prompt out of group_by.',
      path: [inObject(value, 'metric')],
    })
  })
}

/** What changed between two ranges, and how sure that is (contract/api 5.14). */
export const CHANGES = defineContract({
  name: 'changes',
  operation: 'reportChanges',
  tag: 'Reports',
  path: '/v1/reports/changes',
  summary: 'What changed between two ranges, and how sure that is',
  description:
    'One row per brand and group. Only prompts and engines with answers in both ranges are compared. Days are UTC; each range ends at most 92 days after it begins, and no day is in both.',
  request: v.pipe(
    strictObject({
      ...range,
      ...comparedRange,
      metric: v.pipe(v.picklist(CHANGE_METRICS), v.description('What is compared.')),
      group_by: groupBy(CHANGE_DIMENSIONS),
      brands: Brands,
      filter: v.optional(AnswerFilter.schema),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
    withinRange(RANGE_DAYS_MAX.answers, 'compare_'),
    sharesNoDay(),
    hasSpread(),
  ),
  filter: AnswerFilter,
  requestParts: { Brands: AnyBrands },
  info: v.object({
    ...ReportInfo.entries,
    compare_start_date: CalendarDay,
    compare_end_date: CalendarDay,
    excluded_cells: v.pipe(Count, v.description('Prompts on an engine with answers in one range only.')),
    notes: v.pipe(
      v.array(Text),
      v.description('Days without answers of an engine, and models that changed; each begins with the engine.'),
    ),
  }),
  row: v.object({
    ...whenAsked(DIMENSIONS),
    brand: v.object({ name: Text, owned: v.boolean() }),
    value: v.pipe(Value, v.description('In the range, over what is compared.')),
    previous: v.pipe(Value, v.description('In the range compared with.')),
    change: v.pipe(Difference, v.description('`value` less `previous`.')),
    low: v.pipe(Difference, v.description('Low end of the 95 % interval of `change`.')),
    high: v.pipe(Difference, v.description('High end of it.')),
    p: v.pipe(v.nullable(Share), v.description('How often chance alone makes such a change.')),
    q: v.pipe(v.nullable(Share), v.description('`p`, corrected for the number of rows of all pages.')),
    verdict: v.pipe(v.picklist(CHANGE_VERDICTS), v.description('`up` and `down` where q ≤ 0.10 and p ≤ 0.05.')),
    cells: v.pipe(Count, v.description('Prompts on an engine that are compared.')),
    excluded: v.pipe(Count, v.description('Those with answers in one range only.')),
  }),
  rowName: 'ChangeRow',
  enumerations: { ChangeDimension: CHANGE_DIMENSIONS },
  example: {
    request: {
      ...RANGE,
      compare_start_date: '2026-10-12',
      compare_end_date: '2026-10-31',
      metric: 'mention_rate',
      group_by: ['platform'],
    },
    response: {
      info: {
        ...INFO,
        compare_start_date: '2026-10-12',
        compare_end_date: '2026-10-31',
        excluded_cells: 3,
        notes: [
          'chatgpt: the model changed, from gpt-5 (2026-10-12 to 2026-10-31) to gpt-5.1 (2026-11-01 to 2026-11-20).',
        ],
      },
      data: [
        {
          platform: 'chatgpt',
          brand: { name: 'Acme', owned: true },
          value: 0.31,
          previous: 0.22,
          change: 0.09,
          low: 0.03,
          high: 0.15,
          p: 0.006,
          q: 0.012,
          verdict: 'up',
          cells: 24,
          excluded: 3,
        },
      ],
    },
  },
})

export type ChangesRequest = RequestOf<typeof CHANGES>
export type ChangeRow = RowOf<typeof CHANGES>
