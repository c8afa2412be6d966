import type { AnswerRecord } from '../domain/answer.ts'
import { isRejection, type Rejection } from '../domain/rejection.ts'
import type { AnswerFormat } from './adapters.ts'
import { type BatchResult, unwrapBatch } from './adapters/batch-results.ts'
import { describe, isObject, type JsonObject, textAt } from './adapters/json.ts'
import {
  ASKING_FIELDS,
  type Asking,
  completeRecord,
  contradictPlatform,
  type Judgement,
  parseAsking,
  parseJudgement,
  parseNative,
  type RecordDefaults,
} from './native.ts'
import { joinParts } from './parts.ts'
import { isWholeNative, recognise } from './recognise.ts'
import { joinStreamed } from './streamed.ts'

export interface ReadOptions {
  readonly format: AnswerFormat | 'auto'
  /** From flags: `--date`, `--platform`, `--prompt-id`. */
  readonly defaults: RecordDefaults
}

/**
 * The answers of one JSON document, checked and complete: a native record, a vendor's payload, a result line of a
 * vendor's batch, or an envelope around one (contract/imports 2.2). What an envelope says holds; what it leaves open comes
 * from the payload, then from the flags, then from the format (its engine). The engine that a payload shows can't be
 * changed. A payload may hold several answers, each of which can be rejected on its own.
 */
export function readRecords(json: unknown, options: ReadOptions): readonly (AnswerRecord | Rejection)[] {
  if (Array.isArray(json)) {
    return joinStreamed(json).flatMap((each) => ('reason' in each ? [each] : readOne(each.json, options)))
  }
  return readOne(json, options)
}

function readOne(json: unknown, options: ReadOptions): readonly (AnswerRecord | Rejection)[] {
  if (!isObject(json)) return [{ reason: `record: found ${describe(json)}; wanted a JSON object` }]
  const batch = saysSomething(json) ? undefined : unwrapBatch(json)
  if (batch) return readBatch(batch, undefined, options)
  if (isEnvelope(json)) return readEnvelope(json, options)
  if ('response' in json && Object.keys(json).every((field) => ENVELOPE_FIELDS.includes(field))) {
    return [{ reason: `response: found ${describe(json['response'])}; wanted a payload or an array of payloads` }]
  }
  return readPayload(json, undefined, options)
}

/** A response under `response`; one that is text belongs to a row of an export. */
function isEnvelope(json: JsonObject): boolean {
  return typeof json['response'] === 'object' && json['response'] !== null && !isWholeNative(json)
}

const SAYING_FIELDS: readonly string[] = [...ASKING_FIELDS, 'mentions', 'sentiment']
/** Who was asked, and how; nothing is made of `request` and `role`. Payloads have fields of these names too. */
const ORIGIN_FIELDS = ['provider', 'model', 'request', 'role'] as const
const ENVELOPE_FIELDS: readonly string[] = [...SAYING_FIELDS, ...ORIGIN_FIELDS, 'response']

/** Whether an object has a field by which an envelope or a native record says something of its answer. */
function saysSomething(json: JsonObject): boolean {
  return SAYING_FIELDS.some((field) => field !== 'id' && field in json)
}

type Said = Asking & Judgement
/** Stands in where the payload doesn't say who answered. */
type Origin = Pick<AnswerRecord, 'provider' | 'model'>

function readEnvelope(envelope: JsonObject, options: ReadOptions): readonly (AnswerRecord | Rejection)[] {
  const unknown = Object.keys(envelope).find((field) => !ENVELOPE_FIELDS.includes(field))
  if (unknown !== undefined) {
    return [{ reason: `${describe(unknown)} is no field of an envelope; wanted ${ENVELOPE_FIELDS.join(', ')}` }]
  }
  const asking = parseAsking(envelope)
  if (isRejection(asking)) return [asking]
  const judgement = parseJudgement(envelope)
  if (isRejection(judgement)) return [judgement]
  const origin = parseOrigin(envelope)
  if (isRejection(origin)) return [origin]
  const said = { ...asking, ...judgement, sentiment: judgement.sentiment ?? undefined }
  const { response } = envelope
  const payloads = Array.isArray(response) ? joinStreamed(joinParts(response)) : [{ json: response }]
  if (payloads.length === 0) return [{ reason: 'response: found an empty array; wanted a payload' }]
  const records = payloads.flatMap((payload) => {
    if ('reason' in payload) return [payload]
    const { json } = payload
    if (!isObject(json)) return [{ reason: `response: found ${describe(json)}; wanted a JSON object` }]
    const batch = saysSomething(json) ? undefined : unwrapBatch(json)
    const read = batch ? readBatch(batch, said, options) : readPayload(json, said, options)
    return read.map((record) => (isRejection(record) ? record : withOrigin(record, origin)))
  })
  const ofOne = (['id', 'mentions', 'sentiment'] as const).find((field) => said[field] !== undefined)
  if (ofOne === undefined || records.length === 1) return records
  return [
    {
      reason: `${ofOne}: found ${describe(said[ofOne])} for ${records.length} answers; wanted one answer in the envelope`,
    },
  ]
}

function parseOrigin(envelope: JsonObject): Origin | Rejection {
  for (const field of ['provider', 'model'] as const) {
    const value = envelope[field]
    if (value !== undefined && value !== null && typeof value !== 'string') {
      return { reason: `${field}: found ${describe(value)}; wanted a string` }
    }
  }
  return { provider: textAt(envelope, 'provider'), model: textAt(envelope, 'model') }
}

function withOrigin(record: AnswerRecord, { provider, model }: Origin): AnswerRecord {
  return { ...record, provider: record.provider ?? provider, model: record.model ?? model }
}

/** A batch's own name for a request says which prompt it was, unless the envelope or the flag does. */
function readBatch(
  results: readonly (BatchResult | Rejection)[],
  said: Said | undefined,
  { format, defaults }: ReadOptions,
): readonly (AnswerRecord | Rejection)[] {
  return results.flatMap((result) => {
    if ('reason' in result) return [result]
    const promptId = defaults.promptId ?? result.promptId
    const isNamed = promptId !== undefined || said?.prompt !== undefined || said?.prompt_id !== undefined
    const whole = isNamed || result.prompt === undefined ? said : { ...said, prompt: result.prompt }
    return readPayload(result.payload, whole, { format, defaults: { ...defaults, promptId } })
  })
}

function readPayload(
  payload: JsonObject,
  said: Said | undefined,
  { format, defaults }: ReadOptions,
): readonly (AnswerRecord | Rejection)[] {
  const adapter = recognise(payload, format)
  if (adapter === 'native') {
    const contradiction = contradictPlatform(textAt(payload, 'platform'), 'the envelope', said?.platform)
    return [contradiction ?? parseNative(said ? { ...payload, ...given(said) } : payload, defaults)]
  }
  if ('reason' in adapter) return [adapter]
  return adapter.toRecords(payload).map((record) => {
    if (isRejection(record)) return record
    const platform = record.platform ?? adapter.platform?.(payload)
    const contradiction = contradictPlatform(platform, 'the envelope', said?.platform)
    if (contradiction) return contradiction
    const whole = { ...record, platform, ...(said ? given(said) : {}) }
    return completeRecord(whole, defaults, adapter.fallbackPlatform?.(payload))
  })
}

/** What an envelope says. One that names the prompt in its way replaces both of the payload's ways. */
function given(said: Said): Partial<Said> {
  const entries = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  const namesPrompt = said.prompt !== undefined || said.prompt_id !== undefined
  return namesPrompt ? { ...entries, prompt: said.prompt, prompt_id: said.prompt_id } : entries
}
