import { describe, expect, it } from 'vitest'
import { findJsonFaults, parseJson } from '../../src/http/json-body.ts'

const parse = (text: string): unknown => parseJson(Buffer.from(text))

describe('parseJson', () => {
  it('reads UTF-8, with or without a byte order mark', () => {
    expect(parse('{"text":"Größe 🚀"}')).toEqual({ text: 'Größe 🚀' })
    expect(parse('\uFEFF{"a":1}')).toEqual({ a: 1 })
  })

  it.each(['', '   ', '\uFEFF', '{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":1}{"b":2}', 'undefined'])(
    'refuses %j',
    (text) => {
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_json' }))
    },
  )

  it('refuses brackets that are not closed as a fault of syntax, however many', () => {
    expect(() => parse('['.repeat(500_000))).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })

  it('refuses a nesting that takes long to parse without parsing it', () => {
    expect(() => parse('['.repeat(500_000) + ']'.repeat(500_000))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: [{ path: 'body', message: 'Nest at most 64 levels deep.' }],
      }),
    )
    expect(parse(`{"text": "${'['.repeat(5_000)}\\""}`)).toEqual({ text: `${'['.repeat(5_000)}"` })
  })

  it.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s', (_what, bytes) => {
    expect(() => parseJson(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })
})

describe('findJsonFaults', () => {
  it('finds halves of surrogate pairs with their paths', () => {
    expect(findJsonFaults({ prompts: [{ id: 'a\ud800' }, { id: '🚀' }], site_id: '\udc00' })).toEqual({
      tooDeep: false,
      faults: [
        { path: 'site_id', message: 'Contains half of a surrogate pair. Use valid Unicode.' },
        { path: 'prompts.0.id', message: 'Contains half of a surrogate pair. Use valid Unicode.' },
      ],
    })
  })

  it('takes 64 levels and refuses 65', () => {
    const nest = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(findJsonFaults(nest(65))).toEqual({ tooDeep: false, faults: [] })
    expect(findJsonFaults(nest(66)).tooDeep).toBe(true)
  })
})

it('a body of more values than any request has is refused before it is parsed', () => {
  const flood = (commas: number): Buffer => Buffer.from(`{"a":[0${',0'.repeat(commas)}]}`)
  expect(() => parseJson(flood(100_001))).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  expect(parseJson(flood(100_000))).toBeTypeOf('object')
  expect(parseJson(Buffer.from(`{"a":"${','.repeat(200_000)}"}`))).toBeTypeOf('object')
})
