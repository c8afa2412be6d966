import { either, isBlocked, toFinishReason } from './gemini.ts'
import { errorAt, isObject, type JsonObject, objectAt, objectsAt } from './json.ts'

/** One part of the array that `streamGenerateContent` returns. */
export interface GeminiChunk {
  readonly json: JsonObject
  readonly responseId: string | undefined
  /** Whether the answer ends in it. */
  readonly isLast: boolean
  /** Whether it holds figures alone, as may follow the last one. */
  readonly isTail: boolean
  /**
   * Until 2024 every chunk of a stream said STOP: the first one had Google's feedback on the prompt, as each whole
   * response did, and the others nothing but candidates.
   */
  readonly mayStartOlderStream: boolean
  readonly mayContinueOlderStream: boolean
  readonly error: string | undefined
}

/** Undefined for what is no part of a stream. */
export function toChunk(json: JsonObject): GeminiChunk | undefined {
  const candidates = objectsAt(json, 'candidates')
  const isTail = !('candidates' in json) && isObject(either(json, 'usageMetadata'))
  const error = Object.keys(json).length === 1 ? errorAt(json) : undefined
  const isLast = candidates.some(isFinished) || isBlocked(json)
  if (candidates.length === 0 && !isTail && !isLast && error === undefined) return undefined
  const responseId = either(json, 'responseId')
  const keys = Object.keys(json)
  return {
    json,
    responseId: typeof responseId === 'string' ? responseId : undefined,
    isLast,
    isTail,
    mayStartOlderStream: keys.length === 2 && 'candidates' in json && /^prompt_?feedback$/i.test(otherKey(keys)),
    mayContinueOlderStream: keys.length === 1 && candidates.length > 0,
    error,
  }
}

function otherKey(keys: readonly string[]): string {
  return keys.find((key) => key !== 'candidates') ?? ''
}

function isFinished(candidate: JsonObject): boolean {
  const reason = toFinishReason(candidate)
  return typeof reason === 'number' || (typeof reason === 'string' && !/^(?:FINISH_REASON_UNSPECIFIED)?$/.test(reason))
}

/** The response that the chunks of a whole stream are parts of. */
export function joinChunks(chunks: readonly JsonObject[]): JsonObject {
  const joined: JsonObject = Object.assign({}, ...chunks)
  if (chunks.some(isBlocked)) {
    const refused = chunks.find(isBlocked)
    return { ...joined, ...refused, candidates: [] }
  }
  const candidates = chunks.map(toFirstCandidate).filter((candidate) => candidate !== undefined)
  const parts = candidates.flatMap((candidate) => objectsAt(objectAt(candidate, 'content'), 'parts'))
  const whole: JsonObject = Object.assign({}, ...candidates, { content: { role: 'model', parts } })
  return { ...joined, candidates: [{ ...whole, ...toGrounding(candidates) }] }
}

/** A stream may hold several answers; the first one is read, as of a response that isn't streamed. */
function toFirstCandidate(chunk: JsonObject): JsonObject | undefined {
  return objectsAt(chunk, 'candidates').find((candidate) => (candidate['index'] ?? 0) === 0)
}

/** Each chunk's grounding stands for the answer so far, so the last one with sources counts. */
function toGrounding(candidates: readonly JsonObject[]): JsonObject {
  const groundings = candidates.map((candidate) => either(candidate, 'groundingMetadata')).filter(isObject)
  const grounding = groundings.findLast((each) => Array.isArray(either(each, 'groundingChunks'))) ?? groundings.at(-1)
  return grounding ? { groundingMetadata: grounding } : {}
}
