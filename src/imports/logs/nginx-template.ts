import { UsageError } from '../../errors.ts'
import { isEscaped } from './log-text.ts'

/** How nginx writes quotes and control characters of a value: `escape=` of `log_format`. */
export type Escape = 'default' | 'json' | 'none'

export interface Variable {
  /** Without `$`. */
  readonly name: string
  /** The text between it and the next variable, or the end. */
  readonly after: string
}

export interface Template {
  readonly escape: Escape
  /** The text before the first variable. */
  readonly lead: string
  readonly variables: readonly Variable[]
}

/** Takes a `log_format` apart: the string alone, `escape=…` and the string, or the whole directive of the configuration. */
export function parseTemplate(format: string): Template {
  const directive = format.trim().replace(/^log_format\s+\S+\s+/, '')
  const escape = /^escape=(default|json|none)\s+/.exec(directive)
  const text = unquote(directive.slice(escape?.[0].length ?? 0))
  const names = [...text.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)]
  const variables = names.map((match, index) => ({
    name: match[1] ?? match[2] ?? '',
    after: text.slice(match.index + match[0].length, names[index + 1]?.index ?? text.length),
  }))
  return { escape: toEscape(escape?.[1]), lead: text.slice(0, names[0]?.index ?? text.length), variables }
}

/**
 * A function that splits a line into the values of the template's variables, as they are written; undefined when the
 * line doesn't fit the template, or fits it in more than one way.
 *
 * Throws `UsageError` when no line of this format could be split safely.
 */
export function compileTemplate(template: Template): (line: string) => readonly string[] | undefined {
  const { lead, variables, escape } = template
  const trail = variables.at(-1)?.after ?? ''
  const bare = variables.filter((variable) => isBare(variable, escape))
  checkSeparators(variables, bare)
  const pivot = bare.length === 1 ? variables.findIndex((variable) => variable === bare[0]) : -1
  return (line) => {
    if (!line.startsWith(lead) || !line.endsWith(trail) || line.length < lead.length + trail.length) return undefined
    const end = line.length - trail.length
    const left = splitForward(line, lead.length, pivot === -1 ? variables.length - 1 : pivot)
    const right = splitBackward(line, end, pivot === -1 ? 0 : pivot)
    if (left === undefined || right === undefined) return undefined
    if (pivot !== -1 && left.rest > right.rest) return undefined
    if (pivot !== -1) return [...left.values, line.slice(left.rest, right.rest), ...right.values]
    const values = [...left.values, line.slice(left.rest, end)]
    const mirrored = [line.slice(lead.length, right.rest), ...right.values]
    return values.every((value, index) => value === mirrored[index]) ? values : undefined
  }

  /** The first `count` values, and where the next one starts. */
  function splitForward(line: string, start: number, count: number): Part | undefined {
    const values: string[] = []
    let at = start
    for (const { name, after } of variables.slice(0, count)) {
      const length = LENGTHS.get(name)
      const end = length === undefined ? findSeparator(line, after, at, escape) : at + length
      if (end === -1 || !line.startsWith(after, end)) return undefined
      values.push(line.slice(at, end))
      at = end + after.length
    }
    return { values, rest: at }
  }

  /** The values behind the one of index `first`, and where that one ends. */
  function splitBackward(line: string, end: number, first: number): Part | undefined {
    const values: string[] = []
    let at = end
    for (let index = variables.length - 1; index > first; index--) {
      const before = variables[index - 1]?.after ?? ''
      const length = LENGTHS.get(variables[index]?.name ?? '')
      const start =
        length === undefined ? findLastSeparator(line, before, at, escape) + before.length : Math.max(at - length, 0)
      if (start < before.length || !line.endsWith(before, start)) return undefined
      values.unshift(line.slice(start, at))
      at = start - before.length
    }
    return { values, rest: at }
  }
}

/**
 * Whether a line that fits the template can't be half a line, or only in its last value while that isn't read: that
 * value has one length, or ends with a text that no client can write. A value that can hold spaces and stands without
 * quotes is found from both ends, so half a line shifts it.
 */
