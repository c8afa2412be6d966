import { expect, test } from 'vitest'
import { toPromptText } from '../../src/domain/prompt.ts'

test('prompt texts are compared trimmed and in Unicode NFC, with their inner spaces and case', () => {
  expect(toPromptText(' \tBest Cafe\u0301s  in town?\n')).toBe('Best Caf\u00e9s  in town?')
})
