import type { EngineReply } from '../answers.ts'
import { type Json, listOf, objectOf, readCase, textOf } from '../cases.ts'
import { basicOf, NOT_FOUND, type Wire } from '../wire.ts'

/** Oxylabs by push-pull: a query is pushed, its job looked at, and the results pulled. */
export const oxylabs: Wire = {
  secretOf: basicOf,
  read({ method, path, json }, desk) {
    const [, id, results] = /\/queries(?:\/([\w-]+)(\/results)?)?$/.exec(path) ?? ['']
    if (method === 'POST' && path.endsWith('/queries')) {
      const asked = objectOf(json)
      const question = textOf(asked['prompt']) || textOf(asked['query'])
      const source = textOf(asked['source'])
      if (question === '' || source === '') return { status: 400, json: { message: 'source and query are required' } }
      return {
        kind: 'ask',
        question,
        model: source,
        respond: (reply, act) => {
          const task = desk.openTask({ question, model: source, reply, asked }, act)
          return { status: 202, json: { ...asked, id: task.id, status: 'pending' } }
        },
      }
    }
    const task = id === undefined ? undefined : desk.findTask(id)
    if (method !== 'GET' || task === undefined) return NOT_FOUND
    const { question, model } = task
    return {
      kind: 'poll',
      question,
      model,
      respond() {
        const isReady = desk.isReady(task)
        const status = isReady ? (task.fails ? 'faulted' : 'done') : 'pending'
        if (results === undefined) return { status: 200, json: { id, source: model, status } }
        if (!isReady || task.fails) return { status: 204 }
        return { status: 200, json: { results: [toResult(task.reply, question, model, task.id)] } }
      },
    }
  },
}

function toResult(reply: EngineReply, question: string, source: string, job: string): Json {
  if (reply.kind === 'unfinished') return firstOf('failed', 1)
  const frame = { ...frameOf(source), job_id: job }
  const content = objectOf(objectOf(frame)['content'])
  if (source === 'google_search') {
    const none = firstOf('ai-overview', 1)
    if (reply.kind === 'none') return { ...none, job_id: job }
    const answerText = reply.sentences.map((text, index) => ({
      fragments: [{ text, references: [{ url: reply.links[index]?.url, source: reply.links[index]?.title }] }],
    }))
    const overview = { answer_text: answerText, source_panel: { items: [] } }
    const inner = { ...objectOf(content['results']), ai_overviews: [overview], search_information: { query: question } }
    return { ...frame, content: { ...content, results: inner } }
  }
  const text = reply.kind === 'none' ? '' : reply.sentences.join('\n\n')
  const links = reply.kind === 'none' ? [] : reply.links.slice(0, -1)
  const said: Readonly<Record<string, Json>> = {
    chatgpt: { prompt: question, markdown_text: text, response_text: text, citations: links },
    google_ai_mode: { prompt: question, response_text: text, citations: [{ text, urls: links.map(({ url }) => url) }] },
    perplexity: { prompt_query: question, answer_results_md: text, additional_results: { sources_results: links } },
  }
  return { ...frame, content: { ...content, ...said[source] } }
}

function frameOf(source: string): Json {
  if (source === 'google_search') return firstOf('ai-overview', 0)
  if (source === 'perplexity') return firstOf('perplexity-and-ai-mode', 0)
  return source === 'google_ai_mode' ? firstOf('perplexity-and-ai-mode', 1) : firstOf('chatgpt', 0)
}

function firstOf(name: string, index: number): Json {
  return objectOf(listOf(readCase('oxylabs', name, index)['results'])[0])
}
