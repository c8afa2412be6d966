import { expect, test } from 'vitest'
import { parsePrompts } from '../../cli/prompts-csv.ts'
import { CommandError } from '../../src/errors.ts'

const refusal = (text: string): string => {
  try {
    parsePrompts(text, 'p.csv')
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError)
    return (error as Error).message
  }
  throw new Error('it was not refused')
}

test('columns are found by name, in any order and case, others are ignored', () => {
  expect(
    parsePrompts('\uFEFFNote,Category , TEXT,id\r\nx,Brand,"a ""b"",\nc",p1\r\n\r\ny,How-to,  d  ,\r\n', 'p.csv'),
  ).toEqual([
    { text: 'a "b",\nc', category: 'Brand', market: null, id: 'p1', status: 'active' },
    { text: 'd', category: 'How-to', market: null, id: undefined, status: 'active' },
  ])
})

test('texts are the same when they are the same in NFC', () => {
  expect(refusal('text,category\ncaf\u00E9,Brand\ncafe\u0301,Brand\n')).toBe(
    'p.csv has 1 fault; nothing was imported.\n  line 3: the text "caf\u00E9" stands in an earlier line too',
  )
})

test('a file of a header alone holds no prompts', () => {
  expect(parsePrompts('text,category\n', 'p.csv')).toEqual([])
})

test.each([
  ['', 'text and category are missing'],
  ['text\nx\n', 'category is missing'],
  ['text,category,text\nx,Brand,y\n', 'the column text stands twice'],
  [
    'text,category\nx,Brand\n"y,Brand\n\n',
    'a quotation mark opens a field that no other closes before line 4, the end',
  ],
  ['text,category\nx"y,Brand\n', 'line 2: a quotation mark stands inside a field'],
  ['text,category\n"x"y,Brand\n', 'line 2: a quotation mark stands inside a field'],
])('%j is refused: %s', (text, message) => {
  expect(refusal(text)).toContain(message)
})

test('every fault is listed with its line, the first twenty in words', () => {
  const text = `text,category\n${'x,Nonsense\n'.repeat(30)}`
  const lines = refusal(text).split('\n')
  expect(lines[0]).toBe('p.csv has 59 faults; nothing was imported.')
  expect(lines[1]).toBe(
    '  line 2: the category "Nonsense" is none of Discovery, Comparison, Alternatives, How-to, Pricing, Brand',
  )
  expect(lines).toHaveLength(22)
  expect(lines.at(-1)).toBe('  and 39 more')
})
