import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import type { ImportAnswersResult } from '../../src/import-answers/import-result.ts'
import { enforceRetention } from '../../src/maintenance/retention.ts'
import { openTestLake, readReports, SITE, type TestLake } from '../maintenance/support/lake.ts'

interface Wishes {
  readonly replace?: boolean
  readonly dryRun?: boolean
  readonly stdin?: Readable
  readonly strict?: boolean
}

let written = 0

function importCall(
  lake: TestLake,
  files: readonly (readonly object[])[],
  wishes: Wishes = {},
): Promise<ImportAnswersResult> {
  const paths = files.map((records) => {
    const path = join(lake.dir, `call-${written++}.ndjson`)
    writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'))
    return path
  })
  return importAnswers(lake.app.change, {
    site: lake.app.catalog.sites.get(SITE),
    files: wishes.stdin ? ['-'] : paths,
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: false,
    discoverMin: 1_000,
    replace: true,
    ...wishes,
  })
}

/** The reports without what depends on the order of imports: ids of competitors made, and the order of answers of a day. */
async function readAll({ app }: TestLake): Promise<unknown> {
  const { answers = [], ...reports } = await readReports(app)
  const competitors = app.catalog.competitors
    .list(SITE)
    .map(({ name, answers: count, confirmed }) => ({ name, count, confirmed }))
  return {
    ...reports,
    answers: (answers as { id: string }[]).toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(withoutPromptId),
    competitors: competitors.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    scan: app.catalog.scans.last(SITE),
  }
}

/** Ids of prompts that imports made differ from lake to lake. */
function withoutPromptId(row: object): object {
  return JSON.parse(
    JSON.stringify(row, (key, value: unknown) => (key === 'prompt' ? (value as { text: string }).text : value)),
  ) as object
}

const record = fc.record({
  id: fc.constantFrom(...Array.from({ length: 12 }, (_, no) => `a${no}`)),
  date: fc.constantFrom('2026-09-30', '2026-10-01', '2026-10-31', '2026-11-02'),
  platform: fc.constantFrom('chatgpt', 'gemini'),
  prompt: fc.constantFrom('What of 0?', 'What of 1?'),
  text: fc.constantFrom('', 'Acme.', 'Globex, or Acme?', 'Another does it.', 'None.'),
  citations: fc.subarray(['https://acme.com/1', 'https://globex.com/', 'https://new.example/x', 'https://acme.com/2']),
  sentiment: fc.constantFrom('positive' as const, 'negative' as const, null),
  mentions: fc.option(fc.subarray(['Acme', 'Globex', 'Zendo', 'Plinto']), { nil: undefined }),
})
type Drawn = typeof record extends fc.Arbitrary<infer T> ? T : never

/** What a site holds after calls, by nothing but their meaning. */
class Model {
  readonly stored = new Map<string, Drawn>()

  /** Gives what the call should count. */
  call(records: readonly Drawn[], replaces: boolean): Record<string, number> {
    const counts = { imported: 0, no_answer: 0, replaced: 0, duplicates: 0, differing: 0 }
    for (const [index, given] of records.entries()) {
      const before = this.stored.get(given.id)
      if (replaces && records.slice(index + 1).some(({ id }) => id === given.id)) counts.duplicates += 1
      else if (before === undefined) {
        counts[given.text === '' ? 'no_answer' : 'imported'] += 1
        this.stored.set(given.id, given)
      } else if (!differs(given, before)) counts.duplicates += 1
      else if (replaces) {
        counts.replaced += 1
        this.stored.set(given.id, given)
      } else {
        counts.duplicates += 1
        counts.differing += 1
      }
    }
    return counts
  }
}

function differs(given: Drawn, stored: Drawn): boolean {
  const { sentiment, ...said } = keep(given)
  const { sentiment: judged, ...was } = keep(stored)
  return JSON.stringify(said) !== JSON.stringify(was) || (sentiment !== null && sentiment !== judged)
}

function keep({ id, date, platform, prompt, text, citations, sentiment, mentions }: Drawn) {
  const asked = { id, date, platform, prompt, text }
  return text === '' ? { ...asked, sentiment: null } : { ...asked, citations, mentions, sentiment }
}

it('after any calls the lake is as if the standing records alone had been imported', { timeout: 240_000 }, async () => {
  const call = fc.record({
    files: fc.array(fc.array(record, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 2 }),
    replaces: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 5 }), async (calls) => {
      const lake = await openTestLake()
      const model = new Model()
      for (const { files, replaces } of calls) {
        const result = await importCall(lake, files, { replace: replaces })
        expect(result).toMatchObject({ ...model.call(files.flat(), replaces), rejected: 0 })
        for (const file of result.files) {
          expect(file.records).toBe(file.imported + file.no_answer + file.replaced + file.duplicates + file.rejected)
        }
      }
      const fresh = await openTestLake()
      await importCall(fresh, [[...model.stored.values()]], { replace: false })
      expect(await readAll(lake)).toEqual(await readAll(fresh))
    }),
    { numRuns: 12, endOnFailure: true },
  )
})

