import { expect, test } from 'vitest'
import { openTestCatalog } from './support/test-catalog.ts'

test('a range once published is never forgotten, and each knows when it was seen first and last', () => {
  const { botRanges } = openTestCatalog().catalog
  const [gpt, claude] = ['https://example.com/gptbot.json', 'https://example.com/claudebot.json'] as const
  const [day1, day2, day3] = [1, 2, 3].map((day) => Date.UTC(2026, 10, day)) as [number, number, number]
  botRanges.replaceDocument(gpt, ['192.0.2.0/24', '198.51.100.0/24'], day2)
  botRanges.replaceDocument(gpt, ['198.51.100.0/24', '2001:db8::/32'], day3)
  botRanges.replaceDocument(gpt, ['192.0.2.0/24'], day1)
  botRanges.replaceDocument(claude, ['192.0.2.0/24'], day3)
  botRanges.replaceDocument(claude, [], day3)
  const at = (day: number) => `2026-11-0${day}T00:00:00.000Z`
  expect(botRanges.list()).toEqual([
    { documentUrl: claude, prefix: '192.0.2.0/24', firstSeen: at(3), lastSeen: at(3) },
    { documentUrl: gpt, prefix: '192.0.2.0/24', firstSeen: at(1), lastSeen: at(2) },
    { documentUrl: gpt, prefix: '198.51.100.0/24', firstSeen: at(2), lastSeen: at(3) },
    { documentUrl: gpt, prefix: '2001:db8::/32', firstSeen: at(3), lastSeen: at(3) },
  ])
  expect(botRanges.listDocuments()).toEqual([
    { documentUrl: claude, firstLoadedAt: at(3), lastLoadedAt: at(3) },
    { documentUrl: gpt, firstLoadedAt: at(1), lastLoadedAt: at(3) },
  ])
})
