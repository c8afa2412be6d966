import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCombined, parseUsualCombined, parseVhostCombined } from '../../../src/imports/logs/clf.ts'
import { apacheEscape, hostileText, nginxEscape } from './encoders.ts'

const HEAD = '203.0.113.7 - - [21/Nov/2026:10:57:03 +0000]'
const usual = {
  timeSeconds: 1_795_258_623,
  method: 'GET',
  path: '/',
  query: '',
  status: 200,
  userAgent: 'x',
  referer: '',
  address: '203.0.113.7',
  forwardedFor: '',
  host: '',
}

describe('combined', () => {
  it('gives back whatever user agent and referer a client sent, as Apache and nginx write them', () => {
    fc.assert(
      fc.property(
        hostileText,
        hostileText,
        fc.constantFrom(apacheEscape, nginxEscape),
        (userAgent, referer, escape) => {
          const line = `${HEAD} "GET / HTTP/1.1" 200 5 "${escape(referer)}" "${escape(userAgent)}"`
          expect(parseCombined(line)).toEqual({ ...usual, userAgent, referer })
          expect(parseCombined(`${line} "198.51.100.1"`)).toEqual({
            ...usual,
            userAgent,
            referer,
            forwardedFor: '198.51.100.1',
          })
          expect(parseVhostCombined(`example.com:443 ${line}`)).toEqual({
            ...usual,
            userAgent,
            referer,
            host: 'example.com',
          })
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('gives back path, query and user, however hostile', () => {
    const target = hostileText.map((text) => text.replace(/[?#\s]/g, ''))
    fc.assert(
      fc.property(
        target,
        target,
        hostileText,
        fc.constantFrom(apacheEscape, nginxEscape),
        (path, query, user, escape) => {
          const line = `203.0.113.7 - ${escape(user)} [21/Nov/2026:10:57:03 +0000] "GET /${escape(path)}?${escape(query)} HTTP/1.1" 200 5 "-" "x"`
          expect(parseCombined(line)).toEqual({ ...usual, path: `/${path}`, query })
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('reads the usual line in place exactly as it reads it alone', () => {
    const separators = fc.constantFrom(
      '"',
      '\\',
      ' ',
      '] "',
      ' - - [',
      '-',
      'GET ',
      ' HTTP/1.1',
      '?b#c',
      '200',
      '\n',
      '[',
      '#',
    )
    const piece = fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('', 'plain', '-') },
      { weight: 1, arbitrary: separators },
      { weight: 1, arbitrary: hostileText },
    )
    const text = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
    const line = fc
      .tuple(
        fc.constantFrom('', '', ' x', 'x'),
        text,
        fc.constantFrom('', '', '', 'x', '"'),
        fc.constantFrom('200', '404', '20', '-'),
        fc.constantFrom('5', '-', '123456', '5x', ''),
        text,
        text,
        fc.constantFrom('', '', ' "-"', ' "198.51.100.1"', ' "', ' 5', 'x'),
      )
      .map(
        ([user, path, rest, status, bytes, referer, agent, tail]) =>
          `203.0.113.7 -${user === '' ? ' -' : user} [21/Nov/2026:10:57:03 +0000] "GET /${path} HTTP/1.1${rest}" ${status} ${bytes} "${referer}" "${agent}"${tail}`,
      )
    const before = fc.constantFrom('', `${HEAD} "GET / HTTP/1.1" 200 5 "-" "x"\n`)
    const after = fc.constantFrom('', `\n${HEAD} "GET / HTTP/1.1" 200 5 "-" "x"`, '\n" "" "')
    let inPlace = 0
    fc.assert(
      fc.property(line, before, after, (hostile, lead, trail) => {
        const found = parseUsualCombined(lead + hostile + trail, lead.length, lead.length + hostile.length)
        if (found === undefined) return
        inPlace += 1
        expect(found).toEqual(parseCombined(hostile))
      }),
      { numRuns: 20_000 },
    )
    expect(inPlace).toBeGreaterThan(1_000)
  })

  it('leaves lines that are not usual to the careful way', () => {
    for (const line of ['', 'x', `${HEAD} "GET / HTTP/1.1" 200 5 "-" "\\"x"`, `${HEAD} "GET / HTTP/1.1" 200 5`]) {
      expect(parseUsualCombined(line, 0, line.length)).toBeUndefined()
    }
  })
})
