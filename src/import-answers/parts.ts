import { errorAt, isObject, type JsonObject, objectAt, textAt } from './adapters/json.ts'

/**
 * Puts together what came of one answer in several responses, which an envelope has in their order (contract/payloads 2.3):
 * the turns of a message that paused, a search whose overview came for its page token, a job with its results. Others go through as they are.
 */
export function joinParts(responses: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = []
  for (const part of responses) {
    const before = joined.at(-1)
    const whole =
      isObject(before) && isObject(part)
        ? (joinTurns(before, part) ?? joinOverview(before, part) ?? joinJob(before, part))
        : undefined
    if (whole === undefined) joined.push(part)
    else joined[joined.length - 1] = whole
  }
  return joined
}

/** Anthropic's: what follows a `pause_turn` goes on in the same message. An error there leaves it unfinished. */
function joinTurns(before: JsonObject, part: JsonObject): JsonObject | undefined {
  if (before['stop_reason'] !== 'pause_turn' || !Array.isArray(before['content'])) return undefined
  if (part['type'] === 'error') return before
  if (part['role'] !== 'assistant' || !Array.isArray(part['content'])) return undefined
  return { ...before, ...part, content: [...(before['content'] as unknown[]), ...(part['content'] as unknown[])] }
}

/** SerpApi's and SearchApi.io's: the overview is the search's, whose token was followed. */
function joinOverview(before: JsonObject, part: JsonObject): JsonObject | undefined {
  const overview = objectAt(before, 'ai_overview')
  const token = textAt(overview, 'page_token')
  if (overview === undefined || token === undefined || 'text_blocks' in overview) return undefined
  const parameters = objectAt(part, 'search_parameters')
  const isFollowed = parameters === undefined ? errorAt(part) !== undefined : textAt(parameters, 'page_token') === token
  if (!isFollowed) return undefined
  const { search_metadata: _metadata, search_parameters: _parameters, ...found } = part
  const came = objectAt(part, 'ai_overview') ?? found
  return { ...before, ai_overview: Object.keys(came).length === 0 ? { error: 'nothing for its page token' } : came }
}

/** Oxylabs': a job that is done, and then its results, which say of it under `job`. */
function joinJob(before: JsonObject, part: JsonObject): JsonObject | undefined {
  const isJob = before['status'] === 'done' && typeof before['source'] === 'string' && !('results' in before)
  return isJob && Array.isArray(part['results']) ? { ...part, job: before } : undefined
}
