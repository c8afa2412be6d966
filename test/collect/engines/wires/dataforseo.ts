import { type EngineReply, toChance } from '../answers.ts'
import { type Json, listOf, objectOf, readCase, textOf } from '../cases.ts'
import type { Desk } from '../desk.ts'
import type { Act } from '../script.ts'
import { basicOf, type EngineResponse, NOT_FOUND, type Wire } from '../wire.ts'

/**
 * DataForSEO's task post and get, and its live methods, of AI Mode, organic pages and chat scrapers. What is wrong stands in
 * the status codes of the body.
 */
export const dataforseo: Wire = {
  secretOf: basicOf,
  read({ method, path, json }, desk) {
    const [, api = '', way = '', id] =
      /\/v3\/(.+)\/(task_post|task_get|live)(?:\/(?:advanced|regular)(?:\/([\w-]+))?)?$/.exec(path) ?? []
    if (method === 'GET' && way === 'task_get' && id !== undefined) return readTask(id, api, desk)
    if (method !== 'POST' || (way !== 'task_post' && way !== 'live')) return NOT_FOUND
    const [asked = {}] = listOf(json)
    const question = decode(textOf(asked['keyword']) || textOf(asked['user_prompt']))
    if (question === '') return say(api, way, { status_code: 40501, status_message: "Invalid Field: 'keyword'." })
    return {
      kind: 'ask',
      question,
      model: api,
      respond(reply: EngineReply, act: Act) {
        if (way === 'live') return toDone(api, way, question, reply)
        const task = desk.openTask({ question, model: api, reply, asked }, act)
        const created = { id: task.id, status_code: 20100, status_message: 'Task Created.', cost: 0.0012, data: asked }
        return say(api, way, { ...created, result: null }, 0.0012)
      },
    }
  },
}

/** A keyword is read as a part of an address is. */
function decode(keyword: string): string {
  return decodeURIComponent(keyword.replaceAll('+', ' '))
}

function readTask(id: string, api: string, desk: Desk): ReturnType<Wire['read']> {
  const task = desk.findTask(id)
  if (task === undefined)
    return say(api, 'task_get', { id, status_code: 40400, status_message: 'Not Found.', result: null })
  return {
    kind: 'poll',
    question: task.question,
    model: api,
    respond() {
      if (!desk.isReady(task))
        return say(api, 'task_get', { id, status_code: 40602, status_message: 'Task In Queue.', result: null })
      if (task.fails)
        return say(api, 'task_get', { id, status_code: 50401, status_message: 'Internal SE Error.', result: null })
      return toDone(api, 'task_get', task.question, task.reply, id)
    },
  }
}

function say(api: string, way: string, task: Json, cost = 0): EngineResponse {
  const isWrong = Number(task['status_code']) >= 40_000
  return {
    status: 200,
    json: {
      version: '0.1.20260901',
      status_code: 20000,
      status_message: 'Ok.',
      cost,
      tasks_count: 1,
      tasks_error: isWrong ? 1 : 0,
      tasks: [{ path: ['v3', ...api.split('/'), way], data: {}, result_count: task['result'] ? 1 : 0, ...task }],
    },
  }
}

function toDone(api: string, way: string, question: string, reply: EngineReply, id = 'live'): EngineResponse {
  const result = api.startsWith('ai_optimization') ? toScrape(api, question, reply) : toPage(api, question, reply)
  const cost = way === 'live' ? 0.004 : 0
  return say(api, way, { id, status_code: 20000, status_message: 'Ok.', cost, result: [result] }, cost)
}

function toScrape(api: string, question: string, reply: EngineReply): Json {
  const [task] = listOf(readCase('dataforseo', 'llm-scrapes-and-bare-results')['tasks'])
  const frame = { ...objectOf(listOf(task?.['result'])[0]), keyword: question }
  const kind = api.includes('gemini') ? 'gemini' : 'chat_gpt'
  const model = kind === 'gemini' ? 'gemini-3' : 'gpt-5-5'
  if (reply.kind !== 'answer') return { ...frame, model, markdown: null, sources: null, items: [] }
  const sources = reply.links
    .slice(0, -1)
    .map(({ url, title, host }) => ({ type: `${kind}_source`, url, title, domain: host }))
  return {
    ...frame,
    model,
    markdown: reply.sentences.join('\n\n'),
    sources,
    search_results: reply.links.map(({ url, title, host }) => ({ url, title, domain: host })),
    fan_out_queries: reply.queries,
    item_types: [`${kind}_text`],
    items: [{ type: `${kind}_text`, markdown: reply.sentences.join('\n\n'), sources }],
  }
}

function toPage(api: string, question: string, reply: EngineReply): Json {
  const [task] = listOf(readCase('dataforseo', 'ai-mode')['tasks'])
  const frame = { ...objectOf(listOf(task?.['result'])[0]), keyword: question, type: api.split('/').at(-1) }
  const organic = { type: 'organic', url: 'https://organic.example/' }
  if (reply.kind === 'none') return { ...frame, item_types: ['organic'], items: [organic] }
  if (reply.kind === 'unfinished') {
    const half = { type: 'ai_overview', asynchronous_ai_overview: true, markdown: null, items: null, references: null }
    return { ...frame, items: [half] }
  }
  const references = reply.links.slice(0, -1).map(({ url, title, host }) => ({
    type: 'ai_overview_reference',
    position: 'left',
    source: host,
    domain: host,
    url,
    title,
    text: '…',
  }))
  const elements = reply.sentences.map((text, index) => ({
    type: 'ai_overview_element',
    title: null,
    text,
    references: references.slice(index, index + 1),
  }))
  const isMarked = toChance('dataforseo', question)('markdown', 3) > 0
  const overview = {
    type: 'ai_overview',
    rank_group: 1,
    asynchronous_ai_overview: false,
    markdown: isMarked ? reply.sentences.join('\n\n') : null,
    items: elements,
    references,
  }
  return { ...frame, item_types: ['ai_overview'], items: [overview] }
}
