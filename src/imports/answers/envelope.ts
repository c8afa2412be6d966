import type { AnswerRecord } from '../../domain/answer.ts'
import { isRejection, type Rejection } from '../../domain/rejection.ts'
import type { AnswerFormat } from './adapters.ts'
import { describe, isObject, type JsonObject } from './json.ts'
import { type Asking, completeRecord, parseAsking, parseNative, type RecordDefaults } from './native.ts'
import { isWholeNative, recognise } from './recognise.ts'

export type { AnswerFormat } from './adapters.ts'

export interface ReadOptions {
  readonly format: AnswerFormat | 'auto'
  /** From flags: `--date`, `--platform`, `--prompt-id`. */
  readonly defaults: RecordDefaults
}

/**
 * The answers of one JSON document, checked and complete: a native record, a vendor's payload, or an envelope around
 * one (formats.md 2.2). What an envelope says holds; what it leaves open comes from the payload, then from the flags,
 * then from the format (its engine). A payload may hold several answers, each of which can be rejected on its own.
 */
export function readRecords(json: unknown, options: ReadOptions): readonly (AnswerRecord | Rejection)[] {
  if (Array.isArray(json)) return json.flatMap((each: unknown) => readOne(each, options))
  return readOne(json, options)
}

function readOne(json: unknown, options: ReadOptions): readonly (AnswerRecord | Rejection)[] {
  if (!isObject(json)) return [{ reason: `record: found ${describe(json)}; wanted a JSON object` }]
  return isEnvelope(json) ? readEnvelope(json, options) : readPayload(json, undefined, options)
}

/** A response under `response`; one that is text belongs to a row of an export. */
function isEnvelope(json: JsonObject): boolean {
  return typeof json['response'] === 'object' && json['response'] !== null && !isWholeNative(json)
}

function readEnvelope(envelope: JsonObject, options: ReadOptions): readonly (AnswerRecord | Rejection)[] {
  const asking = parseAsking(envelope)
  if (isRejection(asking)) return [asking]
  const { response } = envelope
  const payloads: readonly unknown[] = Array.isArray(response) ? response : [response]
  if (payloads.length === 0) return [{ reason: 'response: found an empty array; wanted a payload' }]
  const records = payloads.flatMap((payload) =>
    isObject(payload)
      ? readPayload(payload, asking, options)
      : [{ reason: `response: found ${describe(payload)}; wanted a JSON object` }],
  )
  if (asking.id === undefined || records.length === 1) return records
  return [
    { reason: `id: found ${describe(asking.id)} for ${records.length} answers; wanted one answer in the envelope` },
  ]
}

function readPayload(
  payload: JsonObject,
  asking: Asking | undefined,
  { format, defaults }: ReadOptions,
): readonly (AnswerRecord | Rejection)[] {
  const adapter = recognise(payload, format)
  if (adapter === 'native') return [parseNative(asking ? { ...payload, ...given(asking) } : payload, defaults)]
  if ('reason' in adapter) return [adapter]
  const withEngine = { ...defaults, platform: defaults.platform ?? adapter.platform?.(payload) }
  return adapter
    .toRecords(payload)
    .map((record) =>
      isRejection(record) ? record : completeRecord(asking ? { ...record, ...given(asking) } : record, withEngine),
    )
}

/** What an envelope says. One that names the prompt in its way replaces both of the payload's ways. */
function given(asking: Asking): Partial<Asking> {
  const said = Object.fromEntries(Object.entries(asking).filter(([, value]) => value !== undefined))
  const namesPrompt = asking.prompt !== undefined || asking.prompt_id !== undefined
  return namesPrompt ? { ...said, prompt: asking.prompt, prompt_id: asking.prompt_id } : said
}
