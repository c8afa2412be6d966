import { describe, expect, it } from 'vitest'
import { toCurl } from '../../src/dashboard/api.ts'
import { keepRows } from '../../src/dashboard/parts/ways.tsx'
import {
  toCount,
  toCountOf,
  toInterval,
  toList,
  toLongDay,
  toMinute,
  toPercent,
  toPoints,
  toShortDay,
} from '../../src/dashboard/format.ts'

/** Node's language is that of the machine; CI and this test are in English. */
describe('numbers and days as they are written', () => {
  it('keeps a digit of shares that a whole number would hide', () => {
    expect([0, 0.004, 0.0996, 0.1, 0.286, 1].map(toPercent)).toEqual(['0%', '0.4%', '10%', '10%', '29%', '100%'])
  })

  it('writes an interval as one range', () => {
    expect(toInterval(0.261, 0.312)).toMatch(/^26%\s–\s31%$/)
    expect(toInterval(0.012, 0.034)).toMatch(/^1\.2%\s–\s3\.4%$/)
    expect(toInterval(1, 1)).toMatch(/100%$/)
  })

  it('writes differences with their sign, in points', () => {
    expect([0.041, -0.2, 0].map(toPoints)).toEqual(['+4.1 points', '−20 points', '0 points'])
  })

  it('counts in the singular and the plural', () => {
    expect([toCountOf(1, 'answer'), toCountOf(1440, 'answer'), toCountOf(2, 'reply', 'replies'), toCount(0)]).toEqual([
      '1 answer',
      '1,440 answers',
      '2 replies',
      '0',
    ])
  })

  it('means UTC days in whatever zone the reader is', () => {
    expect(toShortDay('2026-11-15')).toBe('Nov 15')
    expect(toLongDay('2026-01-01')).toBe('January 1, 2026')
    expect(toMinute('2026-11-15T23:59:00Z')).toMatch(/^Nov 15, 2026, 11:59\sPM UTC$/)
  })

  it('writes lists', () => {
    expect(toList(['a', 'b', 'c'])).toBe('a, b, and c')
  })
})

describe('a question as a line for a shell', () => {
  it('quotes what a shell would read', () => {
    const question = { method: 'POST', path: '/reports/visibility', body: { metric: "D'Arcy" } } as const
    expect(toCurl(question, 'https://lake.acme.com')).toBe(
      `curl -s -w '\\n' -H "X-API-Key: $KEY" -H 'Content-Type: application/json' https://lake.acme.com/v1/reports/visibility -d '{"metric":"D'\\''Arcy"}'`,
    )
  })

  it('asks for every row of a list, whatever the page shows, and for the info of a total', () => {
    const lines = `curl -s -H "X-API-Key: $KEY" -H 'Accept: application/x-ndjson'`
    expect(toCurl({ method: 'GET', path: '/sites' }, 'http://127.0.0.1:8080')).toBe(
      `${lines} 'http://127.0.0.1:8080/v1/sites'`,
    )
    const ask = (name: string, body: object): string =>
      toCurl({ method: 'POST', path: name, body }, 'http://127.0.0.1:8080')
    expect(ask('/reports/bots', { group_by: ['path'], limit: 10 })).toBe(
      `${lines} -H 'Content-Type: application/json' http://127.0.0.1:8080/v1/reports/bots -d '{"group_by":["path"]}'`,
    )
    for (const [path, body] of [
      ['/answers', {}],
      ['/reports/citations', {}],
      ['/reports/visibility', { brands: 'all' }],
      ['/reports/visibility', { brands: ['A', 'B'] }],
    ] as const) {
      expect(ask(path, body)).toContain(lines)
    }
    for (const name of ['visibility', 'changes', 'sentiment', 'bots', 'referrals']) {
      expect(ask(`/reports/${name}`, { metrics: ['answers'] })).not.toContain('Accept')
    }
    expect(ask('/reports/citations', { entity: 'page', limit: 1 })).toMatch(/^(?!.*Accept).*"limit":1/)
    expect(toCurl({ method: 'GET', path: '/sites/s1/quality?start_date=2026-11-01' }, 'http://[::1]:80')).not.toContain(
      'Accept',
    )
  })
})

it('keeps of a CSV the header and the rows that are wanted, whatever their texts hold', () => {
  const rows = ['a,"one, ""two""\r\nthree"\r\n', 'b,"\n"\r\n', 'c,\r\n']
  const csv = `id,text\r\n${rows.join('')}`
  expect(keepRows(csv, new Set(['a', 'c']))).toBe(`id,text\r\n${rows[0]}${rows[2]}`)
  expect(keepRows(csv, new Set(['b']))).toBe(`id,text\r\n${rows[1]}`)
  expect(keepRows(csv, new Set())).toBe('id,text\r\n')
})
