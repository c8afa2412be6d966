/** How servers and CDNs write a client's bytes into a log, and the way back. */

/**
 * Undoes the escapes of Apache (`\"`, `\\`, `\n`, `\xhh`), nginx (`\xHH`) and the load balancers. The bytes of `\xhh`
 * are read as UTF-8. A backslash that starts none of these stays.
 */
export function undoEscapes(text: string): string {
  if (!text.includes('\\')) return text
  const bytes = Buffer.from(text)
  let written = 0
  for (let read = 0; read < bytes.length; read++, written++) {
    const byte = bytes[read] ?? 0
    const escape = byte === BACKSLASH ? (bytes[read + 1] ?? 0) : 0
    const plain = ESCAPES.get(escape)
    const hex = escape === LETTER_X ? parseHex(bytes, read + 2) : undefined
    bytes[written] = hex ?? plain ?? byte
    if (hex !== undefined) read += 3
    else if (plain !== undefined) read += 1
  }
  return bytes.toString('utf8', 0, written)
}

/** Percent-decodes what can be decoded; a `%` that starts no pair of hex digits stays. */
export function undoPercent(text: string): string {
  if (!text.includes('%')) return text
  const bytes = Buffer.from(text)
  let written = 0
  for (let read = 0; read < bytes.length; read++, written++) {
    const byte = bytes[read] ?? 0
    const hex = byte === PERCENT ? parseHex(bytes, read + 1) : undefined
    bytes[written] = hex ?? byte
    if (hex !== undefined) read += 2
  }
  return bytes.toString('utf8', 0, written)
}

/** Index of the `"` that ends the quoted text starting at `from`, past escaped ones; -1 when there is none. */
export function findQuote(line: string, from: number): number {
  let at = line.indexOf('"', from)
  while (at > from && line.charCodeAt(at - 1) === BACKSLASH && isEscaped(line, at, from)) at = line.indexOf('"', at + 1)
  return at
}

/** Whether an odd number of backslashes stands before `at`, none of them before `from`. */
function isEscaped(line: string, at: number, from: number): boolean {
  let start = at
  while (start > from && line.charCodeAt(start - 1) === BACKSLASH) start -= 1
  return (at - start) % 2 === 1
}

/** Blank lines are no records. */
export function isBlank(line: string): boolean {
  return line === '' || line.trim() === ''
}

/** `-` is how most logs write nothing. */
export function orNothing(text: string): string {
  return text === '-' ? '' : text
}

/** Without the port, and without the brackets of an IPv6 address: `[2001:db8::1]:443` → `2001:db8::1`. */
export function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(1, Math.max(host.indexOf(']'), 1))
  const colon = host.indexOf(':')
  return colon === -1 || colon !== host.lastIndexOf(':') ? host : host.slice(0, colon)
}

/**
 * A host as lines hold it: lower-case, without port and without the dot of a root. `''` for what servers write where
 * the client named none: `-`, and the `_` of nginx's catch-all.
 */
export function toHost(text: string): string {
  const host = withoutPort(text).toLowerCase()
  if (host === '-' || host === '_') return ''
  return host.endsWith('.') ? host.slice(0, -1) : host
}

const BACKSLASH = 0x5c
const PERCENT = 0x25
const LETTER_X = 0x78

/** Byte after the backslash → byte meant. */
const ESCAPES = new Map([
  [0x22, 0x22],
  [BACKSLASH, BACKSLASH],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x76, 0x0b],
])

function parseHex(bytes: Buffer, at: number): number | undefined {
  const high = HEX_DIGITS.indexOf(bytes[at] ?? 0)
  const low = HEX_DIGITS.indexOf(bytes[at + 1] ?? 0)
  return high === -1 || low === -1 ? undefined : (high % 16) * 16 + (low % 16)
}

const HEX_DIGITS = Buffer.from('0123456789abcdef0123456789ABCDEF')
