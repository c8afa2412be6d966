import { toHost } from './log-text.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: string
  /** Of an absolute target, lower-case, without port; else `''`. */
  readonly host: string
}

/** What stands in a log where a client sent no HTTP: TLS on a plain port, garbage, nothing at all. */
export const NO_REQUEST: Request = { method: '', path: '', query: '', host: '' }

/** Reads the request line between two indexes of a line: `GET /pricing?a=1 HTTP/2.0`, also without a protocol. */
export function parseRequestLine(line: string, start: number, end: number): Request {
  const isGet = line.startsWith('GET ', start) && start + 4 <= end
  const space = isGet ? start + 3 : line.indexOf(' ', start)
  const method = isGet ? 'GET' : space === -1 || space >= end ? '' : line.substring(start, space)
  const target = isGet || METHOD.test(method) ? findTarget(line, space + 1, end) : ''
  return target === '' ? NO_REQUEST : parseTarget(method, target)
}

/** Reads a target that stands for itself: a path with its query, or an absolute URL. */
export function parseTarget(method: string, target: string): Request {
  const absolute = target.startsWith('/') ? null : ABSOLUTE.exec(target)
  if (absolute === null) return splitTarget(method, target, '')
  const rest = target.slice(absolute[0].length)
  return splitTarget(method, rest.startsWith('/') ? rest : `/${rest}`, toHost(absolute[1] ?? ''))
}

/** Path up to the first `?` or `#`, query up to the first `#`. */
function splitTarget(method: string, target: string, host: string): Request {
  const hash = target.indexOf('#')
  const whole = hash === -1 ? target : target.substring(0, hash)
  const mark = whole.indexOf('?')
  if (mark === -1) return { method, path: whole, query: '', host }
  return { method, path: whole.substring(0, mark), query: whole.substring(mark + 1), host }
}

/** The signs that a method's name may have; `-` alone is how load balancers write that there was none. */
const METHOD = /^(?!-$)[\w!#$%&'*+.^`|~-]+$/
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/

/** What stands before ` HTTP/1.1`, or all of it when there is no protocol. The target of a careless client holds spaces. */
function findTarget(line: string, start: number, end: number): string {
  const isUsual = line.startsWith(' HTTP/1.1', end - 9) || line.startsWith(' HTTP/2.0', end - 9)
  const space = isUsual ? end - 9 : line.lastIndexOf(' ', end - 1)
  return line.substring(start, space >= start && line.startsWith('HTTP/', space + 1) ? space : end)
}
