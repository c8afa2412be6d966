import { type EngineReply, toChance } from '../answers.ts'
import { type Json, readCase } from '../cases.ts'
import type { Desk } from '../desk.ts'
import { bearerOf, type EngineRequest, type EngineResponse, NOT_FOUND, type Understood, type Wire } from '../wire.ts'

/** How a service writes what another one writes in the same frame. */
interface Manner {
  readonly provider: string
  readonly metadata: Json
  /** `references` or `reference_links`, and the first number in it. */
  readonly references: string
  readonly firstIndex: number
  readonly words: string
  readonly markdown: string
  readonly list: string
}

const SERPAPI: Manner = {
  provider: 'serpapi',
  metadata: readCase('serpapi-ai-overview', 'nested-blocks')['search_metadata'] as Json,
  references: 'references',
  firstIndex: 0,
  words: 'snippet',
  markdown: 'reconstructed_markdown',
  list: 'list',
}
const SEARCHAPI: Manner = {
  provider: 'searchapi',
  metadata: readCase('searchapi', 'overviews')['search_metadata'] as Json,
  references: 'reference_links',
  firstIndex: 1,
  words: 'answer',
  markdown: 'markdown',
  list: 'items',
}

/** SerpApi: the key stands in the URL. A part of the overviews comes for a page token alone. */
export const serpapi: Wire = {
  secretOf: ({ query }) => query.get('api_key') ?? undefined,
  read: (request, desk) => (/\/search(?:\.json)?$/.test(request.path) ? read(request, desk, SERPAPI) : NOT_FOUND),
}

/** SearchApi.io: the key stands in a header, or in the URL. */
export const searchapi: Wire = {
  secretOf: (request) => bearerOf(request) ?? request.query.get('api_key') ?? undefined,
  read: (request, desk) => (request.path.endsWith('/search') ? read(request, desk, SEARCHAPI) : NOT_FOUND),
}

function read({ method, query }: EngineRequest, desk: Desk, manner: Manner): Understood | EngineResponse {
  const engine = query.get('engine') ?? 'google'
  const parameters = Object.fromEntries([...query].filter(([name]) => name !== 'api_key'))
  const token = query.get('page_token')
  if (method !== 'GET') return NOT_FOUND
  if (engine === 'google_ai_overview') {
    const found = token === null ? undefined : desk.findPageToken(token)
    if (found === undefined) return { status: 400, json: { error: 'Missing or unknown `page_token`.' } }
    return {
      kind: 'follow',
      question: found.question,
      model: engine,
      respond: (reply) => ({
        status: 200,
        json: found.isDead
          ? { ...toFrame(manner, parameters, 'Error'), error: 'page_token has expired' }
          : toFollowed(reply, manner, parameters),
      }),
    }
  }
  const question = query.get('q') ?? query.get('prompt') ?? ''
  if (question === '') return { status: 400, json: { error: 'Missing query `q` parameter.' } }
  return {
    kind: 'ask',
    question,
    model: engine,
    respond: (reply) => ({
      status: 200,
      json:
        engine === 'google'
          ? toPage(reply, question, manner, parameters, desk)
          : { ...toFrame(manner, parameters), ...toAnswer(reply, manner) },
    }),
  }
}

function toFrame({ metadata }: Manner, parameters: Json, status = 'Success'): Json {
  return { search_metadata: { ...metadata, status }, search_parameters: parameters }
}

/** A page of results: with the overview in it, with a token for it, or without one. */
function toPage(reply: EngineReply, question: string, manner: Manner, parameters: Json, desk: Desk): Json {
  const page = { ...toFrame(manner, parameters), organic_results: [{ position: 1, link: 'https://organic.example/' }] }
  const chance = toChance(manner.provider, question)
  if (reply.kind === 'none') return page
  if (chance('token', 2) === 0) return { ...page, ai_overview: { page_token: desk.givePageToken(question) } }
  return { ...page, ai_overview: toAnswer(reply, manner) }
}

/** SerpApi puts a fetched overview where the page has it, SearchApi at the top. */
function toFollowed(reply: EngineReply, manner: Manner, parameters: Json): Json {
  const answer = toAnswer(reply, manner)
  const isInside = manner === SERPAPI && !('error' in answer)
  return { ...toFrame(manner, parameters), ...(isInside ? { ai_overview: answer } : answer) }
}

function toAnswer(reply: EngineReply, { words, markdown, list, references, firstIndex }: Manner): Json {
  if (reply.kind === 'none') return { error: 'An AI Overview is not available for this search' }
  if (reply.kind === 'unfinished') return { error: "Can't generate an AI overview right now. Try again later." }
  const [first = '', ...rest] = reply.sentences
  return {
    text_blocks: [
      { type: 'paragraph', [words]: first, reference_indexes: [firstIndex] },
      {
        type: list === 'list' ? 'list' : 'ordered_list',
        [list]: rest.map((sentence, index) => ({ [words]: sentence, reference_indexes: [firstIndex + index + 1] })),
      },
    ],
    [references]: reply.links.map(({ url, title }, index) => ({ title, link: url, index: firstIndex + index })),
    [markdown]: reply.sentences.join('\n\n'),
  }
}
