import type { Rejection } from '../domain/rejection.ts'
import type { Adapter } from './adapters/adapter.ts'
import { ADAPTERS, type AnswerFormat } from './adapters.ts'
import { describe, errorAt, isObject, type JsonObject, textAt } from './adapters/json.ts'

/**
 * Whose format a payload has, by its shape (contract/imports 2.2): an adapter, `native`, or a rejection that names what was
 * looked for when no format or more than one fits. With a `format` other than `auto` only that one is tried.
 */
export function recognise(payload: JsonObject, format: AnswerFormat | 'auto'): Adapter | 'native' | Rejection {
  if (format === 'native' || (format === 'auto' && isWholeNative(payload))) return 'native'
  if (format !== 'auto') return recogniseOne(payload, format)
  const adapters = ADAPTERS.filter((adapter) => adapter.recognises(payload))
  const fits = [...(isPartNative(payload) ? [NATIVE] : []), ...adapters]
  if (fits.length === 1) return adapters[0] ?? 'native'
  return fits.length === 0 ? toUnknown(payload) : toAmbiguous(fits)
}

/** All that the native format requires: such a record is native whatever else it holds, since other fields are ignored. */
export function isWholeNative(payload: JsonObject): boolean {
  return (
    (typeof payload['text'] === 'string' || payload['text'] === null) &&
    typeof payload['platform'] === 'string' &&
    (typeof payload['date'] === 'string' || typeof payload['asked_at'] === 'string') &&
    (typeof payload['prompt'] === 'string' || typeof payload['prompt_id'] === 'string')
  )
}

const NATIVE = { format: 'native', looksFor: 'text with platform, prompt and date' } as const
const NATIVE_FIELDS = ['prompt', 'prompt_id', 'date', 'asked_at', 'platform', 'citations', 'mentions', 'sentiment']

/** A native record that lacks something, which flags may add or which its rejection should name. */
function isPartNative(payload: JsonObject): boolean {
  if (typeof payload['platform'] === 'string' && !isObject(payload['response'])) return true
  const { text } = payload
  if (typeof text !== 'string' && text !== null) return false
  return NATIVE_FIELDS.some((field) => field in payload) || Object.keys(payload).length === 1
}

function recogniseOne(payload: JsonObject, format: AnswerFormat): Adapter | Rejection {
  const adapter = ADAPTERS.find((each) => each.format === format)
  if (adapter?.recognises(payload)) return adapter
  const wanted = adapter === undefined ? format : `${adapter.looksFor} (format ${format})`
  return { reason: `${toFound(payload)}; wanted ${wanted}` }
}

function toUnknown(payload: JsonObject): Rejection {
  const wanted = [NATIVE, ...ADAPTERS].map(({ format, looksFor }) => `${format}: ${looksFor}`)
  return { reason: `${toFound(payload)}; it fits no format. Looked for ${wanted.join('; ')}` }
}

function toAmbiguous(fits: readonly Pick<Adapter, 'format' | 'looksFor'>[]): Rejection {
  const found = fits.map(({ format, looksFor }) => `${format} (${looksFor})`)
  return { reason: `the record fits ${found.length} formats: ${found.join(', ')}. Name one with --format` }
}

/** What an operator sees in a record that no one recognises: an error of an API, a task that failed, or its first fields. */
function toFound(payload: JsonObject): string {
  const error = errorAt(payload) ?? textAt(payload, 'error_message')
  if (error !== undefined) return `found an error, ${describe(error)}`
  const status = textAt(payload, 'status')
  if (status === 'failed' || status === 'faulted') return `found a task that failed (status ${describe(status)})`
  const fields = Object.keys(payload)
  const named = fields.slice(0, 8).map((field) => field.slice(0, 40))
  return named.length === 0
    ? 'found an empty object'
    : `found an object with ${named.join(', ')}${fields.length > named.length ? ', …' : ''}`
}
