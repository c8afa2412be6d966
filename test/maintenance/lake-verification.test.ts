import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { LakeFile } from '../../src/domain/manifest.ts'
import { newFileId } from '../../src/ids.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { verifyLake, type WrongFile } from '../../src/maintenance/lake-verification.ts'
import { makeAnswers, openTestLake, readReports, SITE } from './support/lake.ts'

function toWrong(file: LakeFile, problem: string, live = true): WrongFile {
  const { path, dataset, month, minDay, maxDay, rows } = file
  return { path, problem, site_id: SITE, dataset, month, first_day: minDay, last_day: maxDay, rows, live }
}

function flipBit(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at]! ^= 4
  writeFileSync(path, bytes)
}

test('a lake as it was written is sound, whole and by site', async () => {
  const { app, answers, files } = await openTestLake()
  await answers(makeAnswers('A', '2026-10'))
  app.catalog.sites.create({ id: 'other', name: 'Other', domain: 'other.com' })
  const bytes = files().reduce((sum, file) => sum + file.bytes, 0)
  const sound = { ok: true, damaged: [], missing: [], foreign: [], orphans: [], catalog: [] }
  expect(await verifyLake(app.change, {})).toEqual({ ...sound, files: 6, bytes })
  expect(await verifyLake(app.change, { siteId: SITE })).toEqual({ ...sound, files: 6, bytes })
  expect(await verifyLake(app.change, { siteId: 'other' })).toEqual({ ...sound, files: 0, bytes: 0 })
})

test('damaged, cut and missing files are named with their days and rows, replaced ones too', async () => {
  const { app, answers, files } = await openTestLake()
  const { lakeDir } = app.change
  await answers(makeAnswers('A', '2026-10'))
  await answers(makeAnswers('B', '2026-10'))
  const replaced = files('mentions')[0]!
  await compactLake(app.change, { isThorough: true })
  const [answersFile, citationsFile, hostsFile] = [files('answers')[0]!, files('citations')[0]!, files('hosts')[0]!]
  flipBit(join(lakeDir, answersFile.path), 30)
  flipBit(join(lakeDir, replaced.path), 5)
  truncateSync(join(lakeDir, citationsFile.path), citationsFile.bytes - 1)
  rmSync(join(lakeDir, hostsFile.path))
  const { ok, damaged, missing } = await verifyLake(app.change, {})
  expect(ok).toBe(false)
  expect(damaged).toEqual([
    toWrong(answersFile, 'its checksum is not the one recorded'),
    toWrong(citationsFile, `it has ${citationsFile.bytes - 1} bytes, ${citationsFile.bytes} were written`),
    toWrong(replaced, 'its checksum is not the one recorded', false),
  ])
  expect(missing).toEqual([toWrong(hostsFile, 'it is missing')])
})

test('files of others make the lake unsound, leftovers of killed processes do not', async () => {
  const { app, answers, files } = await openTestLake()
  const { lakeDir } = app.change
  await answers(makeAnswers('A', '2026-10'))
  const month = join(lakeDir, 'answers', SITE, '2026-10')
  const leftover = `${newFileId()}.parquet`
  copyFileSync(join(lakeDir, files('answers')[0]!.path), join(month, leftover))
  mkdirSync(join(lakeDir, '.staging', 'dead'), { recursive: true })
  const orphans = [`answers/${SITE}/2026-10/${leftover}`, '.staging/dead']
  expect(await verifyLake(app.change, {})).toMatchObject({ ok: true, foreign: [], orphans })
  writeFileSync(join(month, 'copy.parquet'), 'x')
  writeFileSync(join(lakeDir, 'notes.txt'), 'x')
  mkdirSync(join(lakeDir, 'answers', 'nobody', '2026-10'), { recursive: true })
  writeFileSync(join(lakeDir, 'answers', 'nobody', '2026-10', leftover), 'x')
  expect(await verifyLake(app.change, {})).toMatchObject({
    ok: false,
    foreign: [`answers/${SITE}/2026-10/copy.parquet`, `answers/nobody/2026-10/${leftover}`, 'notes.txt'],
    orphans,
  })
  expect((await verifyLake(app.change, { siteId: SITE })).foreign).toEqual([`answers/${SITE}/2026-10/copy.parquet`])
})

test('a link to the same bytes is refused by verification and reports alike, one to the whole lake by neither', async () => {
  const lake = await openTestLake()
  const { app, files, dir } = lake
  const { lakeDir } = app.change
  await lake.answers(makeAnswers('A', '2026-09'))
  await lake.answers(makeAnswers('B', '2026-10'))
  renameSync(lakeDir, join(dir, 'elsewhere'))
  symlinkSync(join(dir, 'elsewhere'), lakeDir)
  const again = await lake.openAgain(lake.dataDir)
  expect(await verifyLake(again.change, {})).toMatchObject({ ok: true })
  await readReports(again)

  const isRefused = async (wrong: readonly LakeFile[]) => {
    const { ok, damaged } = await verifyLake(app.change, {})
    const what = 'a symbolic link stands in its place or on the way to it'
    expect({ ok, damaged }).toEqual({ ok: false, damaged: wrong.map((file) => toWrong(file, what)) })
    const opened = await lake.openAgain(lake.dataDir)
    await expect(readReports(opened)).rejects.toMatchObject({ code: 'data_unavailable' })
  }
  const [file] = files('mentions')
  const path = join(lakeDir, file!.path)
  renameSync(path, join(dir, 'moved'))
  for (const target of [join(dir, 'moved'), join(lakeDir, 'moved')]) {
    copyFileSync(join(dir, 'moved'), join(lakeDir, 'moved'))
    symlinkSync(target, path)
    await isRefused([file!])
    rmSync(path)
  }
  renameSync(join(dir, 'moved'), path)
  const month = join(lakeDir, 'answers', SITE, '2026-10')
  renameSync(month, join(dir, 'month'))
  symlinkSync(join(dir, 'month'), month)
  await isRefused(files('answers').filter(({ month: of }) => of === '2026-10'))
})

test('what SQLite finds wrong with the catalog is told', async () => {
  const lake = await openTestLake()
  await lake.app[Symbol.asyncDispose]()
  const db = new Database(join(lake.dataDir, 'catalog.sqlite'))
  db.unsafeMode()
  db.pragma('writable_schema = ON')
  db.exec(
    `UPDATE sqlite_master SET sql = 'CREATE INDEX sites_by_domain ON sites (name)' WHERE name = 'sites_by_domain'`,
  )
  db.pragma('foreign_keys = OFF')
  db.exec(`UPDATE competitors SET site_id = 'acne'`)
  db.close()
  const again = await lake.openAgain()
  const { ok, catalog } = await verifyLake(again.change, {})
  expect([ok, catalog]).toEqual([
    false,
    ['row 1 missing from index sites_by_domain', 'row 1 of competitors names nothing in sites'],
  ])
  expect(again.catalog.quickCheck()).toEqual([])
})

test('progress goes up to all bytes and files', async () => {
  const { app, answers, files } = await openTestLake()
  await answers(makeAnswers('A', '2026-10'))
  const told: { doneBytes: number; totalBytes: number; files: number }[] = []
  await verifyLake(app.change, { onProgress: (progress) => told.push(progress) })
  const totalBytes = files().reduce((sum, file) => sum + file.bytes, 0)
  expect(told.map((progress) => progress.files)).toEqual([1, 2, 3, 4, 5, 6])
  expect(told.at(-1)).toEqual({ doneBytes: totalBytes, totalBytes, files: 6 })
})
