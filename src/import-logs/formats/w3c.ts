import { CLOUDFRONT_FIELDS } from './json-fields.ts'
import { parseJsonLine } from './json-line.ts'
import { isRejected, type LogLine, type ParseLine, type Rejected } from './log-line.ts'
import { isBlank, orNothing, toHost, undoPercent, withoutPort } from './log-text.ts'
import { parseTime } from './log-time.ts'
import { parseTarget } from './request-line.ts'
import { DEFAULT_COLUMNS } from './default-columns.ts'

export interface W3cOptions {
  readonly format: 'w3c' | 'cloudfront' | 'cloudfront-realtime'
  /** A column to take the client's address from instead of `c-ip`. */
  readonly addressField?: string | undefined
  /** What `state` was where an earlier reading of the content ended. */
  readonly state?: string | undefined
}

/**
 * The W3C extended format of IIS and others, and CloudFront's: columns as the last `#Fields` line names them, separated
 * by tabs or spaces, times in UTC. IIS writes the spaces of header fields as `+`, CloudFront percent-encodes them.
 * A line with another number of columns is rejected.
 */
export class W3cReader {
  readonly #format: W3cOptions['format']
  readonly #isCloudFront: boolean
  readonly #addressField: string | undefined
  #columns: Columns | undefined
  #fields: string | undefined
  /** Of the last `#Date` line, for logs whose lines have only the time of the day. */
  #date = ''

  constructor(options: W3cOptions) {
    this.#format = options.format
    this.#isCloudFront = options.format !== 'w3c'
    this.#addressField = options.addressField
    for (const line of options.state?.split('\n') ?? []) this.parse(line)
  }

  /** The directives in force; a reader that goes on in the middle of the file needs them. */
  get state(): string | undefined {
    return this.#fields === undefined || this.#date === '' ? this.#fields : `#Date: ${this.#date}\n${this.#fields}`
  }

  readonly parse: ParseLine = (line) => {
    if (line.startsWith('#')) return this.#readDirective(line)
    if (isBlank(line)) return undefined
    if (this.#isCloudFront && line.startsWith('{')) return this.#readJson(line)
    const columns = this.#columns ?? this.#findUsual(line)
    if (columns === undefined) return { reject: 'no #Fields line before it' }
    const values = splitValues(line, columns.count)
    if (columns.address === -1 && this.#addressField !== undefined) {
      return { reject: `#Fields names no ${this.#addressField}` }
    }
    if (values === undefined) return { reject: `not the ${columns.count} columns that #Fields names` }
    return this.#toLogLine(values, columns)
  }

  /** Half a value can't be told from a whole one: the last must be quoted, or one that isn't read. */
  readonly isEnded = (line: string): boolean => {
    if (this.#isCloudFront && line.startsWith('{')) return true
    const columns = this.#columns ?? this.#findUsual(line)
    // Without a header half a line may have the columns of an older one.
    if (line.startsWith('#') || columns === undefined || this.#columns === undefined) return false
    const { count, isLastRead } = columns
    if (!line.includes('"')) return !isLastRead && splitPlain(line).length === count
    const areQuotesClosed = line.split('"').length % 2 === 1
    return areQuotesClosed && splitQuoted(line).length === count && (!isLastRead || line.trimEnd().endsWith('"'))
  }

  #readDirective(line: string): undefined {
    if (line.startsWith('#Date:')) this.#date = line.slice(6).trim().slice(0, 10)
    if (!line.startsWith('#Fields:')) return
    const names = line.slice(8).trim().toLowerCase().split(/\s+/)
    this.#fields = line
    this.#columns = toColumns(names, {
      format: this.#format,
      addressField: this.#addressField,
    })
  }

