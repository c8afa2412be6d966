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
