import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCombined } from '../../../src/imports/logs/clf.ts'
import type { LogLine } from '../../../src/imports/logs/log-line.ts'
import { UsualLine } from '../../../src/imports/logs/usual-line.ts'
import { hostileText } from './encoders.ts'

const HEAD = '203.0.113.7 - - [21/Nov/2026:10:57:03 +0000]'

const usual = new UsualLine()

function parseUsual(text: string, start = 0, end = text.length): LogLine | undefined {
  return usual.find(text, start, end, Buffer.from(text, 'latin1')) ? usual.toLine() : undefined
}

describe('the usual line of combined', () => {
  it('is read in place exactly as it is read alone', () => {
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
      { weight: 16, arbitrary: fc.constantFrom('', 'plain', '-') },
      { weight: 1, arbitrary: separators },
      { weight: 1, arbitrary: hostileText },
    )
    const text = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
    const mostly = (usual: readonly string[], others: readonly string[]): fc.Arbitrary<string> =>
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...usual) },
        { weight: 1, arbitrary: fc.constantFrom(...others) },
      )
    const line = fc
      .tuple(
        mostly(['GET', 'POST', 'PUT', 'HEAD'], ['get', 'G-T', 'Gx', '', 'GE']),
        mostly(['1.1', '2.0'], ['3', '1.10', '']),
        mostly([' -'], ['', ' x', 'x', ' x y']),
        text,
        mostly([''], ['x', '"', ' ']),
        mostly(['200', '404'], ['20', '-', '2000']),
        mostly(['5', '-', '123456'], ['5x', '', '-5', '5 5']),
        text,
        text,
        mostly(['', ' "-"', ' "198.51.100.1"'], [' "', ' 5', 'x', ' "" ""']),
      )
      .map(
        ([method, version, user, path, rest, status, bytes, referer, agent, tail]) =>
          `203.0.113.7 -${user} [21/Nov/2026:10:57:03 +0000] "${method} /${path} HTTP/${version}${rest}" ${status} ${bytes} "${referer}" "${agent}"${tail}`,
      )
    const before = fc.constantFrom('', `${HEAD} "GET / HTTP/1.1" 200 5 "-" "x"\n`)
    const after = fc.constantFrom('', `\n${HEAD} "GET / HTTP/1.1" 200 5 "-" "x"`, '\n" "" "')
    let inPlace = 0
    fc.assert(
      fc.property(line, before, after, (raw, lead, trail) => {
        // Only lines of plain ASCII come with their bytes.
        const hostile = raw.replace(/\P{ASCII}/gu, '')
        const found = parseUsual(lead + hostile + trail, lead.length, lead.length + hostile.length)
        if (found === undefined) return
        inPlace += 1
        expect(found).toEqual(parseCombined(hostile))
      }),
      { numRuns: 20_000 },
    )
    expect(inPlace).toBeGreaterThan(1_000)
  })

  it('is told from all others', () => {
    for (const line of ['', 'x', `${HEAD} "GET / HTTP/1.1" 200 5 "-" "\\"x"`, `${HEAD} "GET / HTTP/1.1" 200 5`]) {
      expect(parseUsual(line)).toBeUndefined()
    }
  })
})
