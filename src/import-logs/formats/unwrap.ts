import { isObject, parseObject } from './json-line.ts'
import { parseIsoTime } from './log-time.ts'

/** A line as what collected it wraps it. */
export interface Wrapped {
  /** Without the prefix, or out of the object. */
  readonly line: string
  /** When it was collected, in seconds since 1970. */
  readonly seconds: number | undefined
  /** It is the beginning of a longer line; the next one of the same stream goes on. */
  readonly isPart: boolean
  /** Parts of a line have the same: `stdout`, `stderr`. */
  readonly stream: string
}

/**
 * Takes off one thing that collectors put around a line: the prefix of Kubernetes' container runtime, of syslog,
 * `journalctl`, `docker compose logs`, a time, or the JSON object of Docker, journald, Filebeat and the like. Undefined
 * when there is none.
 */
export function unwrap(line: string): Wrapped | undefined {
  return line.charCodeAt(0) === OPENING_BRACE ? unwrapObject(line) : unwrapPrefix(line)
}

/** As `unwrap`, for prefixes alone. */
export function unwrapPrefix(line: string): Wrapped | undefined {
  // Most lines begin with an address.
  if (isDigit(line.charCodeAt(0)) && line.charCodeAt(10) !== CAPITAL_T) return undefined
  for (const { start, read } of PREFIXES) {
    if (!start(line.charCodeAt(0), line)) continue
    const match = read.exec(line)
    if (match === null) continue
    const { time = '', stream = '', part } = match.groups ?? {}
    return { line: line.slice(match[0].length), seconds: parseIsoTime(time), isPart: part === 'P', stream }
  }
  return undefined
}

/** Whether lines like this one may come in parts, which the next ones go on with. */
export function mayBePart(line: string): boolean {
  return CRI.test(line) || line.startsWith('{"log":"')
}

interface Prefix {
  /** What the line must show before the expression is tried. */
  readonly start: (first: number, line: string) => boolean
  readonly read: RegExp
}

const ISO = String.raw`(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d))`
const RFC3164_TIME = String.raw`[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,9})?`
const FULL_TIME = String.raw`[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+`
const CRI = new RegExp(`^${ISO} (?<stream>stdout|stderr) (?<part>[FP])(?::\\S+)? ?`)

const isDigit = (first: number): boolean => first >= 0x30 && first <= 0x39
const isIso = (first: number, line: string): boolean => isDigit(first) && line.charCodeAt(10) === CAPITAL_T
const isCapital = (first: number): boolean => first >= 0x41 && first <= 0x5a

/** In the order in which they are tried. */
const PREFIXES: readonly Prefix[] = [
  // 2026-11-21T10:57:03.123456789Z stdout F 203.0.113.7 - - […
  { start: isIso, read: CRI },
  // <134>1 2026-11-21T10:57:03Z host app 123 - - 203.0.113.7 - - […
  {
    start: (first) => first === ANGLE,
    read: new RegExp(`^<\\d{1,3}>\\d{1,2} (?:${ISO}|-) \\S+ \\S+ \\S+ \\S+ (?:-|(?:\\[[^\\]]*\\])+) ?\uFEFF?`),
  },
  // <190>Nov 21 10:57:03 host nginx[123]: 203.0.113.7 - - […; the host, the process and <190> may be missing
  {
    start: (first, line) => first === ANGLE || isCapital(first) || isIso(first, line),
    read: new RegExp(
      `^(?:<\\d{1,3}>)?(?:${RFC3164_TIME}|${FULL_TIME}|${ISO}) (?:\\S+ )?[^\\s:\\[\\]]+(?:\\[[^\\s\\]]*\\])?:(?: |(?=\\{))`,
    ),
  },
  // 2026-11-21T10:57:03.123456789Z 203.0.113.7 - - […, of kubectl, docker logs and CloudWatch
  { start: isIso, read: new RegExp(`^${ISO}[ \\t]`) },
  // web-1  | 203.0.113.7 - - […, also in colours
  // oxlint-disable-next-line no-control-regex
  { start: (first) => !isDigit(first), read: /^(?:\u001B\[[\d;]*m)?[\w.-]{1,128} *\| (?:\u001B\[[\d;]*m)?/ },
]

/** Names under which collectors keep the line itself. */
const LINES = [
  'log',
  'message',
  'MESSAGE',
  'textPayload',
  'jsonPayload',
  'msg',
  'line',
  '@message',
  '_raw',
  'event.original',
] as const
const MAY_WRAP = new RegExp(String.raw`"(?:${LINES.join('|').replaceAll('.', String.raw`\.`)}|original)"\s*:\s*["{[]`)
/** Docker cuts longer lines, and ends none but the last part with a line break. */
const DOCKER_PART_CHARACTERS = 16_000

function unwrapObject(object: string): Wrapped | undefined {
  if (!MAY_WRAP.test(object)) return undefined
  const record = parseObject(object)
  if (record === undefined) return undefined
  const event = record['event']
  const own = LINES.map((name) => toLine(record[name])).filter((text) => text !== undefined)
  // A text is the line more surely than an object is.
  const text = own.find((each) => !each.startsWith('{')) ?? own[0]
  const line = text ?? (isObject(event) ? toLine(event['original']) : undefined)
  if (line === undefined) return undefined
  const { time, stream } = record
  return {
    line: line.replace(/\r?\n$/, ''),
    seconds: parseIsoTime(toText(time) || toText(record['@timestamp']) || toText(record['timestamp'])),
    isPart: typeof stream === 'string' && !line.endsWith('\n') && line.length >= DOCKER_PART_CHARACTERS,
    stream: toText(stream),
  }
}

/** journald writes texts with bytes that aren't UTF-8 as lists of bytes. */
function toLine(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (isObject(value)) return JSON.stringify(value)
  return Array.isArray(value) && value.every((byte) => typeof byte === 'number')
    ? Buffer.from(value).toString()
    : undefined
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const OPENING_BRACE = 0x7b
const ANGLE = 0x3c
const CAPITAL_T = 0x54
