import type { Rejection } from '../../domain/rejection.ts'
import { describe, errorAt, isObject, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'

/** What one request of a batch got. */
export interface BatchResult {
  readonly payload: JsonObject
  /** The name that the request was given, for the prompt that it asked. */
  readonly promptId: string | undefined
  /** What it asked, where the result repeats that. */
  readonly prompt?: string | undefined
}

/**
 * What a vendor's batch API gives (contract/payloads 2.1), as the payloads in it, each with the reason instead when its request failed: a result
 * line of OpenAI (and those who copy it), Anthropic, Google or its Vertex AI, or the whole batch where Google, xAI and Mistral put the
 * results into it. Undefined for anything else.
 */
export function unwrapBatch(json: JsonObject): readonly (BatchResult | Rejection)[] | undefined {
  const key = textAt(json, 'custom_id') ?? textAt(json, 'key')
  if (key !== undefined && ('response' in json || 'error' in json || isObject(json['result']))) {
    return [toResult(key, json)]
  }
  if (json['object'] === 'batch' && Array.isArray(json['outputs'])) {
    return objectsAt(json, 'outputs').map((line) => toResult(textAt(line, 'custom_id'), line))
  }
  const request = objectAt(json, 'request')
  if (request && Array.isArray(request['contents']) && isObject(json['response'])) return [ofVertex(json, request)]
  const inlined = objectAt(objectAt(json, 'response') ?? objectAt(objectAt(json, 'metadata'), 'output'), INLINED)
  if (inlined) return objectsAt(inlined, INLINED).map((line) => toResult(toGoogleKey(line), line))
  const results = objectsAt(json, 'results').filter((line) => isObject(line['batch_result']))
  if (results.length === 0) return undefined
  return results.map((line) => toResult(textAt(line, 'batch_request_id'), objectAt(line, 'batch_result') ?? {}))
}

const INLINED = 'inlinedResponses'

/** Vertex AI names no request, but repeats it; a conversation of several turns has no prompt. */
function ofVertex(line: JsonObject, request: JsonObject): BatchResult | Rejection {
  const status = textAt(line, 'status')
  if (status !== undefined)
    return { reason: `a request of the batch failed: ${status.slice(0, STATUS_CHARACTERS_MAX)}` }
  const [question, ...turns] = objectsAt(request, 'contents')
  const [part, ...parts] = objectsAt(question, 'parts')
  const prompt = turns.length === 0 && parts.length === 0 ? textAt(part, 'text') : undefined
  const result = toResult(undefined, line)
  return 'reason' in result ? result : { ...result, prompt }
}

const STATUS_CHARACTERS_MAX = 300

function toGoogleKey(line: JsonObject): string | undefined {
  const metadata = objectAt(line, 'metadata')
  return textAt(metadata, 'key') ?? textAt(metadata, 'custom_id')
}

function toResult(key: string | undefined, line: JsonObject): BatchResult | Rejection {
  const result = objectAt(line, 'result')
  const response = objectAt(line, 'response')
  // Anthropic's message, OpenAI's body, xAI's completion; Google's response is the payload itself.
  const payload =
    objectAt(result, 'message') ??
    objectAt(response, 'body') ??
    objectAt(response, 'chat_get_completion') ??
    (response && 'status_code' in response ? undefined : response)
  const why = toFailure(line, result, response)
  if (why === undefined && payload) return { payload, promptId: key }
  const request = key === undefined ? 'a request of the batch' : `the batch's request ${describe(key)}`
  return { reason: `${request} failed: ${why ?? 'it holds no response'}` }
}

/** What went wrong with a request; undefined when nothing did. */
function toFailure(
  line: JsonObject,
  result: JsonObject | undefined,
  response: JsonObject | undefined,
): string | undefined {
  if (result && result['type'] !== 'succeeded') {
    const error = objectAt(result, 'error')
    const words = errorAt(objectAt(error, 'error') ? error : result)
    return `${describe(result['type'])}${words === undefined ? '' : `, ${words}`}`
  }
  const status = response?.['status_code']
  const error = errorAt(line) ?? errorAt(objectAt(response, 'body'))
  return error ?? (typeof status === 'number' && status !== 200 ? `status_code ${status}` : undefined)
}
