import type { IncomingHttpHeaders } from 'node:http'
import type { EngineReply } from './answers.ts'
import type { Desk } from './desk.ts'
import type { Act } from './script.ts'

/** A request as an engine reads it, the provider's part of the path taken away. */
export interface EngineRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly json: unknown
}

export interface EngineResponse {
  readonly status: number
  readonly json?: unknown
}

/** What a request asks for; undefined in the place of one that the engine doesn't know. */
export interface Understood {
  readonly kind: 'ask' | 'follow' | 'poll'
  readonly question: string
  /** The model, or what a search service calls its engine. */
  readonly model: string
  /** The response; `act` matters where a wire has ways of its own: tasks and pauses. */
  respond(reply: EngineReply, act: Act, desk: Desk): EngineResponse
}

/** How one provider speaks. */
export interface Wire {
  /** The secret in a request, where the provider wants it. */
  secretOf(request: EngineRequest): string | undefined
  /** A response with a status of 4xx where the request isn't one of this provider. */
  read(request: EngineRequest, desk: Desk): Understood | EngineResponse
}

export const NOT_FOUND: EngineResponse = { status: 404, json: { error: { message: 'there is no such path' } } }

export function bearerOf({ headers }: EngineRequest): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

export function basicOf({ headers }: EngineRequest): string | undefined {
  const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
}

export function headerOf({ headers }: EngineRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
