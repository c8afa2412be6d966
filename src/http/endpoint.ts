import type * as v from 'valibot'
import type { ErrorCode, ErrorDetail } from '../errors.ts'
import type { Work } from '../lake/read/work.ts'
import type { Context, ServerApp } from './context.ts'

export type Schema = v.GenericSchema

/** Headings of the OpenAPI document and of `docs/api.md`. */
export const TAGS = {
  Discovery: 'The API itself, the calling key, the sites it may read and the engines.',
  Prompts: 'The tracked questions: list them, change category and market, switch them on and off.',
  Actions: 'Recommendations with a measured outcome.',
  Reports: 'Measurements over stored answers and over server logs.',
  Answers: 'The stored answers themselves.',
} as const
type Tag = keyof typeof TAGS

type Output<S extends Schema | undefined> = S extends Schema ? v.InferOutput<S> : undefined
type Input<S extends Schema | undefined> = S extends Schema ? v.InferInput<S> : undefined

/** What a handler is given: everything validated, defaults filled in. */
export interface EndpointInput<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
> {
  readonly params: Output<P>
  readonly query: Output<Q>
  readonly body: Output<B>
}

/**
 * One operation of the API. Routing, checks, validation, the OpenAPI document, `docs/api.md` and the tests that every
 * endpoint must pass are derived from the table of these (endpoints/index.ts).
 */
export interface Endpoint<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  R extends Schema,
> {
  /** OpenAPI's `operationId`. */
  readonly operation: string
  readonly tag: Tag
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** OpenAPI path template, `/v1/sites/{site_id}`. */
  readonly path: `/v1/${string}`
  /** `public` needs no key; `write` needs a key that may manage prompts and counts against the write limit. */
  readonly access: 'public' | 'read' | 'write'
  readonly summary: string
  readonly description: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly response: R
  /** The answer is 201 instead of 200 where this holds. */
  hasCreated?(answer: v.InferInput<R>): boolean
  /** Codes beside those that follow from access, body, cursor and site (openapi/errors.ts). */
  readonly errors?: readonly ErrorCode[]
  /** Shown in the document; a test validates both against the schemas. */
  readonly example: { readonly body?: ReadonlyDeep<Input<B>>; readonly response: ReadonlyDeep<v.InferInput<R>> }
  /** Faults of a body, as it was sent, that only the running service can see; listed with those of the schema. */
  findFaults?(app: ServerApp, body: unknown, work: Work): Promise<readonly ErrorDetail[]>
  /** A method, not a property: its parameters compare bivariantly, so every endpoint fits into one table. */
  handle(
    context: Context,
    input: EndpointInput<P, Q, B>,
  ): Promise<ReadonlyDeep<v.InferInput<R>>> | ReadonlyDeep<v.InferInput<R>>
}

type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T

export type AnyEndpoint = Endpoint<Schema | undefined, Schema | undefined, Schema | undefined, Schema>

/** Gives the definition its types; it comes back as it is. */
export function defineEndpoint<
  R extends Schema,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(endpoint: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return endpoint
}
