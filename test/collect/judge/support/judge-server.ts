import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** What the server does with the `nth` request about an answer: a model's text as it is written, a status, or no reply. */
export type Act = { readonly says: string } | { readonly status: number } | { readonly does: 'reset' }

/** What a request asked, as it was sent. */
export interface Asked {
  readonly body: { readonly model: string; readonly messages: readonly { readonly content: string }[] }
  readonly authorization: string | undefined
  readonly material: { readonly brand: string; readonly also_called: readonly string[]; readonly answer: string }
}

/** A model that speaks chat completions on a local address; it counts what was bought of it. */
export class JudgeServer {
  /** By answer, in the order of asking. */
  readonly asked: Asked[] = []
  /** Answers that were paid for, again and again where they were. */
  readonly bought: string[] = []
  delayMs = 0
  act: (answer: string, nth: number) => Act | Promise<Act> = (answer) => ({ says: say(readTone(answer)) })
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  static async start(): Promise<JudgeServer> {
    const server = new JudgeServer()
    await once(server.#server.listen(0, '127.0.0.1'), 'listening')
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as Asked['body']
    const material = JSON.parse(body.messages.at(-1)?.content ?? '') as Asked['material']
    this.asked.push({ body, material, authorization: request.headers.authorization })
    const nth = this.asked.filter(({ material: { answer } }) => answer === material.answer).length
    const act = await this.act(material.answer, nth)
    if (!('status' in act) || act.status >= 500) this.bought.push(material.answer)
    await pause(this.delayMs)
    if ('does' in act) return void response.socket?.resetAndDestroy()
    response.setHeader('content-type', 'application/json')
    response.statusCode = 'status' in act ? act.status : 200
    const message = { role: 'assistant', content: 'says' in act ? act.says : '' }
    const choices = [{ index: 0, finish_reason: 'stop', message }]
    const usage = { prompt_tokens: 1_000, completion_tokens: 60, total_tokens: 1_060 }
    response.end(JSON.stringify('says' in act ? { model: 'tiny-2026', choices, usage } : { error: { message: 'no' } }))
  }
}

/** A model's reply as it should be. */
export function say(sentiment: string): string {
  return JSON.stringify({ evidence: '', sentiment })
}

/** The sentiment of a text of these tests, told by a word of it. */
export function readTone(answer: string): 'positive' | 'neutral' | 'negative' {
  if (answer.includes('superb')) return 'positive'
  return answer.includes('awful') ? 'negative' : 'neutral'
}
