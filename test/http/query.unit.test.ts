import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/http/query.ts'
import { page } from '../../src/reports/request-schema.ts'
import { strictObject } from '../../src/schemas/strict-object.ts'

const SCHEMA = strictObject({ status: v.optional(v.string()), ...page({ max: 500, default: 100 }) })

describe('parseQuery', () => {
  it('reads numbers where the schema wants them and texts elsewhere', () => {
    expect(parseQuery('status=5&limit=5', SCHEMA)).toEqual({ values: { status: '5', limit: 5 }, faults: [] })
  })

  it.each(['05', '+5', '5.0', '5.', ' 5', '5 ', '0x5', '5e1', '-5', '٥', '', '1234567890123456'])(
    'takes limit=%s for no whole number',
    (text) => {
      expect(parseQuery(`limit=${encodeURIComponent(text)}`, SCHEMA).values).toEqual({ limit: text })
    },
  )

  it('tells each parameter that is given twice once', () => {
    expect(parseQuery('status=a&status=b&status=c&limit=1&limit=2', SCHEMA)).toEqual({
      values: { status: 'a', limit: 1 },
      faults: [
        { path: 'status', message: 'Given twice. Give it once.' },
        { path: 'limit', message: 'Given twice. Give it once.' },
      ],
    })
  })

  it('keeps names that objects have by nature as ordinary parameters', () => {
    expect(Object.entries(parseQuery('__proto__=1&constructor=2', SCHEMA).values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })
})
