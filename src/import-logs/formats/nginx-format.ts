import { UsageError } from '../../errors.ts'
import type { LogLine, ParseLine, Rejected } from './log-line.ts'
import { isBlank, orNothing, toHost, undoEscapes, withoutPort } from './log-text.ts'
import { parseTime } from './log-time.ts'
import { compileTemplate, type Escape, isTemplateEnded, parseTemplate } from './nginx-template.ts'
import { NO_REQUEST, parseRequestLine, parseTarget, type Request } from './request-line.ts'

/**
 * A reader for lines of an nginx `log_format` (contract/logs 1.5). `addressField` is the variable that holds the client's
 * address, `$remote_addr` unless given.
 *
 * Throws `UsageError` when the format lacks time, request, status or user agent, or when its lines can't be split.
 */
export function compileLogFormat(format: string, addressField?: string): ParseLine {
  const template = parseTemplate(format)
  const names = template.variables.map(({ name }) => name)
  const addressName = addressField?.replace(/^\$/, '')
  checkVariables(names, addressName)
  const split = compileTemplate(template)
  const decode = DECODERS[template.escape]
  const indexes = findIndexes(names, addressName)
  return (line) => {
    if (isBlank(line)) return undefined
    const values = split(line)
    if (values === undefined) return { reject: 'does not fit the log format, or fits it in more than one way' }
    return toLogLine((field) => orNothing(values[indexes[field]] ?? ''), decode)
  }
}

/** Whether a line of the format that has lost its end, but still fits, has all of the fields that are read. */
export function isLogFormatEnded(format: string, addressField?: string): boolean {
  const template = parseTemplate(format)
  const names = template.variables.map(({ name }) => name)
  const indexes = Object.values(findIndexes(names, addressField?.replace(/^\$/, '')))
  return isTemplateEnded(template, indexes.includes(names.length - 1))
}

/** The variables that hold a field, the best first. */
const VARIABLES = {
  time: ['time_local', 'time_iso8601', 'msec'],
  request: ['request'],
  method: ['request_method'],
  target: ['request_uri', 'uri', 'document_uri'],
  query: ['args', 'query_string'],
  status: ['status'],
  userAgent: ['http_user_agent'],
  referer: ['http_referer'],
  address: ['remote_addr', 'realip_remote_addr'],
  forwardedFor: ['http_x_forwarded_for', 'proxy_add_x_forwarded_for'],
  host: ['host', 'http_host', 'server_name'],
} as const

type Field = keyof typeof VARIABLES

const DECODERS: Readonly<Record<Escape, (value: string) => string>> = {
  default: undoEscapes,
  json: undoJson,
  none: (value) => value,
}

function checkVariables(names: readonly string[], addressName: string | undefined): void {
  const has = (field: Field): boolean => VARIABLES[field].some((name) => names.includes(name))
  const missing = [
    has('time') ? '' : '$time_local, $time_iso8601 or $msec',
    has('request') || (has('method') && has('target')) ? '' : '$request, or $request_method and $request_uri',
    has('status') ? '' : '$status',
    has('userAgent') ? '' : '$http_user_agent',
    addressName === undefined || names.includes(addressName) ? '' : `$${addressName}, named as the address`,
  ].filter((text) => text !== '')
  if (missing.length === 0) return
  throw new UsageError(`--log-format lacks ${missing.join('; ')}. Give the log_format that the file was written with.`)
}

/** Index of each field's value; -1 where the format doesn't have it. */
function findIndexes(names: readonly string[], addressName: string | undefined): Readonly<Record<Field, number>> {
  const find = (field: Field): number =>
    VARIABLES[field].map((name) => names.indexOf(name)).find((index) => index !== -1) ?? -1
  return {
    time: find('time'),
    request: find('request'),
    method: find('method'),
    target: find('target'),
    query: find('query'),
    status: find('status'),
    userAgent: find('userAgent'),
    referer: find('referer'),
    address: addressName === undefined ? find('address') : names.indexOf(addressName),
    forwardedFor: find('forwardedFor'),
    host: find('host'),
  }
}

function toLogLine(read: (field: Field) => string, decode: (value: string) => string): LogLine | Rejected {
  const timeSeconds = parseTime(read('time'))
  if (timeSeconds === undefined) return { reject: 'no readable time' }
  const status = read('status')
  if (!/^(?:\d{3})?$/.test(status)) return { reject: 'no readable status' }
  const request = readRequest(read)
  const host = toHost(decode(read('host')))
  return {
    timeSeconds,
    method: request.method,
    path: decode(request.path),
    query: decode(request.query),
    status: Number(status),
    userAgent: decode(read('userAgent')),
    referer: decode(read('referer')),
    address: withoutPort(decode(read('address'))),
    forwardedFor: decode(read('forwardedFor')),
    host: host === '' ? request.host : host,
  }
}

function readRequest(read: (field: Field) => string): Request {
  const line = read('request')
  if (line !== '') return parseRequestLine(line, 0, line.length)
  const target = read('target')
  const method = read('method')
  if (target === '' || method === '') return NO_REQUEST
  const request = parseTarget(method, target)
  return request.query === '' ? { ...request, query: read('query') } : request
}

function undoJson(value: string): string {
  if (!value.includes('\\')) return value
  try {
    return String(JSON.parse(`"${value}"`))
  } catch {
    return value
  }
}
