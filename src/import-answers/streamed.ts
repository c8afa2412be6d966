import type { Rejection } from '../domain/rejection.ts'
import { ANSWER_RECORD_BYTES_MAX } from '../limits.ts'
import { type Document, TOO_LONG } from './document.ts'
import { joinChunks, toChunk } from './adapters/gemini-chunks.ts'
import { isObject, type JsonObject, objectAt, textAt } from './adapters/json.ts'

/**
 * Puts together what a streamed answer was split into (contract/payloads 2.2): neighbouring documents that are the parts of one. Chunks of
 * Gemini become the response that they are parts of; the events of others' streams and the lines of an event stream
 * become one rejection, unless the whole response stands in the last event. Other documents go through as they are.
 */
export class StreamJoiner {
  #run: Run | undefined

  push(documents: readonly Document[]): Document[] {
    const whole: Document[] = []
    for (const document of documents) {
      if (this.#run?.take(document)) continue
      whole.push(...this.end())
      this.#run = startRun(document)
      if (!this.#run) whole.push(document)
    }
    return whole
  }

  end(): Document[] {
    const run = this.#run
    this.#run = undefined
    return run ? run.end() : []
  }
}

/** The elements of an array inside a document, joined in the same way. */
export function joinStreamed(list: readonly unknown[]): readonly ({ readonly json: unknown } | Rejection)[] {
  const joiner = new StreamJoiner()
  return [...joiner.push(list.map((json) => ({ line: 0, text: '', json, array: 1 }))), ...joiner.end()]
}

interface Run {
  /** False when the document is no part of it. */
  take(document: Document): boolean
  end(): Document[]
}

function startRun(document: Document): Run | undefined {
  if ('reason' in document) return isEventText(document) ? new EventText(document) : undefined
  if (!isObject(document.json)) return undefined
  const { json } = document
  if (isEvent(json)) return new Events(document, json)
  const chunk = 'platform' in json ? undefined : toChunk(json)
  if (!chunk) return undefined
  const mayGoOn = document.array === 0 ? chunk.responseId !== undefined : chunk.mayStartOlderStream
  const isPart = chunk.isLast ? document.array !== 0 && mayGoOn : document.array !== 0 || mayGoOn
  return isPart ? new GeminiStream(document, chunk) : undefined
}

/** What is kept of a run's documents for those that read its rejection. */
class Texts {
  readonly line: number
  count = 0
  #texts: string[] = []
  #characters = 0

  constructor(document: Document) {
    this.line = document.line
    this.add(document)
  }

  get isTooLong(): boolean {
    return this.#characters > ANSWER_RECORD_BYTES_MAX
  }

  add({ text }: Document): void {
    this.count += 1
    this.#characters += text.length
    if (!this.isTooLong) this.#texts.push(text)
  }

  join(separator: string): string {
    return this.#texts.join(separator)
  }
}

/** The chunks of `streamGenerateContent`: elements of one array, or lines with the same response id. */
class GeminiStream implements Run {
  readonly #first: Document
  readonly #array: number
  readonly #texts: Texts
  #chunks: JsonObject[] = []
  readonly #isOlder: boolean
  #responseId: string | undefined
  #isEnded: boolean
  #fault: string | undefined

  constructor(document: Document & { readonly json: unknown }, chunk: NonNullable<ReturnType<typeof toChunk>>) {
    this.#first = document
    this.#array = document.array
    this.#texts = new Texts(document)
    this.#responseId = chunk.responseId
    this.#isOlder = chunk.mayStartOlderStream
    this.#isEnded = chunk.isLast
    this.#chunks.push(chunk.json)
  }

  take(document: Document): boolean {
    if (document.array !== this.#array) return false
    if ('reason' in document) return this.#array !== 0 && !this.#isEnded && this.#break(document, document.reason)
    const chunk = isObject(document.json) ? toChunk(document.json) : undefined
    if (!chunk) return false
    if (chunk.error !== undefined) {
      return this.#array !== 0 && !this.#isEnded && this.#break(document, `it ends in an error, ${chunk.error}`)
    }
    const isOther =
      chunk.responseId !== undefined && this.#responseId !== undefined && chunk.responseId !== this.#responseId
    const isSure = this.#array !== 0 || (chunk.responseId !== undefined && chunk.responseId === this.#responseId)
    const isOlder = this.#isOlder && chunk.mayContinueOlderStream
    if (isOther || !isSure || (this.#isEnded && !chunk.isTail && !isOlder)) return false
    this.#texts.add(document)
    this.#responseId ??= chunk.responseId
    this.#isEnded ||= chunk.isLast
    if (this.#texts.isTooLong) this.#chunks = []
    else this.#chunks.push(chunk.json)
    return true
  }

  #break(document: Document, fault: string): boolean {
    this.#texts.add(document)
    this.#fault ??= fault
    return true
  }

  end(): Document[] {
    const { line, count } = this.#texts
    if (count === 1) return [this.#first]
    const whole = { line, text: `[${this.#texts.join(',')}]`, array: this.#array }
    const stream = `a stream of ${count} chunks of one answer`
    if (this.#fault !== undefined) return [{ ...whole, reason: `${stream} is broken: ${this.#fault}` }]
    if (this.#texts.isTooLong) return [{ ...whole, reason: TOO_LONG }]
    if (!this.#isEnded) return [{ ...whole, reason: `${stream} has no end: wanted a last chunk with finishReason` }]
    return [{ ...whole, json: joinChunks(this.#chunks) }]
  }
}

/** Types of events that Anthropic's and Google's streams are made of; OpenAI's begin with `response.`. */
const EVENT_TYPE =
  /^(?:response\.[a-z_.]+|message_(?:start|delta|stop)|content_block_(?:start|delta|stop)|(?:interaction|content|step)\.[a-z_]+)$/
const LAST_EVENT = /^response\.(?:completed|failed|incomplete)$/

function isEvent(json: JsonObject): boolean {
  if (json['object'] === 'chat.completion.chunk') return true
  const type = textAt(json, 'event_type') ?? textAt(json, 'type')
  return type !== undefined && EVENT_TYPE.test(type)
}

class Events implements Run {
  readonly #texts: Texts
  /** The last event, when it holds the whole response. */
  #whole: Document | undefined

  constructor(document: Document & { readonly json: unknown }, event: JsonObject) {
    this.#texts = new Texts(document)
    this.#whole = toWhole(document, event)
  }

  take(document: Document): boolean {
    if (this.#whole || 'reason' in document || !isObject(document.json)) return false
    if (!isEvent(document.json) && document.json['type'] !== 'ping') return false
    this.#texts.add(document)
    this.#whole = toWhole(document, document.json)
    return true
  }

  end(): Document[] {
    const { line, count } = this.#texts
    if (this.#whole) return [{ ...this.#whole, line }]
    const reason = `${count === 1 ? 'an event' : `${count} events`} of a streamed answer; wanted the whole response`
    return [{ line, text: this.#texts.join('\n'), array: 0, reason }]
  }
}

function toWhole(document: Document, event: JsonObject): Document | undefined {
  const response = objectAt(event, 'response')
  return response && LAST_EVENT.test(textAt(event, 'type') ?? '')
    ? { line: document.line, text: document.text, array: document.array, json: response }
    : undefined
}

function isEventText(document: Document): boolean {
  return document.array === 0 && /^(?:(?:event|data|id|retry):|:)/.test(document.text)
}

/** The lines of a `text/event-stream`, which are no JSON. */
class EventText implements Run {
  readonly #texts: Texts

  constructor(document: Document) {
    this.#texts = new Texts(document)
  }

  take(document: Document): boolean {
    if (!('reason' in document) || !isEventText(document)) return false
    this.#texts.add(document)
    return true
  }

  end(): Document[] {
    const { line, count } = this.#texts
    const reason = `an event stream of ${count} lines (${EVENT_STREAM}`
    return [{ line, text: this.#texts.join('\n'), array: 0, reason }]
  }
}

const EVENT_STREAM = '"event:", "data:"), not a response; save the response of a request that doesn\'t stream'
