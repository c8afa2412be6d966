import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { printTable, renderTable } from '../../cli/table.ts'
import { openTestIo } from './support/test-io.ts'

test('columns stand under their titles, numbers to the right, without lines', () => {
  expect(
    renderTable(
      ['name', 'prompts', 'confirmed'],
      [
        ['Acme', 12_345, true],
        ['Ümläut 株式会社', 7, false],
        [null, 0, true],
      ],
    ),
  ).toBe(
    [
      'NAME             PROMPTS  CONFIRMED',
      'Acme              12,345  yes',
      'Ümläut 株式会社        7  no',
      '-                      0  yes',
      '',
    ].join('\n'),
  )
})

test('control characters of stored names are shown, never sent to the terminal', () => {
  expect(renderTable(['name'], [['a\u001B[31mred\nb\u009B2J']])).toBe('NAME\na\\u001b[31mred\\nb\\u009b2J\n')
})

test('no rows print nothing', () => {
  const io = openTestIo()
  printTable(io, ['name'], [])
  expect(io.stdout.text).toBe('')
})

const SITES = {
  titles: ['id', 'name', 'platforms', 'answers'],
  rows: [
    ['site_01jd3n6m8k5q7x9w2v4t6r8p0z', 'Acme', 'ai_overviews, ai_mode, chatgpt, perplexity, gemini', 12],
    ['site_01jd3n6m8k5q7x9w2v4t6r8p1a', '株式会社 アクメ', 'chatgpt', 1_234],
  ],
} as const

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

test.each([60, 70, 80, 100, 120, 200])(
  'on a terminal of %d columns every line fits, and no word is lost or broken',
  (width) => {
    const io = openTestIo({ terminal: width })
    printTable(io, SITES.titles, SITES.rows)
    const lines = io.stdout.text.split('\n')
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
    const wanted = SITES.rows
      .flat()
      .flatMap((cell) => words(typeof cell === 'number' ? cell.toLocaleString('en-US') : cell))
    expect(words(io.stdout.text)).toEqual(expect.arrayContaining(wanted))
  },
)

test('a row whose words fit into no columns is a block of lines', () => {
  const [first] = SITES.rows
  expect(renderTable(SITES.titles, [first], 50)).toBe(
    [
      'ID         site_01jd3n6m8k5q7x9w2v4t6r8p0z',
      'NAME       Acme',
      'PLATFORMS  ai_overviews, ai_mode, chatgpt,',
      '           perplexity, gemini',
      'ANSWERS    12',
      '',
    ].join('\n'),
  )
})

test('a pipe has no width', () => {
  const io = openTestIo()
  printTable(io, SITES.titles, SITES.rows)
  expect(io.stdout.text.split('\n')).toHaveLength(SITES.rows.length + 2)
})

test('a table may have more words than a call takes arguments', () => {
  const rows = Array.from({ length: 500 }, (_, index) => [index, 'a '.repeat(450)])
  expect(renderTable(['no', 'text'], rows, 100).split('\n').length).toBeGreaterThan(500)
})
