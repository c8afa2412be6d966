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

/** What of a list or report CSV and NDJSON need to know (contract/api 14). Methods, so that every one fits into one table. */
export interface RowsDefinition<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
> {
  /** A member of `data`. */
  readonly row: Schema
  /** What a file of the rows is called, without its ending. */
  fileName(context: Context, input: EndpointInput<P, Q, B>): string
  /** The row's fields that the request asks for, in their order; all of them unless given. */
  listFields?(input: EndpointInput<P, Q, B>): readonly string[]
  /** All rows, for a request with neither `limit` nor `cursor`; without it `data` has all of them. */
  readWhole?(context: Context, input: EndpointInput<P, Q, B>): Promise<WholeRows>
}

/** All rows of a list or report, of one moment. Disposed of when the last byte was sent, or the client went away. */
export interface WholeRows extends AsyncDisposable {
  readonly info: { readonly total_results: number }
  /** Ends with ApiError `too_many_rows` where there are more than a whole result may have. */
  readonly batches: AsyncIterable<readonly unknown[]>
}

/** What is answered on a path, and how: what the two mounts, `/v1` and `/ui/v1`, have in common. */
export interface Operation<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  R extends Schema,
  C extends Context = Context,
> {
  /** OpenAPI's `operationId`. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** OpenAPI path template, `/v1/sites/{site_id}`. */
  readonly path: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly response: R
  /** Of a list or report: its rows, for CSV and NDJSON. Without it `Accept` plays no part. */
  readonly rows?: RowsDefinition<P, Q, B>
  /** The answer is 201 instead of 200 where this holds. */
  hasCreated?(answer: v.InferInput<R>): boolean
  /** The handler reads the lake, without a body: its queries end with `work`, too. */
  readonly readsLake?: true
  /** A test validates all of it against the schemas. `query` has what the operation can't do without. */
  readonly example: {
    readonly query?: ReadonlyDeep<Input<Q>>
    readonly body?: ReadonlyDeep<Input<B>>
    readonly response: ReadonlyDeep<v.InferInput<R>>
  }
  /** Faults of a body, as it was sent, that only the running service can see; listed with those of the schema. */
  findFaults?(app: ServerApp, body: unknown, work: Work): Promise<readonly ErrorDetail[]>
  /** A method, not a property: its parameters compare bivariantly, so every operation fits into one table. */
  handle(
    context: C,
    input: EndpointInput<P, Q, B>,
  ): Promise<ReadonlyDeep<v.InferInput<R>>> | ReadonlyDeep<v.InferInput<R>>
}

export type AnyOperation = Operation<Schema | undefined, Schema | undefined, Schema | undefined, Schema>

/**
 * One operation of the API. Routing, checks, validation, the OpenAPI document, `docs/api.md` and the tests that every
 * endpoint must pass are derived from the table of these (endpoints/index.ts).
 */
export interface Endpoint<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  R extends Schema,
> extends Operation<P, Q, B, R> {
  readonly tag: Tag
  readonly path: `/v1/${string}`
  /** `public` needs no key; `write` needs a key that may manage prompts and counts against the write limit. */
  readonly access: 'public' | 'read' | 'write'
  readonly summary: string
  readonly description: string
  /** Codes beside those that follow from access, body, cursor and site (openapi/errors.ts). */
  readonly errors?: readonly ErrorCode[]
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
