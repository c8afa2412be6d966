import { Readable } from 'node:stream'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { deleteAnswers } from '../../src/maintenance/delete-answers.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { undoImport } from '../../src/maintenance/undo.ts'
import { makeAnswers, openTestLake, readReports, SITE, type TestLake } from './support/lake.ts'

const FIRST = [...makeAnswers('A', '2026-09'), ...makeAnswers('B', '2026-10')]
const SECOND = [...makeAnswers('C', '2026-10', 8), ...makeAnswers('D', '2026-11', 3)]

const newest = ({ app }: TestLake): string => app.catalog.recordedChanges.list({ siteId: SITE })[0]?.id ?? ''

const undo = ({ app }: TestLake, id: string, dryRun = false) => undoImport(app.change, { id, dryRun })

async function openLakeWith(...imports: (readonly object[])[]): Promise<TestLake> {
  const lake = await openTestLake()
  for (const records of imports) await lake.answers(records)
  return lake
}

test.each([
  ['as its files were written', false],
  ['after its files were merged with others', true],
])('takes an import back %s, and importing it again counts it again', async (_, merged) => {
  const lake = await openLakeWith(FIRST)
  const scan = lake.app.catalog.scans.last(SITE)
  await lake.answers(SECOND)
  const whole = await readReports(lake.app)
  if (merged) await compactLake(lake.app.change, { isThorough: true })
  const before = lake.files()
  const id = newest(lake)
  const expected = { import_id: id, kind: 'import_answers', answers: 9, no_answers: 2, citations: 18, warnings: [] }
  expect(await undo(lake, id, true)).toMatchObject({ ...expected, snapshot: null })
  expect(lake.files()).toEqual(before)

  expect(await undo(lake, id)).toMatchObject({ ...expected, snapshot: lake.app.catalog.manifest.currentSnapshot() })
  const fresh = await openLakeWith(FIRST)
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  expect(lake.app.catalog.scans.last(SITE)).toEqual(scan)
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  await expect(undo(lake, id)).rejects.toThrow(`The import ${id} was taken back already, by chg_`)

  expect(await lake.answers(SECOND)).toMatchObject({ imported: 9, no_answer: 2, duplicates: 0 })
  expect(await readReports(lake.app)).toEqual(whole)
})

test('an import in the middle goes without the later ones', async () => {
  const lake = await openLakeWith(FIRST)
  const id = newest(lake)
  await lake.answers(SECOND)
  await undo(lake, id)
  const fresh = await openLakeWith(SECOND)
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  expect(lake.app.catalog.scans.last(SITE)).toEqual(fresh.app.catalog.scans.last(SITE))
})

test('what was deleted of it since stays gone, and the rest goes', async () => {
  const lake = await openLakeWith(FIRST, SECOND)
  const id = newest(lake)
  const site = lake.app.catalog.sites.get(SITE)
  await deleteAnswers(lake.app.change, { site, selection: { from: '2026-11-01' }, dryRun: false })
  expect(await undo(lake, id)).toMatchObject({ answers: 7, no_answers: 1 })
  const fresh = await openLakeWith(FIRST)
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
})

test('later imports that passed over duplicates are named', async () => {
  const lake = await openLakeWith(FIRST)
  const id = newest(lake)
  await lake.answers([...FIRST, ...SECOND])
  const { warnings } = await undo(lake, id)
  expect(warnings).toEqual([
    `Later imports passed over duplicates: ${newest(lake)}. If these records are in them too, import their files again.`,
  ])
  expect(await lake.answers([...FIRST, ...SECOND])).toMatchObject({ imported: 10, no_answer: 2, duplicates: 11 })
})

