import * as v from 'valibot'
import { ENGINE_IDS } from '../../domain/enums.ts'
import { ANSWER_PROMPT_IDS_MAX, RANGE_DAYS_MAX } from '../../limits.ts'
import { ANSWER_FIELDS } from '../../reports/request.ts'
import { defineEndpoint } from '../endpoint.ts'
import { answerReport } from '../report-endpoint.ts'
import { arrayOf } from '../schemas/bounded-array.ts'
import { listOf, page, range, withinRange } from '../schemas/request.ts'
import { Answer, paged, ReportInfo } from '../schemas/resources.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { INFO, PROMPT, RANGE } from './examples.ts'

export const listAnswers = defineEndpoint({
  operation: 'listAnswers',
  tag: 'Answers',
  method: 'POST',
  path: '/v1/answers',
  access: 'read',
  summary: 'Stored answers',
  description:
    'Newest first. Days are UTC; `end_date` is at most 92 days after `start_date`. A page ends early where its texts and links would exceed 8 MiB: `info.count` is then below `limit`, and `info.next_cursor` leads on. Leaving out `text` gives much smaller responses.',
  body: v.pipe(
    strictObject({
      ...range,
      platforms: v.optional(v.pipe(listOf(ENGINE_IDS, { min: 1 }), v.description('Only answers of these engines.'))),
      prompt_ids: v.optional(
        v.pipe(
          arrayOf(v.string(), { min: 1, max: ANSWER_PROMPT_IDS_MAX }),
          v.description('Only answers to these prompts; unknown ids match nothing.'),
        ),
      ),
      include: v.optional(v.pipe(listOf(ANSWER_FIELDS), v.description('Fields beside `id`.')), [...ANSWER_FIELDS]),
      ...page({ max: 50, default: 20 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
  ),
  response: paged(ReportInfo, Answer),
  example: {
    body: { ...RANGE, platforms: ['chatgpt'], include: ['date', 'prompt', 'text', 'mentions', 'citations'], limit: 1 },
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
  handle: (context, { body }) => answerReport(context, 'answers', body),
})
