import type { Schemas } from '../client/client.ts'
import { readLines } from './read-lines.ts'

// For types alone: it says what a question asks for.
declare const ROW: unique symbol

/**
 * A question to the service as a view asks it: a path below `/v1`, which the dashboard asks below `/ui/v1`. `Row` is what it
 * asks for: a row of a list or report, or the one thing.
 */
export interface Question<Row = unknown> {
  readonly method: 'GET' | 'POST'
  /** `/sites`, `/reports/visibility` */
  readonly path: string
  readonly body?: object
  readonly [ROW]?: Row
}

/** What a list or report gives: `info` of its first page, and every row. */
export interface Reply<Row> {
  readonly info: Readonly<Record<string, unknown>>
  readonly rows: readonly Row[]
}

/** A refusal of the service, or that it could not be reached (`code` is `unreachable`). */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly details: readonly { readonly path: string; readonly message: string }[]

  constructor(status: number, error: Partial<Schemas['Fault']> & Readonly<Record<string, unknown>>) {
    super(typeof error['message'] === 'string' ? error['message'] : 'The service gave no reason.')
    this.status = status
    this.code = typeof error['code'] === 'string' ? error['code'] : 'unreachable'
    this.requestId = typeof error['request_id'] === 'string' ? error['request_id'] : undefined
    this.details = Array.isArray(error['details']) ? error['details'] : []
  }
}

const BASE = '/ui/v1'

/** What the document hears when the service no longer knows the session. */
export const SIGNED_OUT = 'signed-out'
/** What it hears when somebody may not do what was shown to them. */
export const NOT_ALLOWED = 'not-allowed'

/** Asks, and gives the body as it came. Throws Refusal. */
export async function ask<T>(question: Question, signal?: AbortSignal): Promise<T> {
  const response = await send(question, 'application/json', signal)
  return (await response.json()) as T
}

/** A change: `POST`, `PATCH` or another method with a JSON body. Gives the body of the reply. Throws Refusal. */
export async function change<T>(method: 'POST' | 'PATCH', path: string, body: object = {}): Promise<T> {
  const response = await send({ method, path, body }, 'application/json')
  return (await response.json()) as T
}

/** The first page with its `info`; `body.limit` says how many rows at most. */
export async function askPage<Row>(question: Question<Row>, signal?: AbortSignal): Promise<Reply<Row>> {
  const { info = {}, data } = await ask<{ info?: Record<string, unknown>; data: Row[] }>(question, signal)
  return { info, rows: data }
}

/** Every row of a list or report, up to 100,000: a question without `limit` and `cursor`. Throws Refusal. */
export async function askRows<Row>(question: Question<Row>, signal?: AbortSignal): Promise<readonly Row[]> {
  const response = await send(question, 'application/x-ndjson', signal)
  const rows: (Row & { readonly error?: object })[] = []
  for await (const line of readLines(response)) rows.push(JSON.parse(line) as Row & { readonly error?: object })
  const last = rows.at(-1)
  if (last?.error !== undefined) throw new Refusal(response.status, { ...last.error })
  return rows
}

/** Every row as CSV, whatever `body.limit` says, and the name that the service gives the file. Throws Refusal. */
export async function askCsv(question: Question): Promise<{ readonly csv: string; readonly name: string }> {
  const response = await send(toWhole(question), 'text/csv')
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
  return { csv: await response.text(), name: named?.[1] ?? 'answerlake.csv' }
}

/**
 * The question as a line for a shell, with the key left to `$KEY`. A list gives every row, whatever `body.limit` says, a line
 * each; what `isOne` comes as JSON.
 */
export function toCurl(question: Question, origin: string): string {
  const asksOne = isOne(question)
  const { method, path, body } = asksOne ? question : toWhole(question)
  const url = `${origin}/v1${path}`
  const key = `-H "X-API-Key: $KEY"`
  // Several lines are copied together: what the next one prints begins on a line of its own.
  const asking = asksOne ? `curl -s -w '\\n' ${key}` : `curl -s ${key} -H 'Accept: application/x-ndjson'`
  if (method === 'GET') return `${asking} '${url.replaceAll("'", "'\\''")}'`
  const data = JSON.stringify(body).replaceAll("'", "'\\''")
  return `${asking} -H 'Content-Type: application/json' ${url} -d '${data}'`
}

function toWhole({ body, ...question }: Question): Question {
  if (body === undefined) return question
  const { limit: _, ...whole } = body as { readonly limit?: number }
  return { ...question, body: whole }
}

/** Whether no list is asked for but one thing, a list's `info` (`limit` is 1), or a total, to which its `info` belongs. */
function isOne({ path, body }: Question): boolean {
  const { limit, group_by, brands } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (limit === 1 || /\/quality\b/.test(path)) return true
  const isReport = path.startsWith('/reports/') && path !== '/reports/citations'
  return isReport && group_by === undefined && brands === undefined
}

interface Sent extends Omit<Question, 'method'> {
  readonly method: string
}

async function send({ method, path, body }: Sent, accept: string, signal?: AbortSignal): Promise<Response> {
  let response: Response
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      headers: { accept, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
      redirect: 'error',
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new Refusal(0, { message: 'The service could not be reached. Is it running?' })
  }
  if (response.ok) return response
  if (response.status === 401) document.dispatchEvent(new Event(SIGNED_OUT))
  const sent: unknown = await response.json().catch(() => ({}))
  const error: unknown = Reflect.get(Object(sent), 'error')
  const refusal = new Refusal(response.status, { ...Object(error) })
  if (refusal.code === 'not_allowed') document.dispatchEvent(new Event(NOT_ALLOWED))
  throw refusal
}
