import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from './asked-at.ts'
import { describe, isObject, type JsonObject, objectAt, objectsAt, pieceAt, textAt, textsAt } from './json.ts'
import { defined, toSource, uncited } from './sources.ts'

/** Google's `generateContent` with grounding (payloads.md 3); its Python client writes the same in snake case. */
export const gemini = defineAdapter({
  format: 'gemini',
  platform: () => 'gemini',
  looksFor: 'candidates[] or promptFeedback',
  recognises: (payload) =>
    Array.isArray(payload['candidates']) || isObject(payload['promptFeedback']) || isObject(payload['prompt_feedback']),
  toRecords: (payload) => [toRecord(payload)],
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

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const candidate = objectsAt(payload, 'candidates')[0]
  const feedback = objectAt(payload, 'promptFeedback') ?? objectAt(payload, 'prompt_feedback')
  const withheld = WITHHELD.has(either(candidate, 'finishReason')) || (!candidate && either(feedback, 'blockReason'))
  if (!candidate && !withheld) return { reason: 'candidates is empty: the response holds no answer' }
  const finish = either(candidate, 'finishReason')
  if (!withheld && !FINISHED.has(finish)) {
    return { reason: `finishReason: found ${describe(finish)}; wanted a finished answer ("STOP")` }
  }
  const grounding = objectAt(candidate, 'groundingMetadata') ?? objectAt(candidate, 'grounding_metadata')
  const { cited, consulted } = toCitations(grounding)
  return {
    asked_at: toAskedAt(either(payload, 'createTime')),
    text: withheld ? null : toText(candidate),
    citations: withheld ? [] : cited,
    provider: 'google',
    model: textAt(payload, 'modelVersion') ?? textAt(payload, 'model_version'),
    search_queries: textsAt(grounding, 'webSearchQueries') ?? textsAt(grounding, 'web_search_queries'),
    consulted,
  }
}

function either(json: JsonObject | undefined, key: string): unknown {
  return json?.[key] ?? json?.[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

function toText(candidate: JsonObject | undefined): string | null {
  const parts = objectsAt(objectAt(candidate, 'content'), 'parts').filter((part) => part['thought'] !== true)
  const text = parts.map((part) => pieceAt(part, 'text')).join('')
  return text === '' ? null : text
}

/** Chunks in the order in which the text leans on them, as often as it does; all of them when nothing says which it uses. */
function toCitations(grounding: JsonObject | undefined): {
  cited: readonly CitationRecord[]
  consulted: readonly CitationRecord[] | undefined
} {
  const chunks = either(grounding, 'groundingChunks')
  const sources = Array.isArray(chunks) ? chunks.map(toChunkSource) : []
  const supports = either(grounding, 'groundingSupports')
  const used = (Array.isArray(supports) ? supports.filter(isObject) : [])
    .flatMap((support) => either(support, 'groundingChunkIndices') ?? [])
    .filter((index) => typeof index === 'number')
  if (used.length === 0) return { cited: defined(sources), consulted: undefined }
  const cited = defined(used.map((index) => sources[index]))
  return { cited, consulted: uncited(defined(sources), cited) }
}

function toChunkSource(chunk: unknown): CitationRecord | undefined {
  const web = isObject(chunk) ? objectAt(chunk, 'web') : undefined
  return web && toSource(web['uri'], web['title'], web['domain'])
}
