import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detachString } from '../../src/derive/detach-string.ts'
import { type LineOptions, LineSplitter } from '../../src/input/lines.ts'

interface Visited {
  readonly number: number
  readonly offset: number
  readonly text?: string
  readonly fault?: string
}

/** What a splitter visits when the content comes in pieces of these sizes, over and over. */
function split(
  content: Buffer | string,
  options: Partial<LineOptions> = {},
  sizes: readonly number[] = [1_000],
): Visited[] {
  const splitter = new LineSplitter({ bytesMax: 1_000, ...options })
  const visited: Visited[] = []
  const visitor = {
    line(text: string, start: number, end: number) {
      visited.push({ number: splitter.number, offset: splitter.offset, text: text.slice(start, end) })
    },
    fault: (fault: string) => void visited.push({ number: splitter.number, offset: splitter.offset, fault }),
  }
  const bytes = Buffer.from(content)
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    // Memory that is used again after each push, as a caller may.
    const chunk = Buffer.from(bytes.subarray(at, at + size))
    splitter.push(chunk, visitor)
    chunk.fill(0)
    at += size
  }
  splitter.end(visitor)
  return visited
}

const sizesArbitrary = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })

describe('lines', () => {
  it('have a number and the offset of their first byte, and no line ends', () => {
    expect(split('one\ntwo\r\n\n\r\nfünf\nsix')).toEqual([
      { number: 1, offset: 0, text: 'one' },
      { number: 2, offset: 4, text: 'two' },
      { number: 3, offset: 9, text: '' },
      { number: 4, offset: 10, text: '' },
      { number: 5, offset: 12, text: 'fünf' },
      { number: 6, offset: 18, text: 'six' },
    ])
  })

  it('are the same wherever the chunks are cut', () => {
    const content = fc
      .array(fc.constantFrom('a', 'bc', 'é', '€', '😀', '\n', '\r\n', '\r', '"', ' '), { maxLength: 60 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(content, sizesArbitrary, (text, sizes) => {
        const expected = text.split('\n').map((line) => line.replace(/\r$/, ''))
        // A content that ends with a line end has no further line.
        if (text === '' || text.endsWith('\n')) expected.pop()
        // A carriage return with nothing behind it has no line end to belong to, but is taken for one.
        expect(split(text, {}, sizes).map((line) => line.text)).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are all found in chunks of any size, with long ones among them', () => {
    const lines = Array.from(
      { length: 6_000 },
      (_, index) => `${index} ${'é'.repeat(index % 7)}${'x'.repeat((index * 37) % 211)}`,
    )
    lines[3_000] = 'y'.repeat(200_000)
    for (const size of [4_096, 65_536, 300_000, 10_000_000]) {
      const visited = split(`${lines.join('\n')}\n`, { bytesMax: 300_000 }, [size])
      expect(visited.map((line) => line.text)).toEqual(lines)
      expect(visited.map((line) => line.number)).toEqual(lines.map((_, index) => index + 1))
      expect(visited.at(-1)?.offset).toBe(Buffer.byteLength(lines.slice(0, -1).join('\n')) + 1)
    }
  })

  it('start after a byte order mark, and only the first one does', () => {
    for (const sizes of [[1], [2], [1_000]]) {
      expect(split('\uFEFFone\n\uFEFFtwo\n', {}, sizes)).toEqual([
        { number: 1, offset: 0, text: 'one' },
        { number: 2, offset: 7, text: '\uFEFFtwo' },
      ])
      expect(split('\uFEFF', {}, sizes)).toEqual([{ number: 1, offset: 0, text: '' }])
    }
  })

  it('are counted on when a growing file is read from where its last whole line ended', () => {
    const first = new LineSplitter({ bytesMax: 100 })
    const texts: string[] = []
    const visitor = {
      line: (text: string, start: number, end: number) => void texts.push(text.slice(start, end)),
      fault: () => expect.unreachable(),
    }
    first.push(Buffer.from('one\ntwo\nthr'), visitor)
    expect([first.number, first.offset]).toEqual([3, 8])
    first.end(visitor)
    expect([first.number, first.offset]).toEqual([3, 8])
    expect(texts).toEqual(['one', 'two', 'thr'])
    expect(split('three\nfour\n', { number: 3, offset: 8 })).toEqual([
      { number: 3, offset: 8, text: 'three' },
      { number: 4, offset: 14, text: 'four' },
    ])
  })
})

describe('a line that is too long', () => {
  const reason = 'too long: over 10 bytes'

  it('is one fault, and the next line is read', () => {
    for (const sizes of [[1], [3], [7, 2], [1_000]]) {
      expect(
        split(
          `0123456789\r\n0123456789a\nok\n${'x'.repeat(50)}\r\nalso ok\n${'y'.repeat(30)}`,
          { bytesMax: 10 },
          sizes,
        ),
      ).toEqual([
        { number: 1, offset: 0, text: '0123456789' },
        { number: 2, offset: 12, fault: reason },
        { number: 3, offset: 24, text: 'ok' },
        { number: 4, offset: 27, fault: reason },
        { number: 5, offset: 79, text: 'also ok' },
        { number: 6, offset: 87, fault: reason },
      ])
    }
  })

  it('is never held: 200 megabytes without a line end take no memory', () => {
    const splitter = new LineSplitter({ bytesMax: 1_048_576 })
    const visited: string[] = []
    const visitor = {
      line: (text: string, start: number, end: number) => void visited.push(text.slice(start, end)),
      fault: (fault: string) => void visited.push(fault),
    }
    const chunk = Buffer.alloc(262_144, 'x')
    const before = process.memoryUsage().rss
    for (let pushed = 0; pushed < 200_000_000; pushed += chunk.length) splitter.push(chunk, visitor)
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
    splitter.push(Buffer.from('\nnext\n'), visitor)
    expect(visited).toEqual(['too long: over 1048576 bytes', 'next'])
  })
})

describe('bytes that are no UTF-8', () => {
  const content = Buffer.concat([
    Buffer.from('good é\n'),
    Buffer.from([0x61, 0xff, 0x20, 0xc3, 0x0a]),
    Buffer.from([0xe2, 0x82, 0x0a]),
    Buffer.from('€ good\nplain\n'),
  ])

  it('read as U+FFFD, and take no other character with them', () => {
    expect(split(content).map((line) => line.text)).toEqual(['good é', 'a\uFFFD \uFFFD', '\uFFFD', '€ good', 'plain'])
    const bytes = fc.array(fc.oneof(fc.constantFrom(0x22, 0x20, 0x0a, 0x41), fc.integer({ min: 0x80, max: 0xff })), {
      maxLength: 80,
    })
    fc.assert(
      fc.property(bytes, sizesArbitrary, (values, sizes) => {
        const raw = Buffer.from(values)
        const plain = (text: string): string => text.replace(/[^\n\p{ASCII}]/gu, '')
        const lines = split(raw, {}, sizes).map((line) => line.text)
        const ascii = raw.toString('latin1').replace(/[\x80-\xff]/g, '')
        expect(plain(lines.join('\n'))).toBe(ascii.endsWith('\n') && raw.at(-1) === 0x0a ? ascii.slice(0, -1) : ascii)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('detachString', () => {
  it('gives the same text, with U+FFFD for what no file can hold', () => {
    for (const text of ['', 'a', 'user agent', 'é€😀', 'x'.repeat(10_000)]) expect(detachString(text)).toBe(text)
    expect(detachString('a\uD800b')).toBe('a\uFFFDb')
  })

  it('lets go of the chunk', () => {
    const kept: string[] = []
    const before = process.memoryUsage().rss
    for (let index = 0; index < 400; index++) {
      const chunk = `${index} ${'x'.repeat(1_000_000)}`
      kept.push(detachString(chunk.slice(0, 50)))
    }
    expect(kept).toHaveLength(400)
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000)
  })
})
