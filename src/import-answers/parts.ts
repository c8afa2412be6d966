import { errorAt, isObject, type JsonObject, objectAt, textAt } from './adapters/json.ts'

/**
 * Puts together what came of one answer in several responses, which an envelope has in their order (contract/payloads 2.3):
 * the turns of a message that paused, a search whose overview came for its page token, a job with its results. Others go
 * through as they are. Takes time by the length of the list.
 */
export function joinParts(responses: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = []
  for (let at = 0; at < responses.length;) {
    const turns = countTurns(responses, at)
    const [first, second] = [responses[at], responses[at + 1]]
    const pair =
      isObject(first) && isObject(second) ? (joinOverview(first, second) ?? joinJob(first, second)) : undefined
    if (turns > 1) joined.push(joinTurns(responses.slice(at, at + turns)))
    else joined.push(pair ?? first)
    at += turns > 1 ? turns : pair === undefined ? 1 : 2
  }
  return joined
}

/** Anthropic's: how many from a place on are one message, each but the last paused. */
function countTurns(responses: readonly unknown[], at: number): number {
  let count = 1
  while (isPaused(responses[at + count - 1]) && isContinuation(responses[at + count])) count += 1
  return count
}

function isPaused(part: unknown): boolean {
  return isObject(part) && part['stop_reason'] === 'pause_turn' && Array.isArray(part['content'])
}

/** What follows a pause: the rest of the message, or an error in its place. */
function isContinuation(part: unknown): boolean {
  return (
    isObject(part) && (part['type'] === 'error' || (part['role'] === 'assistant' && Array.isArray(part['content'])))
  )
}

/** The last turn says how the message ends; an error leaves it paused, which is unfinished. */
function joinTurns(parts: readonly unknown[]): JsonObject {
  const turns = parts.filter(isObject).filter((part) => part['type'] !== 'error')
  const content = turns.flatMap((turn) => turn['content'] as unknown[])
  return { ...turns[0], ...turns.at(-1), content }
}

/** SerpApi's and SearchApi.io's: the overview is the search's, whose token was followed. */
function joinOverview(search: JsonObject, part: JsonObject): JsonObject | undefined {
  const overview = objectAt(search, 'ai_overview')
  const token = textAt(overview, 'page_token')
  if (overview === undefined || token === undefined || 'text_blocks' in overview) return undefined
  const parameters = objectAt(part, 'search_parameters')
  const isFollowed = parameters === undefined ? errorAt(part) !== undefined : textAt(parameters, 'page_token') === token
  if (!isFollowed) return undefined
  const { search_metadata: _metadata, search_parameters: _parameters, ...found } = part
  const came = objectAt(part, 'ai_overview') ?? found
  return { ...search, ai_overview: Object.keys(came).length === 0 ? { error: 'nothing for its page token' } : came }
}

/** Oxylabs': a job that is done, and then its results, which say of it under `job`. */
function joinJob(job: JsonObject, part: JsonObject): JsonObject | undefined {
  const isJob = job['status'] === 'done' && typeof job['source'] === 'string' && !('results' in job)
  return isJob && Array.isArray(part['results']) ? { ...part, job } : undefined
}
