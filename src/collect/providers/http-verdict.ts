import { errorAt, isObject, textAt } from '../../import-answers/adapters/json.ts'
import type { Reply, Verdict } from './provider.ts'

/** Statuses by which a server proves that it did nothing with a request: it could not read it, or it does not take it. */
const REFUSING: ReadonlySet<number> = new Set([400, 404, 405, 413, 415, 422])
/** Key, account or permission: no other call will do better. */
const CLOSED: ReadonlySet<number> = new Set([401, 402, 403])
/** How often a task is asked for while its provider is in trouble. */
const POLL_MS = 10_000
const REASON_CHARACTERS_MAX = 300

/**
 * The verdict on a reply by its status, for what all providers have in common; undefined for a JSON object or array with a
 * status of success, which the provider reads. `isUsedUp` tells an exhausted quota from a pace that is too fast, which have
 * the same status. Where parts were kept before, something was bought: a refusal then ends the response as it is.
 */
export function judgeStatus(
  reply: Reply,
  parts: readonly unknown[],
  isUsedUp: (reply: Reply) => boolean = () => false,
): Verdict | undefined {
  const { status } = reply
  const isJson = typeof reply.json === 'object' && reply.json !== null
  if (status >= 200 && status < 300) {
    return isJson ? undefined : { kind: 'uncertain', reason: `HTTP ${status}, but no JSON: ${describeBody(reply)}` }
  }
  const reason = toReason(reply)
  if (parts.length > 0 && (CLOSED.has(status) || REFUSING.has(status))) {
    return isJson ? { kind: 'answer' } : { kind: 'uncertain', reason }
  }
  if (CLOSED.has(status)) return { kind: 'off', reason }
  if (status === 429) return isUsedUp(reply) ? { kind: 'off', reason } : toRetry(reply)
  return { kind: REFUSING.has(status) ? 'refused' : 'uncertain', reason }
}

/**
 * The same for a reply about a task, which is bought already: trouble is waited out, and a task that is gone or not ours
 * any more is uncertain.
 */
export function judgePoll(reply: Reply): Verdict | undefined {
  const { status } = reply
  const isJson = typeof reply.json === 'object' && reply.json !== null
  if (status >= 200 && status < 300 && isJson) return undefined
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return { kind: 'uncertain', reason: `the task can't be read: ${toReason(reply)}` }
  }
  return { kind: 'pending', afterMs: retryAfterMs(reply.headers) ?? POLL_MS }
}

/** A reply that asks to come back later, and when it says so. */
function toRetry(reply: Reply): Verdict {
  return { kind: 'retry', afterMs: retryAfterMs(reply.headers) }
}

/** What an operator reads of a refusal: the status and the words of the service. */
export function toReason(reply: Reply): string {
  return `HTTP ${reply.status}: ${describeBody(reply)}`
}

/** Milliseconds that `retry-after-ms` or `retry-after` ask for; a date counts from the reply's own. */
export function retryAfterMs(headers: Headers): number | undefined {
  const ms = toNumber(headers.get('retry-after-ms'))
  if (ms !== undefined) return ms
  const after = headers.get('retry-after')
  const seconds = toNumber(after)
  if (seconds !== undefined) return Math.ceil(seconds * 1_000)
  const wait = Date.parse(after ?? '') - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

function toNumber(text: string | null): number | undefined {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}

function describeBody({ json, body }: Reply): string {
  const first: unknown = Array.isArray(json) ? json[0] : json
  const said = isObject(first) ? (errorAt(first) ?? WORDS.map((key) => textAt(first, key)).find(Boolean)) : undefined
  const words = said ?? new TextDecoder().decode(body.subarray(0, REASON_CHARACTERS_MAX * 4))
  const line = words.replaceAll(/\s+/g, ' ').trim().slice(0, REASON_CHARACTERS_MAX)
  return line === '' ? 'an empty body' : line
}

const WORDS = ['message', 'detail', 'error_message', 'status_message', 'error_code']
