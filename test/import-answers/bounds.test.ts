import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ImportAnswersResult } from '../../src/import-answers/import-result.ts'
import { ANSWER_CITATION_CHARACTERS_MAX, ANSWER_LIST_ENTRIES_MAX, ANSWER_RECORD_BYTES_MAX } from '../../src/limits.ts'
import { makeDirectory, runJson } from '../cli/support/run.ts'

const MAX = ANSWER_LIST_ENTRIES_MAX
const list = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const url = (at: number): string => `https://acme.com/${at}`

/** What one record holds, and why it is rejected; undefined when it is taken. */
const RECORDS: readonly (readonly [object, string | undefined])[] = [
  [{ text: 'Acme.' }, undefined],
  [{ citations: list(200_000, url) }, `citations: found 200000 entries; wanted at most ${MAX}`],
  [{ citations: list(MAX + 1, url) }, `citations: found ${MAX + 1} entries; wanted at most ${MAX}`],
  [{ citations: list(MAX, url) }, undefined],
  [{ citations: list(MAX, (at) => url(at).padEnd(2_000, 'x')) }, undefined],
  [
    { citations: list(MAX, (at) => url(at).padEnd(2_001, 'x')) },
    `citations: found ${MAX * 2_001} characters; wanted at most ${ANSWER_CITATION_CHARACTERS_MAX}`,
  ],
  [{ citations: [url(1).padEnd(15_000_000, 'x')] }, 'citations: found 15000000 characters'],
  [{ text: 'Acme. '.repeat(2_500_000) }, undefined],
  [{ mentions: list(MAX + 1, (at) => `Brand ${at}`) }, `mentions: found ${MAX + 1} entries; wanted at most ${MAX}`],
  [{ mentions: list(MAX, (at) => `Brand ${at}`) }, undefined],
  [{ search_queries: list(MAX + 1, String) }, `search_queries: found ${MAX + 1} entries; wanted at most ${MAX}`],
  [{ consulted: list(MAX + 1, url) }, `consulted: found ${MAX + 1} entries; wanted at most ${MAX}`],
  [{ consulted: list(MAX, url), search_queries: list(MAX, String) }, undefined],
  [{ text: 'x'.repeat(ANSWER_RECORD_BYTES_MAX) }, 'longer than 16 MiB'],
  [{ text: 'x'.repeat(200_000_000) }, 'longer than 16 MiB'],
  [
    { prompt_id: 'p'.repeat(100_000), prompt: undefined },
    `prompt_id: no prompt of this site has the id "${'p'.repeat(79)}…". Add it with`,
  ],
  [{ category: 'c'.repeat(100_000), prompt: 'Another?' }, `category: "${'c'.repeat(79)}…" is none of`],
  [{ text: 'Last.' }, undefined],
]

test('a record that holds too much is rejected itself, the others are imported', async () => {
  const dataDir = join(makeDirectory(), 'data')
  const file = join(dataDir, '..', 'answers.ndjson')
  const lines = RECORDS.map(([given], at) =>
    JSON.stringify({
      id: `a${at}`,
      date: '2026-10-05',
      platform: 'chatgpt',
      prompt: 'Which?',
      text: 'Acme.',
      ...given,
    }),
  )
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  await runJson(dataDir, 'sites', 'create', '--name', 'Acme', '--domain', 'acme.com')
  const import_ = ['import', 'answers', '--site', 'acme.com', '--create-prompts', file] as const
  const result = await runJson<ImportAnswersResult>(dataDir, ...import_)
  const rejected = RECORDS.flatMap(([, reason], at) => (reason === undefined ? [] : [{ file, line: at + 1, reason }]))
  expect(result.rejections).toEqual(
    rejected.map(({ reason, ...place }) => ({ ...place, reason: expect.stringContaining(reason) as string })),
  )
  expect(result.imported).toBe(RECORDS.length - rejected.length)
}, 60_000)
