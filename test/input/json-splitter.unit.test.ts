import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonSplitter } from '../../src/input/json-splitter.ts'

interface Visited {
  readonly number: number
  readonly offset: number
  readonly json?: unknown
  readonly fault?: string
}

function split(content: string, chunkBytes = 1_000_000, bytesMax = 1_000, lists: readonly string[] = []): Visited[] {
  const splitter = new JsonSplitter({ bytesMax, lists })
  const visited: Visited[] = []
  const visitor = {
    line(text: string, start: number, end: number) {
      visited.push({ number: splitter.number, offset: splitter.offset, json: JSON.parse(text.slice(start, end)) })
    },
    fault: (fault: string) => void visited.push({ number: splitter.number, offset: splitter.offset, fault }),
  }
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = Buffer.from(bytes.subarray(at, at + chunkBytes))
    splitter.push(chunk, visitor)
    chunk.fill(0)
  }
  splitter.end(visitor)
  return visited
}

describe('objects in an array', () => {
  it('come one by one with the line and the offset they start at', () => {
    for (const chunkBytes of [1, 3, 1_000]) {
      expect(split('[\n  {"a": "}]"},\n  {\n    "b": [{"c": "\\""}]\n  }\n]\n[{"d":"é"}]', chunkBytes)).toEqual([
        { number: 2, offset: 4, json: { a: '}]' } },
        { number: 3, offset: 19, json: { b: [{ c: '"' }] } },
        { number: 7, offset: 51, json: { d: 'é' } },
      ])
    }
    expect(split('\uFEFF[]')).toEqual([])
  })

  it('are all found whatever is in them, however they are written and cut', () => {
    const records = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), { maxLength: 5 })
    fc.assert(
      fc.property(
        records,
        fc.constantFrom(undefined, 2, '\t'),
        fc.integer({ min: 1, max: 20 }),
        (list, indent, chunkBytes) => {
          const expected: unknown = JSON.parse(JSON.stringify(list))
          const found = (text: string): unknown[] => split(text, chunkBytes, 1_000_000).map((record) => record.json)
          expect(found(JSON.stringify(list, undefined, indent))).toEqual(expected)
          expect(found(list.map((record) => JSON.stringify(record, undefined, indent)).join('\n'))).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('what is no object', () => {
  it('is one fault each, and the objects around it are read', () => {
    expect(split('[1, "two words", {"a":1}, null\n, tru]\nwords {"b":2}')).toEqual([
      { number: 1, offset: 1, fault: 'not a JSON object' },
      { number: 1, offset: 4, fault: 'not a JSON object' },
      { number: 1, offset: 17, json: { a: 1 } },
      { number: 1, offset: 26, fault: 'not a JSON object' },
      { number: 2, offset: 33, fault: 'not a JSON object' },
      { number: 3, offset: 38, fault: 'not a JSON object' },
      { number: 3, offset: 44, json: { b: 2 } },
    ])
  })

  it('a text without closing quote costs its object, not the rest of the file', () => {
    expect(split('[{"a":"open},\n{"b":2},\n{"c":"x')).toEqual([
      { number: 1, offset: 1, fault: 'a text without closing quote' },
      { number: 2, offset: 14, json: { b: 2 } },
      { number: 3, offset: 23, fault: 'the file ends within this object' },
    ])
  })

  it('a text that ends in a backslash before the line break does so too, wherever it is cut', () => {
    for (const chunkBytes of [1, 7, 8, 1_000]) {
      expect(split('{"a":"x\\\n{"b":2}', chunkBytes)).toEqual([
        { number: 1, offset: 0, fault: 'a text without closing quote' },
        { number: 2, offset: 9, json: { b: 2 } },
      ])
    }
  })

  it('an object that is too long is one fault and never held', () => {
    for (const chunkBytes of [1, 7, 1_000]) {
      expect(split(`[{"a":"${'x'.repeat(100)}"},{"b":2}]`, chunkBytes, 50)).toEqual([
        { number: 1, offset: 1, fault: 'too long: over 50 bytes' },
        { number: 1, offset: 110, json: { b: 2 } },
      ])
    }
  })
})

describe('objects in a list of an object', () => {
  it('come one by one, whatever stands around the list', () => {
    const content =
      '{"a": [1], "records" : [{"b": 1, "records": [2]},\n{"b": 2}], "c": {"d": ["]}"]}}\n{"records":[]}\n{"e":"records"}'
    for (const chunkBytes of [1, 7, 1_000]) {
      expect(split(content, chunkBytes, 1_000, ['records'])).toEqual([
        { number: 1, offset: 24, json: { b: 1, records: [2] } },
        { number: 2, offset: 50, json: { b: 2 } },
        { number: 4, offset: 96, json: { e: 'records' } },
      ])
    }
  })
})
