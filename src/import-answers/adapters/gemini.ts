import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { isInteraction, readInteraction } from './gemini-interaction.ts'
import { describe, isObject, type JsonObject, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { engineOfModel } from './model-family.ts'
import { defined, toSource, toSources, uncited } from './sources.ts'
import { joinSpoken } from './spoken-text.ts'

/**
 * Google's `generateContent` with grounding (contract/payloads 5), which its Python client writes in snake case, and the
 * Interactions API.
 */
export const gemini = defineAdapter({
  format: 'gemini',
  // The API serves open models (Gemma) as well.
  platform(payload) {
    const model = toModel(payload) ?? textAt(payload, 'model')
    return model === undefined ? 'gemini' : engineOfModel(model)
  },
  looksFor: "candidates[] or promptFeedback, or an interaction's steps[] or outputs[]",
  recognises: (payload) =>
    Array.isArray(payload['candidates']) ||
    isObject(payload['promptFeedback']) ||
    isObject(payload['prompt_feedback']) ||
    isInteraction(payload),
  toRecords: (payload) => [isInteraction(payload) ? readInteraction(payload) : toRecord(payload)],
})

/** Google kept the answer back: the engine was asked and gave none. */
const WITHHELD: ReadonlySet<unknown> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
])
const FINISHED: ReadonlySet<unknown> = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED', null, undefined])

/** What older Python clients write as numbers; from 9 on Google's two APIs number them differently. */
const FINISH_REASONS: readonly string[] = [
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  // Three that both APIs withhold an answer for, in different orders.
  'BLOCKLIST',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
]

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const candidate = objectsAt(payload, 'candidates')[0]
  const finish = toFinishReason(candidate)
  const withheld = WITHHELD.has(finish) || (!candidate && isBlocked(payload))
  if (!candidate && !withheld) return { reason: 'candidates is empty: the response holds no answer' }
  if (!withheld && !FINISHED.has(finish)) {
    return { reason: `finishReason: found ${describe(finish)}; wanted a finished answer ("STOP")` }
  }
  const parts = objectsAt(objectAt(candidate, 'content'), 'parts')
  if (!withheld && parts.some((part) => isObject(either(part, 'functionCall')))) {
    return { reason: 'content.parts holds a functionCall for the client; wanted the answer after it' }
  }
  const text = withheld
    ? ''
    : joinSpoken(
        parts.filter((part) => part['thought'] !== true),
        isText,
      )
  if (!withheld && text === '' && finish !== 'STOP') {
    return { reason: 'candidates[0] holds neither text nor a finishReason; wanted a finished answer ("STOP")' }
  }
  const grounding = objectAt(candidate, 'groundingMetadata') ?? objectAt(candidate, 'grounding_metadata')
  const { cited, consulted } = toCitations(grounding)
  const citations = withheld ? [] : cited
  return {
    asked_at: toAskedAt(either(payload, 'createTime')),
    text: text === '' ? null : text,
    citations,
    provider: 'google',
    model: toModel(payload),
    search_queries: textsAt(grounding, 'webSearchQueries') ?? textsAt(grounding, 'web_search_queries'),
    consulted: uncited([...consulted, ...toFetched(candidate)], citations),
  }
}

/** The name of the first candidate's finish reason, whichever way a client writes it. */
export function toFinishReason(candidate: JsonObject | undefined): unknown {
  const reason = either(candidate, 'finishReason')
  if (typeof reason === 'number') return FINISH_REASONS[reason] ?? reason
  return typeof reason === 'string' ? reason.replace(/^FinishReason\./, '') : reason
}

/** Whether Google refused the prompt. */
export function isBlocked(payload: JsonObject): boolean {
  const feedback = objectAt(payload, 'promptFeedback') ?? objectAt(payload, 'prompt_feedback')
  const reason = either(feedback, 'blockReason')
  return Boolean(reason) && reason !== 'BLOCK_REASON_UNSPECIFIED' && reason !== 'BLOCKED_REASON_UNSPECIFIED'
}

/** A member by its name in camel case or in snake case. */
export function either(json: JsonObject | undefined, key: string): unknown {
  return json?.[key] ?? json?.[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

function toModel(payload: JsonObject): string | undefined {
  return textAt(payload, 'modelVersion') ?? textAt(payload, 'model_version')
}

function isText(part: JsonObject): boolean {
  return typeof part['text'] === 'string'
}

/** Pages that the model opened by their URL, without those that it failed to. */
function toFetched(candidate: JsonObject | undefined): CitationRecord[] {
  const context = either(candidate, 'urlContextMetadata')
  const pages = isObject(context) ? either(context, 'urlMetadata') : undefined
  return toSources(
    (Array.isArray(pages) ? pages.filter(isObject) : [])
      .filter((page) => /^(?:undefined|URL_RETRIEVAL_STATUS_SUCCESS)$/.test(String(either(page, 'urlRetrievalStatus'))))
      .map((page) => either(page, 'retrievedUrl')),
  )
}

/** Chunks in the order in which the text leans on them, as often as it does; all of them when nothing says which it uses. */
function toCitations(grounding: JsonObject | undefined): {
  cited: readonly CitationRecord[]
  consulted: readonly CitationRecord[]
} {
  const chunks = either(grounding, 'groundingChunks')
  const sources = Array.isArray(chunks) ? chunks.map(toChunkSource) : []
  const supports = either(grounding, 'groundingSupports')
  const used = (Array.isArray(supports) ? supports.filter(isObject) : [])
    .flatMap((support) => either(support, 'groundingChunkIndices') ?? [])
    .filter((index) => typeof index === 'number')
  if (used.length === 0) return { cited: defined(sources), consulted: [] }
  const cited = defined(used.map((index) => sources[index]))
  return { cited, consulted: defined(sources) }
}

function toChunkSource(chunk: unknown): CitationRecord | undefined {
  const web = isObject(chunk) ? objectAt(chunk, 'web') : undefined
  return web && toSource(web['uri'], web['title'], web['domain'])
}
