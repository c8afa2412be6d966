import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { answerTo, type EngineReply, toChance } from './answers.ts'
import { Desk } from './desk.ts'
import { type Entry, Ledger } from './ledger.ts'
import { type Act, isBought, type Rule, type Script } from './script.ts'
import { type EngineProvider, TEST_SECRETS } from './secrets.ts'
import type { EngineRequest, EngineResponse, Understood, Wire } from './wire.ts'
import { anthropic } from './wires/anthropic.ts'
import { brightdata } from './wires/brightdata.ts'
import { dataforseo } from './wires/dataforseo.ts'
import { gemini } from './wires/gemini.ts'
import { openai } from './wires/openai.ts'
import { oxylabs } from './wires/oxylabs.ts'
import { perplexity } from './wires/perplexity.ts'
import { searchapi, serpapi } from './wires/search-pages.ts'

const WIRES: Readonly<Record<EngineProvider, Wire>> = {
  openai,
  anthropic,
  gemini,
  perplexity,
  searchapi,
  serpapi,
  dataforseo,
  brightdata,
  oxylabs,
  custom: openai,
}

export interface EnginesOptions {
  /** Where the ledger is kept; in memory alone without it. */
  readonly ledger?: string
  readonly script?: Script
  readonly secrets?: Readonly<Record<string, string>>
  readonly port?: number
  /** Keeps the bodies of all responses in the ledger. */
  readonly keepsBodies?: boolean
}

/** All engines and services behind one address: `URL/openai`, `URL/serpapi` and so on stand in for their own. */
export class Engines {
  readonly ledger: Ledger
  /** May be changed at any time. */
  script: Script
  /** The most requests of each provider that were under way at once. */
  readonly mostUnderWay: Record<string, number> = {}
  /** Told of each entry as soon as it stands in the ledger, and once more when its response was handed over. */
  watch: ((entry: Entry, isSent: boolean) => void) | undefined
  readonly #secrets: Readonly<Record<string, string>>
  readonly #keepsBodies: boolean
  readonly #desk = new Desk(() => this.script)
  readonly #counts = new Map<string, number>()
  readonly #underWay = new Map<string, number>()
  readonly #taken = new Map<string, number[]>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  #connections = 0

