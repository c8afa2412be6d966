import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importSentiment } from '../../src/import-answers/import-sentiment.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { undoImport } from '../../src/maintenance/undo.ts'
import { makeAnswers, openTestLake, readReports, SITE, type TestLake } from './support/lake.ts'

type Judgements = Readonly<Record<string, 'positive' | 'neutral' | 'negative' | null>>

const newest = ({ app }: TestLake): string => app.catalog.recordedChanges.list({ siteId: SITE })[0]?.id ?? ''
const undo = ({ app }: TestLake, id: string, dryRun = false) => undoImport(app.change, { id, dryRun })

async function judge(lake: TestLake, judgements: Judgements): Promise<string> {
  const path = join(lake.dir, 'judged.ndjson')
  const records = Object.entries(judgements).map(([id, sentiment]) => `${JSON.stringify({ id, sentiment })}\n`)
  writeFileSync(path, records.join(''))
  const site = lake.app.catalog.sites.get(SITE)
  await importSentiment(lake.app.change, { site, files: [path], dryRun: false, strict: true })
  return newest(lake)
}

async function readSentiments(lake: TestLake): Promise<Judgements> {
  const { answers = [] } = await readReports(lake.app)
  const rows = answers as readonly { id: string; sentiment: 'positive' | null }[]
  return Object.fromEntries(
    rows.filter(({ sentiment }) => sentiment !== null).map(({ id, sentiment }) => [id, sentiment]),
  )
}

async function openLake(): Promise<TestLake> {
  const lake = await openTestLake()
  await lake.answers([...makeAnswers('A', '2026-09'), ...makeAnswers('B', '2026-10')])
  return lake
}

test.each([
  ['as they were written', false],
  ['after files were merged', true],
])('gives answers their sentiment back, with %s', async (_, merged) => {
  const lake = await openLake()
  await judge(lake, { A0: 'positive', A1: 'neutral', B0: 'negative' })
  const before = await readReports(lake.app)
  const id = await judge(lake, { A0: 'negative', A1: null, A2: 'positive', B0: 'negative' })
  const after = await readReports(lake.app)
  if (merged) await compactLake(lake.app.change, { isThorough: true })
  expect(await undo(lake, id, true)).toMatchObject({ kind: 'import_sentiment', judgements: 3, snapshot: null })
  expect(await readReports(lake.app)).toEqual(after)
  expect(await undo(lake, id)).toMatchObject({ judgements: 3 })
  expect(await readReports(lake.app)).toEqual(before)
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  await judge(lake, { A0: 'negative', A1: null, A2: 'positive', B0: 'negative' })
  expect(await readReports(lake.app)).toEqual(after)
})

test('a later judgement stays, and its own undo leads to what was before both', async () => {
  const lake = await openLake()
  const ids = [
    await judge(lake, { A0: 'positive', A1: 'positive' }),
    await judge(lake, { A0: 'neutral', B0: 'neutral' }),
    await judge(lake, { A0: 'negative' }),
  ]
  const [first = '', second = '', third = ''] = ids
  expect(await undo(lake, second)).toMatchObject({ judgements: 1 })
  expect(await readSentiments(lake)).toEqual({ A0: 'negative', A1: 'positive' })
  expect(await undo(lake, first)).toMatchObject({ judgements: 1 })
  expect(await readSentiments(lake)).toEqual({ A0: 'negative' })
  await undo(lake, third)
  expect(await readSentiments(lake)).toEqual({})
  expect(lake.files('judgements')).toEqual([])
})

test('later imports that found the same judgement are named', async () => {
  const lake = await openLake()
  const first = await judge(lake, { A0: 'positive', A1: 'positive' })
  const other = await judge(lake, { B0: 'negative' })
  const again = await judge(lake, { A0: 'negative', A1: 'positive' })
  expect(await undo(lake, first)).toMatchObject({
    judgements: 1,
    warnings: [
      `Later imports found judgements as they were: ${again}. If these judgements are in them too, import their files again.`,
    ],
  })
  expect(await readSentiments(lake)).toEqual({ A0: 'negative', B0: 'negative' })
  expect(await undo(lake, other)).toMatchObject({ judgements: 1 })
  expect(await undo(lake, again)).toMatchObject({ judgements: 1, warnings: [] })
  expect(await readSentiments(lake)).toEqual({})
})

test('answers that were taken back take their judgements with them', async () => {
  const lake = await openLake()
  await lake.answers(makeAnswers('C', '2026-10'))
  const answers = newest(lake)
  const judged = await judge(lake, { A0: 'positive', C0: 'negative' })
  await undo(lake, answers)
  expect(lake.files('judgements').map(({ rows }) => rows)).toEqual([1])
  expect(await undo(lake, judged)).toMatchObject({ judgements: 1 })
  expect(await readSentiments(lake)).toEqual({})
})
