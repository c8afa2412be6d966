import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importSentiment, type ImportSentimentResult } from '../../src/import-answers/import-sentiment.ts'
import { openChangeDatabase } from '../../src/lake/instance.ts'
import { readFiles } from '../../src/lake/read/files-relation.ts'
import { sql } from '../../src/lake/sql.ts'
import { readCells } from '../../src/lake/statement.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { undoImport } from '../../src/maintenance/undo.ts'
import { makeAnswers, openTestLake, readReports, SITE, type TestLake } from '../maintenance/support/lake.ts'

async function judge(lake: TestLake, records: readonly object[], keepsJudged = false): Promise<ImportSentimentResult> {
  const path = join(lake.dir, 'judged.ndjson')
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const site = lake.app.catalog.sites.get(SITE)
  return importSentiment(lake.app.change, { site, files: [path], dryRun: false, strict: false, keepsJudged })
}

/** Who judged which answer, as the lake has it. */
async function readJudges(lake: TestLake): Promise<unknown> {
  using database = await openChangeDatabase(lake.dir)
  const { lakeDir } = lake.app.change
  const rows = await readCells(
    await database.connect(),
    sql`SELECT id, judge FROM ${readFiles(lakeDir, 'judgements', lake.files())}
      JOIN ${readFiles(lakeDir, 'answers', lake.files())} USING (answer_no) ORDER BY import_no, id`,
  )
  return rows.map(([id, name]) => [id, name])
}

const reply = (sentiment: string) => ({
  judge: { provider: 'custom', model: 'tiny', prompt_version: 1 },
  response: {
    choices: [{ finish_reason: 'stop', message: { content: JSON.stringify({ evidence: '', sentiment }) } }],
  },
})

it('stores who judged beside each judgement, through compaction, until it is taken back', async () => {
  const lake = await openTestLake()
  await lake.answers(makeAnswers('A', '2026-09'))
  const before = await readReports(lake.app)
  await judge(lake, [
    { id: 'A0', sentiment: 'positive' },
    { id: 'A1', sentiment: 'positive', judge: 'Anna' },
    { id: 'A2', ...reply('negative') },
  ])
  await judge(lake, [{ id: 'A1', sentiment: 'neutral' }])
  const judges = [
    ['A0', null],
    ['A1', 'Anna'],
    ['A2', 'custom:tiny@1'],
    ['A1', null],
  ]
  expect(await readJudges(lake)).toEqual(judges)
  await compactLake(lake.app.change, { isThorough: true })
  expect(await readJudges(lake)).toEqual(judges)
  const imports = lake.app.catalog.recordedChanges.list({ siteId: SITE })
  for (const { id } of imports.slice(0, 2)) await undoImport(lake.app.change, { id, dryRun: false })
  expect(await readJudges(lake)).toEqual([])
  expect(await readReports(lake.app)).toEqual(before)
})

it('keeps what is judged when it is told to, whoever judged it', async () => {
  const lake = await openTestLake()
  await lake.answers([...makeAnswers('A', '2026-09'), { ...makeAnswers('B', '2026-10')[0], sentiment: 'negative' }])
  await judge(lake, [{ id: 'A0', sentiment: 'neutral' }])
  const lines = ['A0', 'A1', 'B0'].map((id) => ({ id, ...reply('positive') }))
  expect(await judge(lake, lines, true)).toMatchObject({ changed: 1, unchanged: 2, rejected: 0, judged: 3 })
  expect(await readJudges(lake)).toEqual([
    ['A0', null],
    ['A1', 'custom:tiny@1'],
  ])
  expect(await judge(lake, lines, true)).toMatchObject({ changed: 0, unchanged: 3 })
  expect(await judge(lake, lines)).toMatchObject({ changed: 2, unchanged: 1 })
})

it('rejects a kept reply that is no judgement, with the reason, and takes the others', async () => {
  const lake = await openTestLake()
  await lake.answers(makeAnswers('A', '2026-09'))
  const result = await judge(lake, [
    { id: 'A0', ...reply('superb') },
    { id: 'A1', ...reply('positive') },
  ])
  expect(result).toMatchObject({ changed: 1, rejected: 1 })
  expect(result.rejections[0]?.reason).toBe("the judge's reply does not fit the schema: sentiment")
})