  private constructor({ ledger, script = {}, secrets = TEST_SECRETS, keepsBodies = false }: EnginesOptions) {
    this.ledger = new Ledger(ledger)
    this.script = script
    this.#secrets = secrets
    this.#keepsBodies = keepsBodies
    this.#server.keepAliveTimeout = 60_000
    this.#server.on('connection', (socket) => {
      const every = this.script.resetEveryConnections
      this.#connections += 1
      if (every !== undefined && this.#connections % every === 0) socket.resetAndDestroy()
    })
  }

  static async start(options: EnginesOptions = {}): Promise<Engines> {
    const engines = new Engines(options)
    await once(engines.#server.listen(options.port ?? 0, '127.0.0.1'), 'listening')
    return engines
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://engines')
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(chunks).toString()
    if (url.pathname === '/ledger') return void response.end(JSON.stringify(this.ledger.entries))
    if (url.pathname === '/script' && request.method === 'PUT') {
      this.script = JSON.parse(body) as Script
      return void response.end()
    }
    const [, provider = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(url.pathname) ?? []
    const wire = WIRES[provider as EngineProvider] as Wire | undefined
    const asked = {
      method: request.method ?? 'GET',
      path,
      query: url.searchParams,
      headers: request.headers,
      json: parse(body),
    }
    this.#count(provider, 1)
    try {
      if (wire === undefined) send(response, { status: 404 })
      else await this.#answer(provider, wire, asked, response)
    } finally {
      this.#count(provider, -1)
    }
  }

  #count(provider: string, step: number): void {
    const now = (this.#underWay.get(provider) ?? 0) + step
    this.#underWay.set(provider, now)
    this.mostUnderWay[provider] = Math.max(this.mostUnderWay[provider] ?? 0, now)
  }

  async #answer(provider: string, wire: Wire, request: EngineRequest, response: ServerResponse): Promise<void> {
    if (wire.secretOf(request) !== this.#secrets[provider]) {
      return send(response, { status: 401, json: { error: { message: 'Incorrect API key provided.' } } })
    }
    const waitMs = this.#takeTurn(provider)
    if (waitMs > 0) return sendTooMany(response, waitMs)
    const understood = wire.read(request, this.#desk)
    if ('status' in understood) return send(response, understood)
    const { kind, question, model } = understood
    const key = `${provider} ${model} ${kind} ${question}`
    const nth = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, nth)
    const act = chooseAct(this.script.rules ?? [], provider, understood, nth)
    const bought = kind === 'ask' && isBought(act)
    const answer =
      act.do === 'refuse' ? undefined : understood.respond(toReply(act, provider, question), act, this.#desk)
    const entry = { provider, kind, question, model, nth, act: act.do, bought, atMs: Date.now() }
    this.ledger.add(this.#keepsBodies ? { ...entry, body: answer?.json } : entry)
    this.watch?.(entry, false)
    response.once('finish', () => this.watch?.(entry, true))
    await sleep((act.do === 'answer' ? act.afterMs : undefined) ?? this.script.latencyMs ?? 0)
    await perform(act, answer ?? { status: 200 }, request, response)
  }

  /** How long a provider that takes so many requests a second wants one to wait. */
  #takeTurn(provider: string): number {
    const most = this.script.perSecond?.[provider]
    if (most === undefined) return 0
    const now = performance.now()
    const taken = (this.#taken.get(provider) ?? []).filter((at) => at > now - 1_000)
    this.#taken.set(provider, taken)
    if (taken.length >= most) return (taken[0] ?? now) + 1_000 - now
    taken.push(now)
    return 0
  }
}

const GIVES_TASKS: ReadonlySet<string> = new Set<EngineProvider>(['dataforseo', 'brightdata', 'oxylabs'])

function chooseAct(rules: readonly Rule[], provider: string, { kind, question }: Understood, nth: number): Act {
  const rule = rules.find(
    (rule, index) =>
      (rule.provider ?? provider) === provider &&
      (rule.kind ?? 'ask') === kind &&
      (GIVES_TASKS.has(provider) || (rule.act.do !== 'fail' && rule.act.do !== 'never')) &&
      question.includes(rule.question ?? '') &&
      (rule.nth?.includes(nth) ?? true) &&
      toChance(provider, question, kind, String(nth))(`rule ${index}`, rule.oneIn ?? 1) === 0,
  )
  return rule?.act ?? { do: 'answer' }
}

function toReply(act: Act, provider: string, question: string): EngineReply {
  return act.do === 'none' || act.do === 'unfinished' ? { kind: act.do } : answerTo(provider, question)
}

async function perform(
  act: Act,
  answer: EngineResponse,
  request: EngineRequest,
  response: ServerResponse,
): Promise<void> {
  const bytes = format(answer.json, request)
  switch (act.do) {
    case 'refuse':
      return send(response, { status: act.status, json: act.body ?? { error: { message: 'refused' } } }, act.headers)
    case 'break':
      return send(response, { status: act.status, json: { error: { message: 'The server had an error.' } } })
    case 'echo': {
      const { method, path, headers, json } = request
      const echo = { method, path, query: request.query.toString(), values: [...request.query.values()], headers, json }
      const message = `Incorrect API key provided: ${headers.authorization ?? request.query.toString()}`
      const isObject = typeof answer.json === 'object' && !Array.isArray(answer.json)
      const said = isObject ? { ...answer.json, echo } : answer.json
      return send(response, { status: act.status, json: act.status === 200 ? said : { error: { message, echo } } })
    }
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' })
      return void response.end('<!doctype html><title>Maintenance</title><p>{"choices": [] is not JSON')
    case 'cut':
      response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': bytes.length })
      response.write(bytes.subarray(0, Math.min(act.at, bytes.length - 1)), () => response.destroy())
      return
    case 'reset':
      return void response.socket?.resetAndDestroy()
    case 'silence':
      return
    case 'drip':
      return drip(act, answer.status, bytes, response)
    case 'pad': {
      const padded = Buffer.concat([bytes, Buffer.alloc(Math.max(0, act.bytes - bytes.length), ' ')])
      return sendBytes(response, answer.status, padded, act.gzip === true)
    }
    case 'answer':
    case 'none':
    case 'unfinished':
    case 'never':
    case 'fail':
    case 'pause': {
      const takesGzip = String(request.headers['accept-encoding']).includes('gzip')
      return sendBytes(response, answer.status, bytes, takesGzip && bytes.length % 3 === 0)
    }
  }
}

async function drip(
  { pieces, everyMs }: { pieces: number; everyMs: number },
  status: number,
  bytes: Buffer,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' })
  const size = Math.max(1, Math.ceil(bytes.length / pieces))
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size))
    await sleep(everyMs)
  }
  response.end()
}

/** The same document in one of three ways of writing it. */
function format(json: unknown, { path }: EngineRequest): Buffer {
  if (json === undefined) return Buffer.alloc(0)
  const compact = JSON.stringify(json)
  const chance = toChance(path, compact)('format', 3)
  if (chance === 0) return Buffer.from(compact)
  const pretty = JSON.stringify(json, null, chance === 1 ? 2 : '\t')
  return Buffer.from(chance === 1 ? pretty : pretty.replaceAll('\n', '\r\n'))
}

function send(
  response: ServerResponse,
  { status, json }: EngineResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(json === undefined ? '' : JSON.stringify(json))
}

function sendBytes(response: ServerResponse, status: number, bytes: Buffer, isPacked: boolean): void {
  const packed = isPacked ? gzipSync(bytes) : bytes
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': packed.length,
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(packed)
}

function sendTooMany(response: ServerResponse, waitMs: number): void {
  const headers = {
    'retry-after': String(Math.ceil(waitMs / 1_000)),
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': `${Math.ceil(waitMs)}ms`,
  }
  send(response, { status: 429, json: { error: { message: 'Rate limit reached.', type: 'requests' } } }, headers)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