function importNew(lake: TestLake, records: readonly object[], options: { readonly replace?: boolean } = {}) {
  return importAnswers(lake.app.change, {
    site: lake.app.catalog.sites.get(SITE),
    files: ['-'],
    stdin: Readable.from(records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`))),
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: true,
    discoverMin: 1_000,
    ...options,
  })
}

test('prompts and competitors that it made go where nothing else uses them and nobody decided about them', async () => {
  const lake = await openTestLake()
  const { catalog } = lake.app
  const record = (id: string, prompt: string, mentions: string[]) => ({
    id,
    date: '2026-10-03',
    platform: 'chatgpt',
    prompt,
    text: 'It depends.',
    mentions,
  })
  await importNew(lake, [
    record('a', 'alone', ['Lone', 'Shared', 'Confirmed', 'Spelled']),
    record('b', 'shared', []),
    record('c', 'disabled', []),
  ])
  const id = newest(lake)
  await importNew(lake, [record('d', 'shared', ['Shared'])])
  catalog.competitors.confirm(SITE, 'Confirmed')
  catalog.competitors.set(SITE, 'Spelled', { aliases: ['Spelt'] })
  lake.clock.nowMs += 1_000
  const disabled = catalog.prompts.findByText(SITE, 'disabled')?.id ?? ''
  catalog.prompts.setStatus(SITE, [disabled], 'disabled')
  const decided = { prompts_removed: 1, competitors_removed: 1 }
  expect(await undo(lake, id, true)).toMatchObject(decided)
  expect(catalog.prompts.list(SITE).total).toBe(5)
  expect(await undo(lake, id)).toMatchObject(decided)
  const texts = catalog.prompts.list(SITE).prompts.map(({ text }) => text)
  expect(texts.sort()).toEqual(['What of 0?', 'What of 1?', 'disabled', 'shared'])
  expect(catalog.competitors.list(SITE).map(({ name, answers }) => [name, answers])).toEqual([
    ['Globex', 0],
    ['Shared', 1],
    ['Confirmed', 0],
    ['Spelled', 0],
  ])
})

test('a competitor that stayed for another import goes when that one is taken back, too', async () => {
  const record = (id: string, given: object) => ({
    id,
    date: '2026-10-03',
    platform: 'chatgpt',
    prompt: 'What of 0?',
    text: 'Initech, then Hooli.',
    ...given,
  })
  const lake = await openLakeWith([record('a', { mentions: ['Initech', 'Hooli'] })])
  const first = newest(lake)
  await lake.answers([record('b', {})])
  const second = newest(lake)
  await lake.answers([record('c', { mentions: ['Hooli'] })])
  const names = () => lake.app.catalog.competitors.list(SITE).map(({ name }) => name)
  expect(await undo(lake, first)).toMatchObject({ competitors_removed: 0 })
  expect(names()).toEqual(['Globex', 'Initech', 'Hooli'])
  expect(await undo(lake, second, true)).toMatchObject({ competitors_removed: 1 })
  expect(await undo(lake, second)).toMatchObject({ competitors_removed: 1 })
  expect(names()).toEqual(['Globex', 'Hooli'])
})

test('a prompt that stayed for other imports goes with the last of them', async () => {
  const lake = await openTestLake()
  const { prompts } = lake.app.catalog
  const record = (id: string, prompt: string, text: string | null = 'It depends.') => ({
    id,
    date: '2026-10-03',
    platform: 'chatgpt',
    prompt,
    text,
  })
  const ids: string[] = []
  for (const records of [
    [record('a', 'shared'), record('b', 'kept')],
    [record('c', 'shared', null), record('d', 'other')],
    [record('e', 'shared'), record('f', 'other'), record('g', 'What of 0?')],
  ]) {
    await importNew(lake, records)
    ids.push(newest(lake))
  }
  const texts = () =>
    prompts
      .list(SITE)
      .prompts.map(({ text }) => text)
      .sort()
  const [first = '', second = '', third = ''] = ids
  expect(await undo(lake, first)).toMatchObject({ prompts_removed: 1 })
  expect(texts()).toEqual(['What of 0?', 'What of 1?', 'other', 'shared'])
  expect(await undo(lake, third, true)).toMatchObject({ prompts_removed: 0 })
  expect(await undo(lake, third)).toMatchObject({ prompts_removed: 0 })
  expect(await undo(lake, second)).toMatchObject({ prompts_removed: 2 })
  expect(texts()).toEqual(['What of 0?', 'What of 1?'])
})

test('an unknown id, and one of another change, are refused', async () => {
  const lake = await openLakeWith(FIRST)
  await undo(lake, newest(lake))
  await expect(undo(lake, 'imp_none')).rejects.toThrow(
    'There is no import imp_none. `answerlake import list` shows those that there are.',
  )
  const [change] = lake.app.catalog.recordedChanges.list({ all: true })
  await expect(undo(lake, change?.id ?? '')).rejects.toThrow('Imports alone can be taken back')
})

test('two undos of one import at once: one takes it back, the other says so', async () => {
  const lake = await openLakeWith(FIRST, SECOND)
  const id = newest(lake)
  const other = await lake.openAgain()
  const outcomes = await Promise.allSettled([undo(lake, id), undoImport(other.change, { id, dryRun: false })])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  expect(String(refused.reason)).toMatch(/was taken back already, by chg_/)
  const fresh = await openLakeWith(FIRST)
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
})

test('an undo beside an import leaves both done', async () => {
  const lake = await openLakeWith(FIRST)
  const id = newest(lake)
  const other = await lake.openAgain()
  await Promise.all([lake.answers(SECOND), undoImport(other.change, { id, dryRun: false })])
  const fresh = await openLakeWith(SECOND)
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
})

test('a reader of an older snapshot goes on with what was taken back', async () => {
  const lake = await openLakeWith(FIRST, SECOND)
  const range = { site_id: SITE, start_date: '2026-09-01', end_date: '2026-11-30', limit: 5 }
  const first = await lake.app.reports.answers(SITE, { ...range, include: ['text'] })
  const whole = await lake.app.reports.answers(SITE, { ...range, include: ['text'], limit: 100 })
  await undo(lake, newest(lake))
  const walked = [...first.data]
  for (let cursor = first.info.next_cursor; cursor !== null;) {
    const page = await lake.app.reports.answers(SITE, { ...range, include: ['text'], cursor })
    walked.push(...page.data)
    cursor = page.info.next_cursor
  }
  expect(walked).toEqual(whole.data)
})

/** Leaves of an import's notes what an older version's are known by. */
function forgetNotes({ app }: TestLake, id: string): void {
  const db = new Database(app.catalog.path)
  db.prepare(
    `UPDATE recorded_changes SET actor = NULL, undo = json_object(
       'firstAnswerNo', undo ->> 'firstAnswerNo', 'nextAnswerNo', undo ->> 'nextAnswerNo') WHERE id = ?`,
  ).run(id)
  db.close()
}

test('what an older version imported is told by its numbers alone', async () => {
  const answers = SECOND.filter((record) => (record as { text: string }).text !== '')
  const lake = await openLakeWith(FIRST)
  const withNoAnswers = newest(lake)
  await lake.answers(answers)
  const id = newest(lake)
  for (const older of [withNoAnswers, id]) forgetNotes(lake, older)
  await expect(undo(lake, withNoAnswers)).rejects.toThrow('which of the questions without an answer came with it')
  expect(await undo(lake, id)).toMatchObject({ answers: 9, no_answers: 0 })
  const fresh = await openLakeWith(FIRST)
  expect(await readReports(lake.app)).toEqual(await readReports(fresh.app))
})

test('an import that replaced answers is refused, with what to do instead', async () => {
  const lake = await openLakeWith(FIRST)
  await importNew(lake, [{ ...FIRST[0], text: 'Acme, corrected.' }], { replace: true })
  const id = newest(lake)
  await expect(undo(lake, id)).rejects.toThrow(
    `The import ${id} can't be taken back: it replaced stored answers, and what stood there before is gone. Import the former records with --replace.`,
  )
})
