import { isDeepStrictEqual } from 'node:util'
import { type EngineReply, toChance } from '../answers.ts'
import { type Json, listOf, objectOf, readCase, textOf } from '../cases.ts'
import { headerOf, NOT_FOUND, type Wire } from '../wire.ts'
import { lastText, toInstance } from './openai.ts'

/** Anthropic's Messages with web search. A paused turn is gone on with by sending back what came. */
export const anthropic: Wire = {
  secretOf: (request) => headerOf(request, 'x-api-key'),
  read(request) {
    const body = objectOf(request.json)
    const model = textOf(body['model'])
    if (request.method !== 'POST' || !request.path.endsWith('/messages') || model === '') return NOT_FOUND
    if (headerOf(request, 'anthropic-version') === undefined || typeof body['max_tokens'] !== 'number') {
      return refuse('anthropic-version: header is required; max_tokens: Field required')
    }
    const messages = listOf(body['messages'])
    const question = lastText(messages)
    const schema = objectOf(objectOf(objectOf(body['output_config'])['format'])['schema'])
    const frame = { ...readCase('anthropic-messages', 'split-sentences-and-consulted'), model }
    const last = messages.at(-1)
    if (last?.['role'] !== 'assistant') {
      return {
        kind: 'ask',
        question,
        model,
        respond: (reply, act) => ({
          status: 200,
          json: act.do === 'pause' ? toPaused(frame, question, act.times) : toMessage(frame, reply, question, schema),
        }),
      }
    }
    const content = listOf(last['content'])
    const left = Number(/^srvtoolu_paused_(\d+)$/.exec(textOf(content.at(-1)?.['tool_use_id']))?.[1]) - 1
    const sent = toPaused(frame, question, left + 1)
    if (!isDeepStrictEqual(content.slice(-2), sent['content'])) return refuse('messages.1.content: not what was sent')
    return {
      kind: 'follow',
      question,
      model,
      respond: (reply) => ({
        status: 200,
        json: left > 0 ? toPaused(frame, question, left) : toMessage(frame, reply, question),
      }),
    }
  },
}

function refuse(message: string): { status: number; json: Json } {
  return { status: 400, json: { type: 'error', error: { type: 'invalid_request_error', message } } }
}

function toPaused(frame: Json, question: string, left: number): Json {
  const id = `srvtoolu_paused_${left}`
  const result = { type: 'web_search_result', url: `https://seen.example/${left}`, title: 'Seen', page_age: null }
  return {
    ...frame,
    content: [
      { type: 'server_tool_use', id, name: 'web_search', input: { query: question.slice(0, 60) } },
      {
        type: 'web_search_tool_result',
        tool_use_id: id,
        content: [{ ...result, encrypted_content: 'EqgB' }],
      },
    ],
    stop_reason: 'pause_turn',
    usage: toUsage(`${question} ${left}`, 1),
  }
}

function toMessage(frame: Json, reply: EngineReply, question: string, schema: Json = {}): Json {
  const said = { ...frame, id: `msg_${toChance('anthropic', question)('id', 1e9)}`, usage: toUsage(question, 1) }
  if (reply.kind === 'unfinished') {
    const { content, stop_reason } = readCase('anthropic-messages', 'failed-refused-unfinished', 2)
    return { ...said, content, stop_reason }
  }
  if (reply.kind === 'none') {
    const { content, stop_reason } = readCase('anthropic-messages', 'failed-refused-unfinished', 1)
    return { ...said, content, stop_reason }
  }
  if ('properties' in schema) {
    const text = JSON.stringify(toInstance(schema, question))
    return { ...said, content: [{ type: 'text', text }], stop_reason: 'end_turn' }
  }
  const results = reply.links.map(({ url, title }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: 'E',
  }))
  return {
    ...said,
    content: [
      { type: 'text', text: 'I will look that up. ' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: reply.queries[0] } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: results },
      ...reply.sentences.map((text, index) => ({
        type: 'text',
        text: `${text} `,
        ...(index === 0 ? {} : { citations: [toCitation(reply.links[index - 1])] }),
      })),
    ],
    stop_reason: 'end_turn',
  }
}

function toCitation(link: { url: string; title: string } | undefined): Json {
  return { type: 'web_search_result_location', ...link, host: undefined, cited_text: '…', encrypted_index: 'Eo8B' }
}

function toUsage(question: string, searches: number): Json {
  const chance = toChance('anthropic', question)
  return {
    input_tokens: 500 + chance('in', 9_000),
    output_tokens: 20 + chance('out', 900),
    server_tool_use: { web_search_requests: searches },
  }
}
