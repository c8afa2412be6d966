import { UsageError } from '../../errors.ts'
import { hasForwardedFor, parseCombined, parseCommon, parseVhostCombined } from './clf.ts'
import { findClientAddress } from './client-address.ts'
import {
  AKAMAI_FIELDS,
  CADDY_FIELDS,
  CLOUDFLARE_FIELDS,
  COMMON_FIELDS,
  FASTLY_FIELDS,
  GCP_FIELDS,
  TRAEFIK_FIELDS,
  VERCEL_FIELDS,
} from './json-fields.ts'
import { defineJsonReader, type JsonFields } from './json-line.ts'
import {
  defineAkamaiReader,
  defineCaddyReader,
  defineFastlyReader,
  defineGcpReader,
  VercelReader,
} from './json-logs.ts'
import { parseAlb, parseElb } from './load-balancer.ts'
import { isRejected, type LogFormat, type ParseLine, type Parsed } from './log-line.ts'
import { compileLogFormat, isLogFormatEnded } from './nginx-format.ts'
import { parseS3 } from './s3.ts'
import { defineTraefikReader } from './traefik.ts'
import { W3cReader } from './w3c.ts'

export interface LogReaderOptions {
  /**
   * Where the client's address stands, when it isn't the usual place: the name of a JSON field (`a.b` within objects),
   * of a W3C column, or of a variable of `--log-format`. Believed as it is.
   */
  readonly addressField?: string | undefined
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
  /** What of the lines so far the next ones are read by: a header, ids of requests; undefined where that is nothing. */
  readonly state: string | undefined
  /**
   * Whether `UsualLines` reads what it counts as `parse` does, where there is such a way: all lines, or those that
   * aren't bots', since the client's address isn't the one that begins the line.
   */
  readonly usual: 'all' | 'no-bots' | undefined
}

/** A reader of a format. Throws `UsageError` when the options don't fit the format. */
export function createLogReader(format: LogFormat, options: LogReaderOptions = {}): LogReader {
  if (options.trustedProxies !== undefined && WITHOUT_FORWARDED_FOR.has(format)) {
    throw new UsageError(`--trusted-proxies: ${format} logs have no X-Forwarded-For.`)
  }
  if (isW3c(format)) {
    const w3c = new W3cReader({ format, addressField: options.addressField, state: options.state })
    return toReader(onLine(w3c.parse), options, { state: () => w3c.state, isEnded: w3c.isEnded })
  }
  if (isPositional(format)) {
    if (options.addressField === undefined)
      return {
        ...toReader(onLine(POSITIONAL[format]), options, { isEnded: toEnded(format, options) }),
        usual: format === 'combined' ? (options.trustedProxies === undefined ? 'all' : 'no-bots') : undefined,
      }
    throw new UsageError(`--address-field: ${format} logs don't name their fields. Use --log-format to name them.`)
  }
  if (format === 'vercel') {
    const vercel = new VercelReader(withAddress(VERCEL_FIELDS, options), options.state)
    return toReader(onLine(vercel.parse), options, { state: () => vercel.state, isEnded: () => true })
  }
  const { define, fields } = JSON_LOGS[format]
  return toReader(onLine(define(withAddress(fields, options))), options, { isEnded: toEnded(format, options) })
}

/** A reader of an nginx `log_format` string. Throws `UsageError` when the string or the options can't be used. */
export function createLogFormatReader(logFormat: string, options: LogReaderOptions = {}): LogReader {
  const parse = compileLogFormat(logFormat, options.addressField)
  if (options.trustedProxies !== undefined && !/\$\{?(?:http_|proxy_add_)x_forwarded_for\b/.test(logFormat)) {
    throw new UsageError('--trusted-proxies: the --log-format has no $http_x_forwarded_for.')
  }
  const isEnded = isLogFormatEnded(logFormat, options.addressField)
  return toReader(onLine(parse), options, { isEnded: () => isEnded })
}

/** A parser of the line that stands in `text` from `start` to `end`. */
type ParseInPlace = LogReader['parse']
type W3cFormat = 'w3c' | 'cloudfront'
type PositionalFormat = keyof typeof POSITIONAL

const WITHOUT_FORWARDED_FOR = new Set<LogFormat>(['common', 'alb', 'elb', 's3', 'gcp-lb', 'vercel'])

const POSITIONAL = {
  combined: parseCombined,
  common: parseCommon,
  'vhost-combined': parseVhostCombined,
  alb: parseAlb,
  elb: parseElb,
  s3: parseS3,
} as const satisfies Partial<Record<LogFormat, ParseLine>>

const JSON_LOGS: Readonly<
  Record<
    Exclude<LogFormat, PositionalFormat | W3cFormat | 'vercel'>,
    { fields: JsonFields; define: (fields: JsonFields) => ParseLine }
  >
> = {
  'nginx-json': { fields: COMMON_FIELDS, define: defineJsonReader },
  caddy: { fields: CADDY_FIELDS, define: defineCaddyReader },
  traefik: { fields: TRAEFIK_FIELDS, define: defineTraefikReader },
  cloudflare: { fields: CLOUDFLARE_FIELDS, define: defineJsonReader },
  fastly: { fields: FASTLY_FIELDS, define: defineFastlyReader },
  akamai: { fields: AKAMAI_FIELDS, define: defineAkamaiReader },
  'gcp-lb': { fields: GCP_FIELDS, define: defineGcpReader },
}

function isW3c(format: LogFormat): format is W3cFormat {
  return format === 'w3c' || format === 'cloudfront'
}

function isPositional(format: LogFormat): format is PositionalFormat {
  return format in POSITIONAL
}

/**
 * Of the formats whose lines, as far as `parse` reads them, end in a quote, a brace or a field that isn't read. Half a
 * line of another format may look like one of the common format, and S3 escapes no quotes.
 */
function toEnded(format: LogFormat, { trustedProxies }: LogReaderOptions): LogReader['isEnded'] {
  if (format === 's3') return () => false
  if (format === 'fastly') return (line) => /["}]\s*$/.test(line)
  const needsForwardedFor = trustedProxies !== undefined && (format === 'combined' || format === 'vhost-combined')
  return needsForwardedFor ? hasForwardedFor : () => true
}

function withAddress(fields: JsonFields, { addressField }: LogReaderOptions): JsonFields {
  return addressField === undefined ? fields : { ...fields, address: [addressField] }
}

function onLine(parse: ParseLine): ParseInPlace {
  return (text, start, end) => parse(text.substring(start, end))
}

function toReader(
  parse: ParseInPlace,
  { trustedProxies }: LogReaderOptions,
  { isEnded, state = () => undefined }: Pick<LogReader, 'isEnded'> & { state?: () => string | undefined },
): LogReader {
  return {
    parse: trustedProxies === undefined ? parse : withClientAddress(parse, trustedProxies),
    isEnded,
    get state() {
      return state()
    },
    usual: undefined,
  }
}

function withClientAddress(parse: ParseInPlace, trustedProxies: number): ParseInPlace {
  return (text, start, end) => {
    const parsed = parse(text, start, end)
    if (parsed === undefined || isRejected(parsed)) return parsed
    return { ...parsed, address: findClientAddress(parsed.forwardedFor, parsed.address, trustedProxies) }
  }
}
