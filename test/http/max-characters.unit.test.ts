import * as v from 'valibot'
import { expect, it } from 'vitest'
import { FilterValue } from '../../src/reports/filter-schema.ts'

it.each([
  ['1,000 letters', 'x'.repeat(1_000), true],
  ['1,001 letters', 'x'.repeat(1_001), false],
  ['1,000 emojis, as the document counts them', '😀'.repeat(1_000), true],
  ['1,001 emojis', '😀'.repeat(1_001), false],
])('a value of a filter may have 1,000 characters: %s', (_what, value, isAllowed) => {
  expect(v.is(FilterValue, value)).toBe(isAllowed)
})
