import { memoize } from '../../derive/memo.ts'
import type { LogLine, ParseLine, Rejected } from './log-line.ts'
import { isBlank, toHost, undoEscapes, withoutPort } from './log-text.ts'
import { parseTime } from './log-time.ts'
import { NO_REQUEST, parseRequestLine, parseTarget, type Request } from './request-line.ts'

/** A JSON value that is an object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Names under which a JSON log has each field, the first that is there counts: `a.b` is `b` within `a`, or the key `a.b`. */
export interface JsonFields {
  readonly time: readonly string[]
  /** The date, where `time` is only the time of the day. */
  readonly date?: readonly string[]
  readonly method: readonly string[]
  /** Path with or without query, or an absolute URL. */
  readonly target: readonly string[]
  readonly query?: readonly string[]
  /** A whole request line, or the method alone, where method or target have no field of their own. */
  readonly request?: readonly string[]
  readonly status: readonly string[]
  readonly userAgent: readonly string[]
  readonly referer: readonly string[]
  readonly address: readonly string[]
  readonly forwardedFor: readonly string[]
  readonly host: readonly string[]
  /** The operator has said where the path is: a record without a method is a GET, one without a status wasn't told its answer. */
  readonly isPathNamed?: boolean
}

/** What `--field` calls each of them. */
export const FIELD_NAMES = {
  time: 'time',
  method: 'method',
  path: 'target',
  query: 'query',
  request: 'request',
  status: 'status',
  ua: 'userAgent',
  referer: 'referer',
  address: 'address',
  xff: 'forwardedFor',
  host: 'host',
} as const satisfies Record<string, keyof JsonFields>
export type FieldName = keyof typeof FIELD_NAMES

/** A reader of one JSON object a line, by the names of its fields. */
export function defineJsonReader(fields: JsonFields): ParseLine {
  return (line, wrappedAt) => (isBlank(line) ? undefined : parseJsonLine(line, fields, wrappedAt))
}

/** `wrappedAt` is the time of the line itself, for records that have none. */
export function parseJsonLine(line: string, fields: JsonFields, wrappedAt?: number): LogLine | Rejected {
  const record = parseObject(line)
  return record === undefined ? NO_OBJECT : readRecord(record, fields, wrappedAt)
}

export const NO_OBJECT: Rejected = { reject: 'not a JSON object' }

/** Undefined unless the line holds one JSON object. */
export function parseObject(line: string): JsonObject | undefined {
  const value = parseJson(line) ?? (line.includes('\\x') ? parseJson(toJsonEscapes(line)) : undefined)
  return isObject(value) ? value : undefined
}

export function readRecord(record: JsonObject, fields: JsonFields, wrappedAt?: number): LogLine | Rejected {
  const timeSeconds = readTime(record, fields) ?? wrappedAt
  if (timeSeconds === undefined) return { reject: `no readable time in ${toList(fields.time)}` }
  const status = readStatus(record, fields)
  if (status === undefined) return { reject: `no readable status in ${toList(fields.status)}` }
  const request = readRequest(record, fields)
  if (request === undefined)
    return { reject: `no method and path in ${toList(fields.method)}, ${toList(fields.target)}` }
  const host = toHost(readText(record, fields.host))
  return {
    timeSeconds,
    method: request.method,
    path: request.path,
    query: request.query,
    status,
    userAgent: readText(record, fields.userAgent),
    referer: readText(record, fields.referer),
    address: withoutPort(readText(record, fields.address)),
    forwardedFor: readText(record, fields.forwardedFor),
    host: host || request.host,
  }
}

/** The first of the names that has a value, as text; `''` when none has. Of an array its first value counts. */
export function readText(record: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const value = find(record, name)
    const first: unknown = Array.isArray(value) ? value[0] : value
    const text = typeof first === 'number' ? String(first) : first
    if (typeof text === 'string' && text !== '' && text !== '-') return QUOTED_BY_GROK.has(name) ? unquote(text) : text
  }
  return ''
}

/** Logstash's patterns for combined logs keep the quotes that stand around a text. */
const QUOTED_BY_GROK = new Set(['agent', 'referrer'])

function unquote(text: string): string {
  if (text === '"-"') return ''
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * nginx without `escape=json` writes `\x22` into JSON, which JSON doesn't have. It escapes every byte that is no plain
 * ASCII, so the bytes are put together as UTF-8 first.
 */
function toJsonEscapes(line: string): string {
  return line.replace(/(?:\\x[0-9A-Fa-f]{2})+/g, (escapes) => JSON.stringify(undoEscapes(escapes)).slice(1, -1))
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function find(record: JsonObject, name: string): unknown {
  const value = record[name]
  if (value !== undefined) return value
  const path = splitName(name)
  if (path === undefined) return undefined
  const inner = record[path.head]
  return isObject(inner) ? find(inner, path.rest) : undefined
}

/** Names come from lists and options, so they are few. */
const splitName = memoize((name: string): { readonly head: string; readonly rest: string } | undefined => {
  const dot = name.indexOf('.')
  return dot === -1 ? undefined : { head: name.slice(0, dot), rest: name.slice(dot + 1) }
})

function readTime(record: JsonObject, fields: JsonFields): number | undefined {
  const date = fields.date === undefined ? '' : readText(record, fields.date)
  if (date !== '') return parseTime(`${date}T${readText(record, fields.time)}`)
  for (const name of fields.time) {
    const value = find(record, name)
    const time = value === undefined || value === null ? undefined : parseTime(value)
    if (time !== undefined) return time
  }
  return undefined
}

function readStatus(record: JsonObject, { status, isPathNamed }: JsonFields): number | undefined {
  const text = readText(record, status)
  if (text === '' && isPathNamed) return 0
  return /^(?:\d{3}|0)$/.test(text) ? Number(text) : undefined
}

function readRequest(record: JsonObject, fields: JsonFields): Request | undefined {
  const target = readText(record, fields.target)
  const line = readText(record, fields.request ?? [])
  const method = readText(record, fields.method) || (/[ /]/.test(line) ? '' : line) || (fields.isPathNamed ? 'GET' : '')
  if (method !== '' && target !== '')
    return withQuery(parseTarget(method, target), readText(record, fields.query ?? []))
  // Logstash calls the target of a request line `request`.
  if (/^(?:\/|https?:)/.test(line) && method !== '')
    return withQuery(parseTarget(method, line), readText(record, fields.query ?? []))
  if (line !== '') return parseRequestLine(line, 0, line.length)
  const isEmpty = method === '' && target === '' && has(record, [...fields.method, ...(fields.request ?? [])])
  return isEmpty ? NO_REQUEST : undefined
}

function has(record: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => find(record, name) !== undefined)
}

/** The first of the names, for a message. */
function toList(names: readonly string[]): string {
  return names.length > NAMES_LISTED ? `${names.slice(0, NAMES_LISTED).join(', ')} and the like` : names.join(', ')
}

const NAMES_LISTED = 3

function withQuery(request: Request, query: string): Request {
  if (query === '' || request.query !== '') return request
  return { ...request, query: query.startsWith('?') ? query.slice(1) : query }
}
