import type { Rejection } from '../../domain/rejection.ts'
import { describe, errorAt, isObject, type JsonObject, objectAt, textAt } from './json.ts'

/** What one line of a batch's results holds. */
export interface BatchResult {
  readonly payload: JsonObject
  /** The name that the request was given, for the prompt that it asked. */
  readonly promptId: string | undefined
}

/**
 * A result line of OpenAI's, Anthropic's or Google's batch API as the payload in it, or why the request failed;
 * undefined for anything else.
 */
export function unwrapBatch(json: JsonObject): BatchResult | Rejection | undefined {
  const customId = textAt(json, 'custom_id')
  if (customId !== undefined && isObject(json['result'])) return ofAnthropic(customId, json['result'])
  if (customId !== undefined && ('response' in json || 'error' in json)) return ofOpenai(customId, json)
  const key = textAt(json, 'key')
  if (key !== undefined && ('response' in json || 'error' in json)) return ofGoogle(key, json)
  return undefined
}

function ofAnthropic(customId: string, result: JsonObject): BatchResult | Rejection {
  const message = objectAt(result, 'message')
  if (result['type'] === 'succeeded' && message) return { payload: message, promptId: customId }
  const error = objectAt(result, 'error')
  const why = errorAt(objectAt(error, 'error') ? error : result)
  return failed(customId, `${describe(result['type'])}${why === undefined ? '' : `, ${why}`}`)
}

function ofOpenai(customId: string, line: JsonObject): BatchResult | Rejection {
  const response = objectAt(line, 'response')
  const body = objectAt(response, 'body')
  const status = response?.['status_code']
  const error = errorAt(line) ?? errorAt(body)
  if (error !== undefined) return failed(customId, error)
  if (typeof status === 'number' && status !== 200) return failed(customId, `status_code ${status}`)
  return body ? { payload: body, promptId: customId } : failed(customId, 'no response.body')
}

function ofGoogle(key: string, line: JsonObject): BatchResult | Rejection {
  const response = objectAt(line, 'response')
  const error = errorAt(line)
  if (error !== undefined) return failed(key, error)
  return response ? { payload: response, promptId: key } : failed(key, 'no response')
}

function failed(request: string, why: string): Rejection {
  return { reason: `the batch's request ${describe(request)} failed: ${why}` }
}
