import { UsageError } from '../errors.ts'
import { findClientAddress } from './client-address.ts'
import { type FieldName, FIELD_NAMES, type JsonFields } from './formats/json-line.ts'
import { type Format, FORMATS, type LogFormat } from './formats.ts'
import { isRejected, type ParseLine, type Parsed } from './formats/log-line.ts'
import { VERCEL_FIELDS } from './formats/json-fields.ts'
import { VercelReader } from './formats/json-logs.ts'
import { compileLogFormat, isLogFormatEnded } from './formats/nginx-format.ts'
import { unwrapPrefix } from './formats/unwrap.ts'
import { unwrapLines } from './formats/unwrapping.ts'
import { W3cReader } from './formats/w3c.ts'

export interface LogReaderOptions {
  /**
   * Where the client's address stands, when it isn't the usual place: the name of a JSON or logfmt field (`a.b` within
   * objects), of a W3C column, or of a variable of `--log-format`. Believed as it is.
   */
  readonly addressField?: string | undefined
  /** Names of JSON and logfmt fields that aren't the usual ones. */
  readonly fields?: Readonly<Partial<Record<FieldName, string>>> | undefined
  /** How many proxies in front of the server append to `X-Forwarded-For`; without it that header is not believed. */
  readonly trustedProxies?: number | undefined
  /** What `state` was where an earlier reading of the same content ended, if this one goes on from there. */
  readonly state?: string | undefined
}

/** Reads the lines of one file, in their order. */
export interface LogReader {
  /** The record in the characters of `text` from `start` to `end`; never throws. */
  parse(text: string, start: number, end: number): Parsed
  /**
   * Whether a last line without its end says all that is read of it, whatever may still come behind. Asked before
   * `parse`, which would take half a header for a whole one, and only of use when `parse` can read the line then.
   */
  isEnded(line: string): boolean
  /** What of the lines so far the next ones are read by: a header, ids of requests, the beginning of a line; undefined where that is nothing. */
  readonly state: string | undefined
}

/** A reader of a format. Throws `UsageError` when the options don't fit the format. */
export function createLogReader(format: LogFormat, options: LogReaderOptions = {}): LogReader {
  const entry = FORMATS[format]
  checkOptions(format, entry, options)
  const isForwardedForRead = options.trustedProxies !== undefined
  const { isEnded = () => true } = entry
  // Half of what stands behind a prefix looks like a whole line of something else.
  const ended = { isEnded: (line: string) => unwrapPrefix(line) === undefined && isEnded(line, isForwardedForRead) }
  if (isColumns(format)) {
    const w3c = new W3cReader({ format, addressField: options.addressField, state: options.state })
    return toReader(w3c.parse, options, { state: () => w3c.state, isEnded: w3c.isEnded })
  }
  if (format === 'vercel') {
    const vercel = new VercelReader(toFields(VERCEL_FIELDS, options), options.state)
    return toReader(vercel.parse, options, { state: () => vercel.state, isEnded: () => true })
  }
  if (entry.kind === 'columns') throw new Error(`${format} has columns that nobody reads`)
  const parse = entry.kind === 'positions' ? entry.parse : entry.define(toFields(entry.fields, options))
  if (entry.hasOwnTime) return toReader(parse, options, ended)
  const { parse: parseWrapped, state } = unwrapLines(parse, { prefixes: 'first', state: options.state })
  return toReader(parseWrapped, options, { ...ended, state })
}

/** A reader of an nginx `log_format` string. Throws `UsageError` when the string or the options can't be used. */
export function createLogFormatReader(logFormat: string, options: LogReaderOptions = {}): LogReader {
  if (options.fields !== undefined) throw new UsageError(`--field: --log-format names its fields itself.`)
  const parse = compileLogFormat(logFormat, options.addressField)
  if (options.trustedProxies !== undefined && !/\$\{?(?:http_|proxy_add_)x_forwarded_for\b/.test(logFormat)) {
    throw new UsageError('--trusted-proxies: the --log-format has no $http_x_forwarded_for.')
  }
  const isEnded = isLogFormatEnded(logFormat, options.addressField)
  const wrapped = unwrapLines(parse, { prefixes: 'rejected', state: options.state })
  return toReader(wrapped.parse, options, { state: wrapped.state, isEnded: () => isEnded })
}

type ParseInPlace = LogReader['parse']

const COLUMN_FORMATS = ['w3c', 'cloudfront', 'cloudfront-realtime'] as const

function isColumns(format: LogFormat): format is (typeof COLUMN_FORMATS)[number] {
  return COLUMN_FORMATS.some((each) => each === format)
}

function checkOptions(
  format: LogFormat,
  entry: Format,
  { addressField, fields, trustedProxies }: LogReaderOptions,
): void {
  if (trustedProxies !== undefined && entry.lacksForwardedFor) {
    throw new UsageError(`--trusted-proxies: ${format} logs have no X-Forwarded-For.`)
  }
  if (addressField !== undefined && entry.kind === 'positions') {
    throw new UsageError(`--address-field: ${format} logs don't name their fields. Use --log-format to name them.`)
  }
  if (fields !== undefined && entry.kind !== 'names') {
    throw new UsageError(`--field: ${format} logs aren't read by the names of fields, only JSON and logfmt are.`)
  }
}

function toFields(fields: JsonFields, { addressField, fields: named = {} }: LogReaderOptions): JsonFields {
  const own = Object.entries(named).map(([name, field]) => [FIELD_NAMES[name as FieldName], [field]])
  const address = addressField === undefined ? {} : { address: [addressField] }
  return { ...fields, ...Object.fromEntries(own), ...address, isPathNamed: named.path !== undefined }
}

function toReader(
  parseLine: ParseLine,
  { trustedProxies }: LogReaderOptions,
  { isEnded, state = () => undefined }: Pick<LogReader, 'isEnded'> & { state?: () => string | undefined },
): LogReader {
  const parse: ParseInPlace = (text, start, end) => parseLine(text.substring(start, end))
  return {
    parse: trustedProxies === undefined ? parse : withClientAddress(parse, trustedProxies),
    isEnded,
    get state() {
      return state()
    },
  }
}

function withClientAddress(parse: ParseInPlace, trustedProxies: number): ParseInPlace {
  return (text, start, end) => {
    const parsed = parse(text, start, end)
    if (parsed === undefined || isRejected(parsed)) return parsed
    return { ...parsed, address: findClientAddress(parsed.forwardedFor, parsed.address, trustedProxies) }
  }
}
