import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What was received, in order. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly json: { readonly input?: string } & Record<string, unknown>
}

type Respond = (asked: Received, response: ServerResponse, nth: number) => void | Promise<void>

export interface ScriptedServer {
  readonly url: string
  readonly received: readonly Received[]
  /** May be changed at any time. */
  respond: Respond
  /** The most requests that were under way at once. */
  readonly mostUnderWay: number
}

/** A real HTTP server for the running test, whose answers the test writes. */
export async function startScriptedServer(respond: Respond): Promise<ScriptedServer> {
  const received: Received[] = []
  let underWay = 0
  const scripted = { url: '', received, respond, mostUnderWay: 0 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const asked = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        json: (body === '' ? {} : JSON.parse(body)) as Received['json'],
      }
      received.push(asked)
      underWay += 1
      scripted.mostUnderWay = Math.max(scripted.mostUnderWay, underWay)
      response.on('close', () => (underWay -= 1))
      void scripted.respond(asked, response, received.length)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  scripted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return scripted
}

export function sendJson(response: ServerResponse, json: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof json === 'string' ? json : JSON.stringify(json, null, 2))
}

/** A response in the format of OpenAI's, with what it cost. */
export function toResponse(text: string | null, micros = 1_000): Record<string, unknown> {
  return {
    object: 'response',
    status: 'completed',
    model: 'gpt-5.5',
    cost: micros,
    output: [
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'crm' } },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: text ?? '', annotations: [] }],
      },
    ],
  }
}
