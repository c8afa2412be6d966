import { LOG_LINE_BYTES_MAX } from '../../log-limits.ts'
import { isRejected, type ParseLine, type Parsed } from './log-line.ts'
import { unwrap, type Wrapped } from './unwrap.ts'

/**
 * A reader of lines that a collector may have wrapped, several times over, and put the parts of long ones into lines of
 * their own. Prefixes are taken off before `parse` sees a line, or only when it can't read it; objects always so, since
 * a record may have a field of the same name as theirs. What comes out of a wrapping, is no request and was written to
 * `stderr` is no record: servers tell their troubles there.
 */
export function unwrapLines(
  parse: ParseLine,
  { prefixes, state }: { readonly prefixes: 'first' | 'rejected'; readonly state: string | undefined },
): { readonly parse: ParseLine; readonly state: () => string | undefined } {
  /** The beginning of a line that goes on, by stream. */
  const parts = new Map<string, string>(state === undefined ? [] : (JSON.parse(state) as [string, string][]))

  function readInner(wrapped: Wrapped, depth: number): Parsed {
    const { isPart, stream, seconds } = wrapped
    const line = (parts.get(stream) ?? '') + wrapped.line
    if (isPart) {
      parts.set(stream, line.slice(0, LOG_LINE_BYTES_MAX))
      return undefined
    }
    if (parts.size > 0) parts.delete(stream)
    const parsed = read(line, depth + 1, seconds)
    return parsed !== undefined && isRejected(parsed) && stream === 'stderr' ? undefined : parsed
  }

  function read(line: string, depth: number, wrappedAt: number | undefined): Parsed {
    if (isNoise(line)) return undefined
    const before = prefixes === 'first' && depth < DEPTH_MAX && !line.startsWith('{') ? unwrap(line) : undefined
    if (before !== undefined) return readInner(before, depth)
    const parsed = parse(line, wrappedAt)
    if (depth === DEPTH_MAX || (parsed !== undefined && !isRejected(parsed))) return parsed
    const wrapped = unwrap(line)
    if (wrapped === undefined) return parsed
    const inner = readInner({ ...wrapped, seconds: wrapped.seconds ?? wrappedAt }, depth)
    return inner !== undefined && isRejected(inner) ? (parsed === undefined ? undefined : inner) : inner
  }

  return {
    parse: (line, wrappedAt) => read(line.startsWith(' ') ? line.trimStart() : line, 0, wrappedAt),
    state: () => (parts.size === 0 ? undefined : JSON.stringify([...parts])),
  }
}

/** Syslog around Docker's object around a time of its own. */
const DEPTH_MAX = 4

/** What servers and containers write beside requests: comments, messages of nginx and Apache about themselves. */
function isNoise(line: string): boolean {
  const first = line.charCodeAt(0)
  if (first === HASH) return true
  if (first === SLASH) return line.startsWith('/docker-entrypoint')
  if (first === OPENING_BRACKET) return APACHE_ERROR.test(line)
  return first >= ZERO && first <= NINE && line.charCodeAt(4) === SLASH && NGINX_ERROR.test(line)
}

/** `2026/11/21 10:57:03 [error] 29#29: *1 open() …` */
const NGINX_ERROR = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[(?:debug|info|notice|warn|error|crit|alert|emerg)\] /
/** `[Sat Nov 21 10:57:03.123456 2026] [core:error] [pid 1] …` */
const APACHE_ERROR = /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \d{4}\] \[/

const HASH = 0x23
const SLASH = 0x2f
const ZERO = 0x30
const NINE = 0x39
const OPENING_BRACKET = 0x5b
