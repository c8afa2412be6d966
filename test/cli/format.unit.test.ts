import { expect, test } from 'vitest'
import { countOf, toSize } from '../../cli/format.ts'

test.each([
  [0, '0 links'],
  [1, '1 link'],
  [2, '2 links'],
  [1_234_567, '1,234,567 links'],
])('%d is written %s', (count, text) => {
  expect(countOf(count, 'link')).toBe(text)
})

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 KiB'],
  [1_536, '1.5 KiB'],
  [10 * 1_024 ** 2, '10 MiB'],
  [3.25 * 1_024 ** 3, '3.3 GiB'],
  [5_000 * 1_024 ** 4, '5000 TiB'],
])('%d bytes are written %s', (bytes, text) => {
  expect(toSize(bytes)).toBe(text)
})
