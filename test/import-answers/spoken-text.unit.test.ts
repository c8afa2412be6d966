import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/import-answers/adapters/json.ts'
import { joinSpoken } from '../../src/import-answers/adapters/spoken-text.ts'

function join(...blocks: (string | null)[]): string {
  const all = blocks.map((text): JsonObject => (text === null ? { type: 'tool' } : { type: 'text', text }))
  return joinSpoken(all, (block) => block['type'] === 'text')
}

test('blocks that touch are joined as they are, a paragraph ends where something stands between them', () => {
  expect(join('in 2024, ', 'Acme', ' led.')).toBe('in 2024, Acme led.')
  expect(join('led (2024).', null, 'Based on')).toBe('led (2024).\n\nBased on')
  expect(join('A.', null, null, 'B, ', 'C.', null)).toBe('A.\n\nB, C.')
  expect(join(null, 'A.', null, '', 'B.')).toBe('A.\n\nB.')
  expect(join(null, '', null)).toBe('')
})

test('a blank line that stands there already is not doubled', () => {
  expect(join('A.\n\n', null, 'B.')).toBe('A.\n\nB.')
  expect(join('A.\n', null, ' \nB.')).toBe('A.\n \nB.')
  expect(join('A.', '\n', '\n', null, 'B.')).toBe('A.\n\nB.')
  expect(join('A.\n', null, 'B.')).toBe('A.\n\n\nB.')
})
