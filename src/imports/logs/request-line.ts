import { withoutPort } from './log-text.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: string
  /** Of an absolute target, without port; else `''`. */
  readonly host: string
}

/** What stands in a log where a client sent no HTTP: TLS on a plain port, garbage, nothing at all. */
export const NO_REQUEST: Request = { method: '', path: '', query: '', host: '' }

/** Reads the request line between two indexes of a line: `GET /pricing?a=1 HTTP/2.0`, also without a protocol. */
export function parseRequestLine(line: string, start: number, end: number): Request {
  if (isGet(line, start)) return parseRest('GET', line, start + 4, end)
  const space = line.indexOf(' ', start)
  const method = space === -1 || space >= end ? '' : line.substring(start, space)
  return METHOD.test(method) ? parseRest(method, line, space + 1, end) : NO_REQUEST
}

/** Reads a target that stands for itself: a path with its query, or an absolute URL. */
export function parseTarget(method: string, target: string): Request {
  const absolute = ABSOLUTE.exec(target)
  if (absolute === null) return splitTarget(method, target, '')
  const rest = target.slice(absolute[0].length)
  return splitTarget(method, rest.startsWith('/') ? rest : `/${rest}`, withoutPort(absolute[1] ?? ''))
}

const SPACE = 0x20
const SLASH = 0x2f
const CAPITAL_E = 0x45
const CAPITAL_G = 0x47
const CAPITAL_H = 0x48
const CAPITAL_T = 0x54
/** The signs that a method's name may have; `-` alone is how load balancers write that there was none. */
const METHOD = /^(?!-$)[\w!#$%&'*+.^`|~-]+$/
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/

// Single characters are compared because `startsWith` costs more than all the rest of a usual request.
function isGet(line: string, at: number): boolean {
  return (
    line.charCodeAt(at) === CAPITAL_G &&
    line.charCodeAt(at + 1) === CAPITAL_E &&
    line.charCodeAt(at + 2) === CAPITAL_T &&
    line.charCodeAt(at + 3) === SPACE
  )
}

/** Target and protocol: `/pricing?a=1 HTTP/2.0`. The target of a careless client holds spaces. */
function parseRest(method: string, line: string, start: number, end: number): Request {
  const isUsual = line.charCodeAt(end - 9) === SPACE && line.charCodeAt(end - 4) === SLASH
  const space = isUsual ? end - 9 : line.lastIndexOf(' ', end - 1)
  const targetEnd = space >= start && line.charCodeAt(space + 1) === CAPITAL_H ? space : end
  if (targetEnd <= start) return NO_REQUEST
  const target = line.substring(start, targetEnd)
  return line.charCodeAt(start) === SLASH ? splitTarget(method, target, '') : parseTarget(method, target)
}

/** Path up to the first `?` or `#`, query up to the first `#`. */
function splitTarget(method: string, target: string, host: string): Request {
  const hash = target.indexOf('#')
  const whole = hash === -1 ? target : target.substring(0, hash)
  const mark = whole.indexOf('?')
  if (mark === -1) return { method, path: whole, query: '', host }
  return { method, path: whole.substring(0, mark), query: whole.substring(mark + 1), host }
}
