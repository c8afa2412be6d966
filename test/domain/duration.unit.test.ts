import { expect, test } from 'vitest'
import { parseDuration, toDuration } from '../../src/domain/duration.ts'

test.each([
  ['0', 0],
  ['500ms', 500],
  ['90s', 90_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
  ['1.5h', undefined],
  ['-1s', undefined],
  ['1H', undefined],
  ['h', undefined],
  ['', undefined],
])('the duration %s is %s milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each([
  [0, '0'],
  [1, '1ms'],
  [1_500, '1500ms'],
  [90_000, '90s'],
  [3_600_000, '1h'],
  [86_400_000, '1d'],
])('%d milliseconds are written %s', (ms, text) => {
  expect(toDuration(ms)).toBe(text)
})
