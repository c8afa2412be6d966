import { type Sentiment, SENTIMENTS } from '../../domain/enums.ts'
import { isRejection, type Rejection } from '../../domain/rejection.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../adapters/json.ts'
import { parseJudgement } from './judgement.ts'
import { readWrittenText } from './written-text.ts'

/** A judgement of one stored answer, as a record says it; a null sentiment takes an earlier one back. */
export interface SentimentRecord {
  readonly id: string
  readonly sentiment: Sentiment | null
  /** Who judged, in 1 to 256 characters; undefined where nobody says. */
  readonly judge: string | undefined
}

/** Longest name of a judge that is kept. */
const JUDGE_CHARACTERS_MAX = 256

/**
 * Reads a record of a sentiment import (contract/imports 2.5): `{id, sentiment, judge?}`, or a line that `sentiment judge`
 * kept, `{id, judge: {provider, model, prompt_version}, response}` with the model's raw reply.
 */
export function toSentimentRecord(json: unknown): SentimentRecord | Rejection {
  if (!isObject(json)) return { reason: 'not an object with an id and a sentiment' }
  const { id, sentiment, judge } = json
  if (typeof id !== 'string' || id === '') return { reason: 'id: missing; give the id of a stored answer' }
  const asked = objectAt(json, 'judge')
  if (asked !== undefined) return fromReply(id, asked, json['response'])
  const known = SENTIMENTS.find((one) => one === sentiment)
  if (known === undefined && sentiment !== null) {
    return { reason: `sentiment: must be ${SENTIMENTS.join(', ')} or null for not judged` }
  }
  if (judge !== undefined && judge !== null && (typeof judge !== 'string' || !isName(judge))) {
    return { reason: `judge: must be a text of 1 to ${JUDGE_CHARACTERS_MAX} characters` }
  }
  return { id, sentiment: known ?? null, judge: judge ?? undefined }
}

const isName = (text: string): boolean => text.trim() !== '' && text.length <= JUDGE_CHARACTERS_MAX

/** The model is the one that the reply names, which says more than an alias that was asked for. */
function fromReply(id: string, asked: JsonObject, reply: unknown): SentimentRecord | Rejection {
  const provider = textAt(asked, 'provider')
  const version = asked['prompt_version']
  if (provider === undefined || typeof version !== 'number') {
    return { reason: 'judge: must be a text, or an object with provider, model and prompt_version' }
  }
  const written = readWrittenText(reply)
  if (isRejection(written)) return written
  const judgement = parseJudgement(written.text)
  if (isRejection(judgement)) return judgement
  const model = written.model ?? textAt(asked, 'model') ?? ''
  return { id, sentiment: judgement.sentiment, judge: toJudgeName(provider, model, version) }
}

/** Who judged, as it is stored: `openai:gpt-5.5-mini@1`. */
function toJudgeName(provider: string, model: string, promptVersion: number): string {
  const [before, behind] = [`${provider}:`, `@${promptVersion}`]
  return `${before}${model.slice(0, JUDGE_CHARACTERS_MAX - before.length - behind.length)}${behind}`
}
