import { type EngineReply, toChance } from '../answers.ts'
import { type Json, listOf, objectOf, readCase, textOf } from '../cases.ts'
import { bearerOf, NOT_FOUND, type Wire } from '../wire.ts'
import { lastText, toInstance } from './openai.ts'

/** Perplexity's Sonar, which says in the payload what a request costs. */
export const perplexity: Wire = {
  secretOf: bearerOf,
  read({ method, path, json }) {
    const body = objectOf(json)
    const model = textOf(body['model'])
    if (method !== 'POST' || !/\/(?:chat\/completions|sonar)$/.test(path) || model === '') return NOT_FOUND
    const question = lastText(body['messages'])
    const schema = objectOf(objectOf(objectOf(body['response_format'])['json_schema'])['schema'])
    return {
      kind: 'ask',
      question,
      model,
      respond: (reply) => ({ status: 200, json: toBody(reply, question, model, schema) }),
    }
  },
}

function toBody(reply: EngineReply, question: string, model: string, schema: Json): Json {
  const chance = toChance('perplexity', model, question)
  const tokens = { prompt_tokens: 5 + chance('in', 50), completion_tokens: 20 + chance('out', 900) }
  const cost = { request_cost: 0.005, output_tokens_cost: Number((tokens.completion_tokens * 1e-6).toFixed(6)) }
  const usage = {
    ...tokens,
    total_tokens: tokens.prompt_tokens + tokens.completion_tokens,
    search_context_size: 'low',
    cost: { ...cost, total_cost: Number((cost.request_cost + cost.output_tokens_cost).toFixed(6)) },
  }
  const said = { id: `p${chance('id', 1e9)}`, model, usage }
  if (reply.kind === 'unfinished') return { ...readCase('perplexity', 'cut-off'), ...said }
  const frame: Json = { ...readCase('perplexity', 'search-results-with-titles'), ...said }
  if (reply.kind === 'none') {
    const [choice] = listOf(frame['choices'])
    return {
      ...frame,
      citations: [],
      search_results: [],
      choices: [{ ...choice, message: { role: 'assistant', content: '' } }],
    }
  }
  if ('properties' in schema) {
    const message = { role: 'assistant', content: JSON.stringify(toInstance(schema, question)) }
    return { ...frame, citations: [], search_results: [], choices: [{ index: 0, finish_reason: 'stop', message }] }
  }
  const [result] = listOf(frame['search_results'])
  const content = reply.sentences.map((sentence, index) => `${sentence} [${index + 1}]`).join(' ')
  return {
    ...frame,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    citations: reply.links.map(({ url }) => url),
    search_results: reply.links.map(({ url, title }) => ({ ...result, url, title })),
  }
}
