import * as v from 'valibot'
import { type Sentiment, SENTIMENTS } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'

/** What a judge says of an answer. */
interface Judgement {
  readonly sentiment: Sentiment
  /** Words of the answer that decided it, as the judge quotes them; it may be empty. */
  readonly evidence: string
}

/** The schema that judges are given: what every provider's structured output takes, so without lengths. */
export const JUDGEMENT_SCHEMA = {
  type: 'object',
  properties: { evidence: { type: 'string' }, sentiment: { type: 'string', enum: SENTIMENTS } },
  required: ['evidence', 'sentiment'],
  additionalProperties: false,
} as const

const Judgement = v.strictObject({
  evidence: v.pipe(v.string(), v.maxLength(2_000)),
  sentiment: v.picklist(SENTIMENTS),
})

/** The judgement that a model's text is. Anything but one object of the schema is none: it is never guessed what was meant. */
export function parseJudgement(text: string): Judgement | Rejection {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { reason: "the judge's reply is no JSON" }
  }
  const { success, output, issues } = v.safeParse(Judgement, json)
  if (success) return output
  return { reason: `the judge's reply does not fit the schema: ${v.getDotPath(issues[0]) ?? 'it is no object'}` }
}
