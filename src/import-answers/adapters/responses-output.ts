import type { CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { describe, errorAt, isObject, type JsonObject, objectAt, objectsAt, pieceAt, textAt, textsAt } from './json.ts'
import { defined, toSource, toSources } from './sources.ts'

/** The reply in a response of the Responses kind: its text (null when the model refused) and the links it cites. */
export interface ResponseReply {
  readonly text: string | null
  /** Annotations of type `url_citation`, in order. */
  readonly annotations: readonly JsonObject[]
}

/** Items by which the model asks its client to do something; the answer comes after the client has. */
const CLIENT_CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'shell_call',
  'local_shell_call',
  'apply_patch_call',
  'mcp_approval_request',
])

export function isResponse(payload: JsonObject): boolean {
  return Array.isArray(payload['output'])
}

/**
 * Reads `output[type=message]`, without what the model says on its way (`phase: "commentary"`). A response that the API
 * itself calls failed or unfinished is a rejection, and so is a turn that ends in a call of the client's tool: brands in
 * the part that is missing would count as not named. A refused one is no answer.
 */
export function readResponse(payload: JsonObject): ResponseReply | Rejection {
  const error = errorAt(payload)
  if (error !== undefined) return { reason: `the response is an error: ${error}` }
  if (payload['object'] === 'response.compaction') {
    return { reason: 'object: found "response.compaction", a compacted conversation; wanted a response' }
  }
  if (objectAt(payload, 'incomplete_details')?.['reason'] === 'content_filter') return { text: null, annotations: [] }
  const status = payload['status']
  if (typeof status === 'string' && status !== 'completed') {
    return { reason: `status: found ${describe(status)}; wanted a finished response ("completed")` }
  }
  const output = objectsAt(payload, 'output')
  const messages = output.filter(isReply)
  const call = output.slice(output.findLastIndex(isReply) + 1).find((item) => CLIENT_CALLS.has(item['type']))
  if (call) return { reason: `output ends in a ${describe(call['type'])} for the client; wanted the reply after it` }
  if (messages.length === 0) return { reason: 'output holds no item of type message: the response has no reply' }
  const parts = messages.map((message) => objectsAt(message, 'content'))
  const spoken = parts.map((content) => content.filter((part) => part['type'] === 'output_text'))
  if (spoken.every((content) => content.length === 0)) return { text: null, annotations: [] }
  return {
    text: spoken
      .map((content) => content.map((part) => pieceAt(part, 'text')).join(''))
      .filter(Boolean)
      .join('\n\n'),
    annotations: spoken
      .flat()
      .flatMap((part) => objectsAt(part, 'annotations'))
      .filter((annotation) => annotation['type'] === 'url_citation'),
  }
}

function isReply(item: JsonObject): boolean {
  return item['type'] === 'message' && item['role'] !== 'user' && item['phase'] !== 'commentary'
}

/** What a model searched for and which pages its searches found or it opened, in order. */
export function readSearches(payload: JsonObject): {
  readonly queries: readonly string[] | undefined
  readonly pages: readonly CitationRecord[]
} {
  const actions = objectsAt(payload, 'output').filter(isSearch).map(toAction)
  const queries = actions.flatMap((action) => textsAt(action, 'queries') ?? textsAt(action, 'query') ?? [])
  return {
    queries: queries.length > 0 ? queries : undefined,
    pages: actions.flatMap((action) => [
      ...toSources(action?.['sources']),
      ...defined([toSource(action?.['url'], undefined)]),
    ]),
  }
}

/** xAI runs some of its searches under names of custom tools. */
function isSearch(item: JsonObject): boolean {
  const type = item['type']
  if (type === 'custom_tool_call') return /^(?:x_\w*search|web_search|browse_page)/.test(textAt(item, 'name') ?? '')
  return type === 'web_search_call' || type === 'x_search_call' || type === 'web_fetch_call'
}

/** `action` of a search; xAI also gives it as JSON in a string. */
function toAction(item: JsonObject): JsonObject | undefined {
  const action = objectAt(item, 'action')
  const written = textAt(item, 'arguments') ?? textAt(item, 'input')
  if (action || written === undefined) return action
  try {
    const json: unknown = JSON.parse(written)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}
