import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCsv, UnclosedQuote } from '../../../src/dashboard/views/prompts/csv.ts'
import { readPromptLines, readPromptsCsv } from '../../../src/dashboard/views/prompts/new-prompts.ts'

test('what a writer of CSV writes is read back, with each delimiter and line end', () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r\n', ' ', '日', '😀') })
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n'), (body, delimiter, end) => {
      const header = body[0]!.map((_, index) => `column${index}`)
      const quoted = body.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
      const read = parseCsv([header.join(delimiter), ...quoted].join(end))
      const kept = body.filter((row) => row.some((cell) => cell.trim() !== ''))
      // With one column there is no delimiter to find in the header; quoted fields don't need it.
      expect(read.map(({ cells }) => cells)).toEqual([header, ...kept])
    }),
  )
})

test('a byte order mark, empty lines and old line ends are no fields', () => {
  expect(parseCsv('\uFEFFtext,category\r\rA,B\r\n\n')).toEqual([
    { cells: ['text', 'category'], line: 1 },
    { cells: ['A', 'B'], line: 3 },
  ])
})

test('a quotation mark that nothing closes is named with its line', () => {
  expect(() => parseCsv('text,category\nA,"B\nC')).toThrow(new UnclosedQuote(2))
  expect(readPromptsCsv('text,category\nA,"B\nC').faults).toEqual([
    'Line 2 opens a quotation mark that no other closes.',
  ])
})

test('prompts are read with their category in any case and their market; other columns are named', () => {
  expect(
    readPromptsCsv('id;Text;Category;market;status\n1; Best, tool? ;how-TO;Berlin;active\n2;ما هو;Brand;;active\n'),
  ).toEqual({
    prompts: [
      { text: 'Best, tool?', category: 'How-to', market: 'Berlin', line: 2 },
      { text: 'ما هو', category: 'Brand', market: null, line: 3 },
    ],
    faults: [],
    ignored: ['id', 'status'],
  })
})

test('every fault is told with its line', () => {
  const { faults } = readPromptsCsv('text,category\nA,Nonsense\nB,Brand\n,Brand\nB,Pricing\nC,Brand,more\n')
  expect(faults).toEqual([
    'Line 2: the category “Nonsense” is none of Discovery, Comparison, Alternatives, How-to, Pricing, Brand.',
    'Line 6 has 3 fields, the first line 2.',
    'Line 4: the text is empty.',
    'Line 5: the same text stands in line 3.',
  ])
})

test('a file without the columns it needs says which', () => {
  expect(readPromptsCsv('question,category\nA,Brand').faults).toEqual([
    'The first line must name the columns text and category, and market where there are markets. Missing: text.',
  ])
  expect(readPromptsCsv('').faults[0]).toContain('Missing: text, category.')
})

test('typed prompts are one a line; the same text in another Unicode form is the same', () => {
  expect(readPromptLines('Caf\u00e9?\n\n Cafe\u0301?\nB', 'Brand', ' Wien ')).toEqual({
    prompts: [
      { text: 'Caf\u00e9?', category: 'Brand', market: 'Wien', line: 1 },
      { text: 'Caf\u00e9?', category: 'Brand', market: 'Wien', line: 3 },
      { text: 'B', category: 'Brand', market: 'Wien', line: 4 },
    ],
    faults: ['Line 3: the same text stands in line 1.'],
    ignored: [],
  })
  expect(readPromptLines('x'.repeat(4_001), 'Brand', 'm'.repeat(201)).faults).toEqual([
    'Line 1: the text is longer than 4,000 characters.',
    'Line 1: the market is longer than 200 characters.',
  ])
})
