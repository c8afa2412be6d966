import type { EngineReply } from '../answers.ts'
import { toChance } from '../answers.ts'
import { type Json, listOf, objectOf, readCase, textOf } from '../cases.ts'
import { bearerOf, NOT_FOUND, type Wire } from '../wire.ts'

/** OpenAI's Responses and chat completions; gateways speak the same. */
export const openai: Wire = {
  secretOf: bearerOf,
  read({ method, path, json }) {
    const body = objectOf(json)
    const model = textOf(body['model'])
    if (method !== 'POST' || model === '') return NOT_FOUND
    if (path.endsWith('/responses')) {
      const question = lastText(body['input'])
      const schema = objectOf(objectOf(objectOf(body['text'])['format'])['schema'])
      return {
        kind: 'ask',
        question,
        model,
        respond: (reply) => ({ status: 200, json: toResponse(reply, question, model, schema) }),
      }
    }
    if (path.endsWith('/chat/completions')) {
      const question = lastText(body['messages'])
      const schema = objectOf(objectOf(objectOf(body['response_format'])['json_schema'])['schema'])
      return {
        kind: 'ask',
        question,
        model,
        respond: (reply) => ({ status: 200, json: toCompletion(reply, question, model, schema) }),
      }
    }
    return NOT_FOUND
  },
}

/** The last thing that a user said: a text, or the text parts of a message. */
export function lastText(said: unknown): string {
  if (typeof said === 'string') return said
  const { content } = listOf(said).findLast(({ role }) => role === 'user') ?? {}
  if (typeof content === 'string') return content
  return listOf(content)
    .map(({ text }) => textOf(text))
    .join('')
}

function toResponse(reply: EngineReply, question: string, model: string, schema: Json): Json {
  const frame = readCase('openai-responses', 'consulted-and-cited')
  const chance = toChance('openai', model, question)
  const usage = { input_tokens: 300 + chance('in', 9_000), output_tokens: 20 + chance('out', 900) }
  const said = {
    ...frame,
    id: `resp_${chance('id', 1e9)}`,
    model: /\d{4}-\d\d-\d\d$/.test(model) ? model : `${model}-2026-05-01`,
    usage: { ...usage, total_tokens: usage.input_tokens + usage.output_tokens },
  }
  if (reply.kind === 'unfinished') {
    const cut = readCase('openai-responses', 'refused-failed-incomplete', 2)
    return {
      ...cut,
      ...said,
      status: 'incomplete',
      incomplete_details: cut['incomplete_details'],
      output: cut['output'],
    }
  }
  if (reply.kind === 'none') {
    return { ...said, output: readCase('openai-responses', 'refused-failed-incomplete')['output'] }
  }
  const message = listOf(frame['output']).find(({ type }) => type === 'message')
  if ('properties' in schema) {
    const text = JSON.stringify(toInstance(schema, question))
    return { ...said, output: [{ ...message, content: [{ type: 'output_text', text, annotations: [] }] }] }
  }
  const text = reply.sentences.join(' ')
  const annotations = reply.links.slice(0, -1).map(({ url, title }, index) => ({
    type: 'url_citation',
    start_index: index,
    end_index: text.length,
    url: `${url}${url.includes('?') ? '&' : '?'}utm_source=openai`,
    title,
  }))
  const search = {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: {
      type: 'search',
      queries: reply.queries,
      sources: reply.links.map(({ url }) => ({ type: 'url', url })),
    },
  }
  const parts = [{ type: 'output_text', text, annotations }]
  return { ...said, output: [{ type: 'reasoning', id: 'rs_1', summary: [] }, search, { ...message, content: parts }] }
}

function toCompletion(reply: EngineReply, question: string, model: string, schema: Json): Json {
  const frame = readCase('openai-responses', 'chat-completion-with-annotations')
  const chance = toChance('chat', model, question)
  const usage = { prompt_tokens: 30 + chance('in', 9_000), completion_tokens: 20 + chance('out', 900) }
  const said = { ...frame, model, usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }
  if (reply.kind !== 'answer') {
    const index = reply.kind === 'none' ? 7 : 6
    return { ...said, choices: readCase('openai-responses', 'refused-failed-incomplete', index)['choices'] }
  }
  const content = 'properties' in schema ? JSON.stringify(toInstance(schema, question)) : reply.sentences.join(' ')
  const annotations = reply.links.slice(0, -1).map(({ url, title }) => ({
    type: 'url_citation',
    url_citation: { start_index: 0, end_index: content.length, url, title },
  }))
  const message = { role: 'assistant', content, refusal: null, annotations }
  return { ...said, choices: [{ index: 0, finish_reason: 'stop', message }] }
}

/** Something that fits a JSON schema, chosen by the question. */
export function toInstance(schema: Json, question: string): unknown {
  const chance = toChance('schema', question)
  if (Array.isArray(schema['enum'])) return schema['enum'][chance('enum', schema['enum'].length)]
  if (schema['type'] === 'object') {
    const properties = Object.entries(objectOf(schema['properties']))
    return Object.fromEntries(properties.map(([name, each]) => [name, toInstance(objectOf(each), question)]))
  }
  if (schema['type'] === 'array') return [toInstance(objectOf(schema['items']), question)]
  if (schema['type'] === 'number') return chance('number', 101) / 100
  if (schema['type'] === 'integer') return chance('number', 3)
  return schema['type'] === 'boolean' ? chance('boolean', 2) === 1 : 'as the text says'
}