export function isTemplateEnded({ variables, escape }: Template, isLastRead: boolean): boolean {
  const last = variables.at(-1)
  if (last === undefined) return false
  const isQuoted = escape !== 'none' && /^["\t]/.test(last.after)
  const isClosed = last.after !== '' && SAFE_VARIABLES.has(last.name) && !SENT_BY_CLIENTS.has(last.name)
  if (LENGTHS.has(last.name) || isQuoted || isClosed) return true
  return !isLastRead && !variables.some((variable) => variable !== last && isBare(variable, escape))
}

interface Part {
  readonly values: readonly string[]
  readonly rest: number
}

/** Variables that nginx writes in one length only; the first one has a space. */
const LENGTHS = new Map([
  ['time_local', 26],
  ['time_iso8601', 25],
])

/** Variables in which no client can place a separator. All others may hold whatever it sent. */
const SAFE_VARIABLES = new Set(
  `body_bytes_sent bytes_sent connection connection_requests connection_time gzip_ratio hostname https is_args msec pid
  pipe realip_remote_addr realip_remote_port remote_addr remote_port request_completion request_id request_length
  request_method request_time scheme server_addr server_name server_port server_protocol ssl_cipher ssl_protocol
  ssl_session_reused status tcpinfo_rtt time_iso8601 time_local args host query_string request_uri`.split(/\s+/),
)

/** Those of them that may still hold any other character that a URL can. */
const SENT_BY_CLIENTS = new Set(['args', 'host', 'query_string', 'request_uri'])

/** Whether a client can write the separator that follows its value. nginx escapes quotes and control characters. */
function isBare({ name, after }: Variable, escape: Escape): boolean {
  const isProtected = escape !== 'none' && /^["\t]/.test(after)
  return !SAFE_VARIABLES.has(name) && !isProtected
}

function checkSeparators(variables: readonly Variable[], bare: readonly Variable[]): void {
  const touching = variables.slice(0, -1).find(({ after }) => after === '')
  if (touching !== undefined) {
    throw new UsageError(`--log-format: nothing stands between $${touching.name} and the next variable.`)
  }
  const unquoted = bare.filter(({ after }) => after.startsWith(' '))
  if (bare.length > 1 && unquoted.length > 0) {
    const names = bare.map(({ name }) => `$${name}`).join(' and ')
    throw new UsageError(`--log-format: ${names} can hold spaces and stand without quotes; such lines can't be split.`)
  }
}

function findSeparator(line: string, separator: string, from: number, escape: Escape): number {
  let at = line.indexOf(separator, from)
  while (at !== -1 && isPartOfValue(line, separator, at, from, escape)) at = line.indexOf(separator, at + 1)
  return at
}

/** Where the last separator starts that ends at or before `end`; far below zero when there is none. */
function findLastSeparator(line: string, separator: string, end: number, escape: Escape): number {
  let at = end < separator.length ? -1 : line.lastIndexOf(separator, end - separator.length)
  while (at !== -1 && isPartOfValue(line, separator, at, 0, escape))
    at = at === 0 ? -1 : line.lastIndexOf(separator, at - 1)
  return at === -1 ? Number.NEGATIVE_INFINITY : at
}

/** A separator that begins with an escaped quote is none. */
function isPartOfValue(line: string, separator: string, at: number, from: number, escape: Escape): boolean {
  return escape !== 'none' && separator.startsWith('"') && isEscaped(line, at, from)
}

/** The pieces in quotes of a directive put together, without its semicolon; any other text as it is. */
function unquote(text: string): string {
  const directive = text.trim().replace(/;$/, '').trim()
  const isQuoted = /^(?:'(?:[^'\\]|\\.)*'\s*)+$/s.test(directive) || /^(?:"(?:[^"\\]|\\.)*"\s*)+$/s.test(directive)
  if (!isQuoted) return text.trimEnd()
  const pieces = [...directive.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)]
  return pieces.map((piece) => (piece[1] ?? piece[2] ?? '').replace(/\\(['"\\])/g, '$1')).join('')
}

function toEscape(text: string | undefined): Escape {
  return text === 'json' || text === 'none' ? text : 'default'
}
