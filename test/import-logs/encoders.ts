import * as fc from 'fast-check'

/** What a client may send as user agent or referer: anything but a line end, with a liking for what separates fields. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '\\',
        "'",
        ' ',
        '\t',
        '" "',
        '\\"',
        '\\\\',
        '\\x22',
        '] "',
        '%22',
        '|',
        ',',
        '- ',
        'é',
        '€',
        '😀',
        '\u0001',
        '\u007f',
        ' 200 5 "',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) =>
    parts
      .join('')
      .replace(/[\r\n\uFEFF]/g, '')
      .toWellFormed(),
  )
  .filter((text) => text !== '-')

/** As Apache writes a header into its log. */
export function apacheEscape(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '"': '\\"',
    '\\': '\\\\',
    '\b': '\\b',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  }
  return toBytes(text, (char, code) => named[char] ?? (code < 0x20 || code >= 0x7f ? hex(code) : char))
}

/** As nginx writes a variable with its default escaping. */
export function nginxEscape(text: string): string {
  return toBytes(text, (char, code) =>
    code < 0x20 || code > 0x7e || char === '"' || char === '\\' ? hex(code).toUpperCase().replace('X', 'x') : char,
  )
}

/** As CloudFront writes a header. */
export function percentEscape(text: string): string {
  return toBytes(text, (char, code) =>
    code <= 0x20 || code >= 0x7f || '"%\\'.includes(char) ? `%${hex(code).slice(2).toUpperCase()}` : char,
  )
}

function toBytes(text: string, escape: (char: string, code: number) => string): string {
  return [...Buffer.from(text)].map((code) => escape(String.fromCodePoint(code), code)).join('')
}

function hex(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`
}
