import { type EngineReply, toChance } from '../answers.ts'
import { type Json, listOf, objectOf, readCase, textOf } from '../cases.ts'
import type { Task } from '../desk.ts'
import { bearerOf, NOT_FOUND, type Wire } from '../wire.ts'

/** Where the rows of a data set come from. */
const SITES: Readonly<Record<string, string>> = {
  gd_m7aof0k82r803d5bjm: 'https://chatgpt.com/',
  gd_m7dhdot1vw9a7gc1n: 'https://www.perplexity.ai/',
  gd_m7di5jy6s9geokz8w: 'https://copilot.microsoft.com/',
  gd_mbz66arm2mf9cu856y: 'https://gemini.google.com/',
  gd_mcswdt6z2elth3zqr2: 'https://google.com/aimode',
}

/** Bright Data: a data set is triggered, its progress looked at, and its snapshot fetched. */
export const brightdata: Wire = {
  secretOf: bearerOf,
  read({ method, path, query, json }, desk) {
    const [, way = '', id] = /\/datasets\/v3\/(trigger|progress|snapshot)(?:\/([\w-]+))?$/.exec(path) ?? []
    if (method === 'POST' && way === 'trigger') {
      const dataset = query.get('dataset_id') ?? ''
      const [asked = {}] = Array.isArray(json) ? listOf(json) : listOf(objectOf(json)['input'])
      const question = textOf(asked['prompt'])
      if (!(dataset in SITES) || question === '')
        return { status: 400, json: { error: 'dataset_id or prompt is wrong' } }
      return {
        kind: 'ask',
        question,
        model: dataset,
        respond: (reply, act) => ({
          status: 200,
          json: { snapshot_id: desk.openTask({ question, model: dataset, reply, asked }, act).id },
        }),
      }
    }
    const task = id === undefined ? undefined : desk.findTask(id)
    if (method !== 'GET' || task === undefined) return { status: 404, json: 'Snapshot does not exist' }
    const { question, model } = task
    if (way !== 'progress' && way !== 'snapshot') return NOT_FOUND
    return {
      kind: 'poll',
      question,
      model,
      respond() {
        const isReady = desk.isReady(task)
        if (way === 'progress') {
          const status = isReady ? (task.fails ? 'failed' : 'ready') : 'running'
          return { status: 200, json: { snapshot_id: id, dataset_id: model, status } }
        }
        if (!isReady) return { status: 202, json: { status: 'running', message: 'Snapshot is not ready yet' } }
        return { status: 200, json: [toRow(task)] }
      },
    }
  },
}

function toRow({ question, model, reply, fails, asked }: Task): Json {
  const url = SITES[model] ?? ''
  if (fails || reply.kind === 'unfinished') {
    return { ...readCase('brightdata', 'other-engines-and-fallbacks', 5), url, prompt: question, input: asked }
  }
  const said = { url: `${url}?q=1`, prompt: question, input: asked }
  if (reply.kind === 'none') return { ...readCase('brightdata', 'other-engines-and-fallbacks', 3), ...said }
  return { ...readCase('brightdata', 'chatgpt-row'), ...said, ...toAnswer(reply, question) }
}

function toAnswer(reply: EngineReply & { kind: 'answer' }, question: string): Json {
  const text = reply.sentences.join('\n\n')
  return {
    answer_text: text,
    answer_text_markdown: toChance('brightdata', question)('markdown', 3) > 0 ? text : '',
    citations: reply.links.slice(0, -1).map(({ url, title }, index) => ({ url, title, position: index + 1 })),
    search_sources: reply.links.map(({ url, title }) => ({ url, title })),
    links_attached: reply.links.map(({ url, title }, position) => ({ url, text: title, position })),
    web_search_query: reply.queries,
  }
}