  /** The columns that the server writes unless told otherwise, for lines that no header precedes. */
  #findUsual(line: string): Columns | undefined {
    const count = splitPlain(line).length
    const found = DEFAULT_COLUMNS[this.#format].find(({ counts }) => counts.includes(count))
    if (found === undefined) return undefined
    return toColumns(found.names.slice(0, count), { format: this.#format, addressField: this.#addressField })
  }

  #toLogLine(values: readonly string[], columns: Columns): LogLine | Rejected {
    const timeSeconds = this.#readTime(values, columns)
    if (timeSeconds === undefined) return { reject: 'no readable date and time' }
    const status = at(values, columns.status)
    if (!/^\d{3}$|^0?$/.test(status)) return { reject: 'no readable sc-status' }
    const method = at(values, columns.method)
    const target = at(values, columns.stem)
    if (method === '' || target === '') return { reject: 'no cs-method and cs-uri-stem' }
    const request = parseTarget(method, target)
    const host = toHost(at(values, columns.host))
    return {
      timeSeconds,
      method: request.method,
      path: request.path,
      query: at(values, columns.query) || request.query,
      status: Number(status),
      userAgent: this.#decodeAgent(at(values, columns.userAgent)),
      referer: this.#isCloudFront ? undoPercent(at(values, columns.referer)) : at(values, columns.referer),
      address: withoutPort(at(values, columns.address)),
      forwardedFor: this.#decodeAgent(at(values, columns.forwardedFor)),
      host: host === '' ? request.host : host,
    }
  }

  #readJson(line: string): LogLine | Rejected {
    const address = this.#addressField === undefined ? CLOUDFRONT_FIELDS.address : [this.#addressField]
    const parsed = parseJsonLine(line, { ...CLOUDFRONT_FIELDS, address })
    if (isRejected(parsed)) return parsed
    return { ...parsed, userAgent: undoTwice(parsed.userAgent), referer: undoPercent(parsed.referer) }
  }

  #readTime(values: readonly string[], columns: Columns): number | undefined {
    const time = at(values, columns.time)
    const date = at(values, columns.date) || this.#date
    return columns.isTimeOfDay ? parseTime(`${date}T${time}Z`) : parseTime(time)
  }

  #decodeAgent(agent: string): string {
    if (this.#isCloudFront) return undoTwice(agent)
    // A plus of the client's own follows a space in practice (`;++https://…`); alone it can't be told from a space.
    return agent.includes(' ') ? agent : agent.replace(/\+(\+?)/g, ' $1')
  }
}

/** Indexes of the columns; -1 where `#Fields` doesn't name one. */
interface Columns {
  readonly count: number
  readonly isLastRead: boolean
  readonly date: number
  readonly time: number
  readonly isTimeOfDay: boolean
  readonly method: number
  readonly stem: number
  readonly query: number
  readonly status: number
  readonly userAgent: number
  readonly referer: number
  readonly address: number
  readonly forwardedFor: number
  readonly host: number
}

/** CloudFront's `cs(Host)` is the distribution, whatever host was asked for. */
function toColumns(
  names: readonly string[],
  { format, addressField }: Pick<W3cOptions, 'format' | 'addressField'>,
): Columns {
  const find = (...wanted: readonly string[]): number =>
    wanted.map((name) => names.indexOf(name)).find((index) => index !== -1) ?? -1
  const indexes = {
    date: find('date'),
    time: find('time', 'timestamp', 'timestamp(ms)', 'x-timestamp'),
    method: find('cs-method'),
    stem: find('cs-uri-stem', 'cs-uri'),
    query: find('cs-uri-query'),
    status: find('sc-status'),
    userAgent: find('cs(user-agent)', 'cs-user-agent'),
    referer: find('cs(referer)', 'cs(referrer)', 'cs-referer'),
    address: addressField === undefined ? find('c-ip') : find(addressField.toLowerCase()),
    forwardedFor: find('x-forwarded-for', 'cs(x-forwarded-for)'),
    host: find('x-host-header', 'cs-host', ...(format === 'w3c' ? ['cs(host)'] : [])),
  }
  const isLastRead = Object.values(indexes).includes(names.length - 1)
  return { ...indexes, count: names.length, isLastRead, isTimeOfDay: names.includes('time') }
}

function at(values: readonly string[], index: number): string {
  return orNothing(values[index] ?? '')
}

/** Undefined when the line doesn't have as many values. Quotes count only where plain splitting doesn't fit. */
function splitValues(line: string, count: number): readonly string[] | undefined {
  const plain = splitPlain(line)
  if (plain.length === count) return plain.map(withoutQuotes)
  if (!line.includes('"')) return undefined
  const quoted = splitQuoted(line)
  return quoted.length === count ? quoted : undefined
}

function splitPlain(line: string): readonly string[] {
  return line.trimEnd().split(line.includes('\t') ? '\t' : ' ')
}

function splitQuoted(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"(?=[ \t]|$)|[^ \t]+/g)].map((match) =>
    match[1] === undefined ? match[0] : match[1].replaceAll('""', '"'),
  )
}

function withoutQuotes(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

/** CloudFront's older files encode a space twice, `%2520`; a user agent without any space is such a one. */
function undoTwice(agent: string): string {
  const once = undoPercent(agent)
  return once.includes(' ') ? once : undoPercent(once)
}