const before = {
  id: 'a',
  date: '2026-10-01',
  platform: 'chatgpt',
  prompt: 'What of 0?',
  text: 'Acme or Globex.',
  citations: ['https://acme.com/'],
}

it('the last record of an id in a call counts, in whichever file it is', async () => {
  const lake = await openTestLake()
  await importCall(lake, [[before]])
  const corrected = { ...before, text: 'Globex.' }
  const daily = [[before, { ...before, id: 'b' }], [corrected]]
  expect(await importCall(lake, daily)).toMatchObject({
    imported: 1,
    replaced: 1,
    duplicates: 1,
    differing: 0,
    files: [
      { records: 2, imported: 1, duplicates: 1, replaced: 0 },
      { records: 1, imported: 0, duplicates: 0, replaced: 1 },
    ],
  })
  const snapshot = lake.app.catalog.manifest.currentSnapshot(SITE)
  expect(await importCall(lake, daily)).toMatchObject({ imported: 0, replaced: 0, duplicates: 3, snapshot })
})

it('reads a pipe once, keeps each character, and rejects what it rejects without the flag', async () => {
  const lake = await openTestLake()
  await importCall(lake, [[before]])
  const text = 'Acme \u2028\u2029\u0085 \\ " \u{1f600}\r\n and Globex'
  const lines = [
    JSON.stringify({ ...before, text }),
    '{"id":',
    JSON.stringify({ ...before, id: 'c', platform: 'none' }),
  ]
  const result = await importCall(lake, [], { stdin: Readable.from([Buffer.from(lines.join('\n'))]) })
  expect(result).toMatchObject({ replaced: 1, rejected: 2, rejections: [{ line: 2 }, { line: 3 }] })
  const reports = await readReports(lake.app)
  expect(reports['answers']).toMatchObject([{ id: 'a', text }])
})

it('a dry run and a strict call count and change nothing', async () => {
  const lake = await openTestLake()
  await importCall(lake, [[before]])
  const told = await readAll(lake)
  const corrected = { ...before, text: 'Globex.' }
  expect(await importCall(lake, [[corrected]], { dryRun: true })).toMatchObject({ replaced: 1, snapshot: null })
  const refused = await importCall(lake, [[corrected, { id: 'x' }]], { strict: true })
  expect(refused).toMatchObject({ replaced: 1, rejected: 1, snapshot: null })
  expect(await readAll(lake)).toEqual(told)
})

it('a competitor that replaced answers alone had named goes, unless somebody has looked at it', async () => {
  const lake = await openTestLake()
  const { competitors } = lake.app.catalog
  await importCall(lake, [
    [
      { ...before, mentions: ['Zendo', 'Plinto', 'Quarro'] },
      { ...before, id: 'b', mentions: ['Quarro'] },
    ],
  ])
  competitors.confirm(SITE, 'Plinto')
  await importCall(lake, [[{ ...before, mentions: ['Acme'] }]])
  const left = competitors.list(SITE).map(({ name, answers }) => [name, answers])
  expect(left.toSorted()).toEqual([
    ['Globex', 0],
    ['Plinto', 0],
    ['Quarro', 1],
  ])
})

it('a replacement is listed with the imports', async () => {
  const lake = await openTestLake()
  await importCall(lake, [[before]])
  await importCall(lake, [[{ ...before, text: null }]])
  const [newest] = lake.app.catalog.recordedChanges.list({ siteId: SITE })
  expect(newest).toMatchObject({ kind: 'import_answers', result: { replaced: 1, imported: 0, no_answer: 0 } })
})

it('an answer whose words retention has blanked stays so', async () => {
  const lake = await openTestLake()
  const judged = { ...before, sentiment: 'neutral' }
  await importCall(lake, [[judged]])
  const retention = { retentionAnswers: 'keep', retentionLogs: 'keep', retentionRaw: '30d' }
  await enforceRetention(lake.app.change, { retention })
  const again = [[judged], [{ ...judged, text: 'Globex.' }]]
  for (const records of again) {
    expect(await importCall(lake, [records])).toMatchObject({ duplicates: 1, replaced: 0, differing: 0 })
  }
  const reports = await readReports(lake.app)
  expect(reports['answers']).toMatchObject([{ id: 'a', text: '' }])
  expect(await importCall(lake, [[{ ...judged, sentiment: 'negative' }]])).toMatchObject({ duplicates: 0, replaced: 1 })
})
