import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DATASETS } from '../../src/domain/manifest.ts'
import { dropPublication } from '../../src/iceberg/drop-publication.ts'
import { type PublishResult, publishLake } from '../../src/iceberg/publish.ts'
import { readPublicationStatus } from '../../src/iceberg/publication-status.ts'
import { PUBLISHED_TABLES } from '../../src/iceberg/tables.ts'
import { DATASET } from '../../src/lake/datasets.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { deleteAnswers } from '../../src/maintenance/delete-answers.ts'
import { HOUR_MS, makeAnswers, openTestLake, SITE, type TestLake } from '../maintenance/support/lake.ts'
import { makeLogLines } from '../maintenance/support/log-lines.ts'
import { readTable, toPath } from './support/read-publication.ts'

const GRACE_MS = 24 * HOUR_MS

interface Published extends TestLake {
  readonly directory: string
  publish(): Promise<PublishResult>
}

async function openPublished(): Promise<Published> {
  const lake = await openTestLake()
  const directory = join(lake.dir, 'published')
  const publish = () => publishLake(lake.app.change, { directory, graceMs: GRACE_MS })
  return Object.assign(lake, { directory, publish })
}

/** What the newest publication names of the lake, and what the manifest does. */
async function compare({ app, directory }: Published): Promise<{ named: string[]; live: string[] }> {
  const named: string[] = []
  for (const dataset of DATASETS) {
    for (const { data_file } of (await readTable(directory, dataset)).files) {
      expect(statSync(toPath(data_file.file_path)).size).toBe(data_file.file_size_in_bytes)
      named.push(`${data_file.partition.site_id} ${toPath(data_file.file_path)} ${data_file.record_count}`)
    }
  }
  const { manifest, sites } = app.catalog
  const live = sites
    .list()
    .flatMap(({ id }) => manifest.listFiles(id, manifest.currentSnapshot()))
    .map(({ siteId, path, rows }) => `${siteId} ${join(app.change.lakeDir, path)} ${rows}`)
  return { named: named.sort(), live: live.sort() }
}

const listFiles = (directory: string): string[] => readdirSync(directory, { recursive: true }).map(String).sort()

test('a publication names every live file with its site, rows and bytes, and holds what is decided', async () => {
  const lake = await openPublished()
  await lake.answers(makeAnswers('A', '2026-10'))
  await lake.logs(makeLogLines('2026-10', 3))
  const result = await lake.publish()
  expect(result).toMatchObject({ publication: 1, is_new: true })
  const { named, live } = await compare(lake)
  expect(live.length).toBeGreaterThan(8)
  expect(named).toEqual(live)
  for (const { name } of PUBLISHED_TABLES) {
    const { metadata } = await readTable(lake.directory, name)
    expect(metadata.refs['lake-1']).toEqual({ 'snapshot-id': 1, type: 'tag' })
    expect(metadata.location).toBe(`file://${join(lake.directory, name)}`)
  }
  const [brands] = (await readTable(lake.directory, 'brands')).files
  expect(brands?.data_file).toMatchObject({ record_count: 2, partition: {} })
})

test('after an import only what changed is written; without one nothing is', async () => {
  const lake = await openPublished()
  const { directory } = lake
  await lake.answers(makeAnswers('A', '2026-10'))
  await lake.publish()
  const before = await readTable(directory, 'answers')
  const decided = await readTable(directory, 'prompts')
  expect(await lake.publish()).toMatchObject({ publication: 1, is_new: false })

  await lake.answers(makeAnswers('B', '2026-11'))
  const result = await lake.publish()
  expect(result.is_new).toBe(true)
  const after = await readTable(directory, 'answers')
  expect((await compare(lake)).named).toEqual((await compare(lake)).live)
  expect(after.metadata['table-uuid']).toBe(before.metadata['table-uuid'])
  // What was there is named as it was: added by the first publication.
  expect(after.files.map(({ status, snapshot_id }) => [status, snapshot_id]).sort()).toEqual([
    [0, 1],
    [1, result.publication],
  ])
  expect(after.metadata.snapshots.map(({ summary }) => summary['operation'])).toEqual(['append', 'append'])
  expect((await readTable(directory, 'prompts')).manifests).toEqual(decided.manifests)
  // The first publication is there as it was.
  expect((await readTable(directory, 'answers', 'lake-1')).files).toEqual(before.files)
})

test('files of older columns are refused, with the command that writes them anew', async () => {
  const lake = await openPublished()
  await lake.answers(makeAnswers('A', '2026-10'))
  const { version } = DATASET.answers
  try {
    Object.assign(DATASET.answers, { version: version + 1 })
    await expect(lake.publish()).rejects.toThrow(/1 of \d+ files have columns of an older version.*lake compact/)
  } finally {
    Object.assign(DATASET.answers, { version })
  }
  expect(listFiles(lake.directory)).toEqual([])
  expect(lake.app.catalog.publications.list()).toEqual([])
})

describe('the collection', () => {
  test('keeps what a publication names until a newer one has taken its place and the grace is over', async () => {
    const lake = await openPublished()
    const { app, clock } = lake
    await lake.answers(makeAnswers('A', '2026-10'))
    await lake.answers(makeAnswers('B', '2026-10'))
    await lake.publish()
    const named = (await compare(lake)).named
    await compactLake(app.change, { isThorough: true })
    clock.nowMs += 100 * GRACE_MS
    expect((await collectGarbage(app.change, { graceMs: HOUR_MS })).deleted.files).toBe(0)
    expect((await collectGarbage(app.change, { graceMs: 0 })).deleted.files).toBe(0)
    expect((await compare(lake)).named).toEqual(named)
    expect(readPublicationStatus(app.change)).toMatchObject([{ publication: 1, kept_files: named.length }])

    const { publication } = await lake.publish()
    clock.nowMs += GRACE_MS - 1
    expect((await collectGarbage(app.change, { graceMs: HOUR_MS })).deleted.files).toBe(0)
    expect((await readTable(lake.directory, 'answers', 'lake-1')).files).toHaveLength(2)
    clock.nowMs += 1
    expect((await collectGarbage(app.change, { graceMs: HOUR_MS })).deleted.files).toBe(named.length)
    expect((await compare(lake)).named).toEqual((await compare(lake)).live)

    // The next publication leaves the first one out, and its files.
    await lake.answers(makeAnswers('C', '2026-11'))
    await lake.publish()
    const { metadata } = await readTable(lake.directory, 'answers')
    expect(Object.keys(metadata.refs)).toEqual(['main', `lake-${publication}`, expect.stringMatching(/^lake-/)])
    const left = listFiles(join(lake.directory, 'answers')).filter((path) => /^metadata.(m1-|snap-1|v1\.)/.test(path))
    expect(left).toEqual([])
  })

  test('does not keep what was deleted longer than the grace after the deletion, nor when told to keep nothing', async () => {
    for (const graceMs of [HOUR_MS, 0]) {
      const lake = await openPublished()
      const { app, clock } = lake
      await lake.answers(makeAnswers('A', '2026-10'))
      await lake.answers(makeAnswers('B', '2026-10'))
      await lake.publish()
      // The files that hold them were replaced before the deletion: it counts all the same.
      await compactLake(app.change, { isThorough: true })
      await deleteAnswers(app.change, {
        site: app.catalog.sites.get(SITE),
        selection: { from: '2026-10-01', to: '2026-10-10' },
        dryRun: false,
      })
      const [{ data_file } = { data_file: undefined }] = (await readTable(lake.directory, 'answers')).files
      clock.nowMs += GRACE_MS - 1
      if (graceMs > 0) {
        await collectGarbage(app.change, { graceMs })
        expect(existsSync(toPath(data_file!.file_path))).toBe(true)
        clock.nowMs += 1
      }
      await collectGarbage(app.change, { graceMs })
      expect(existsSync(toPath(data_file!.file_path))).toBe(false)
    }
  })

  test('a dropped publication keeps its files for the grace', async () => {
    const lake = await openPublished()
    const { app, clock, directory } = lake
    await lake.answers(makeAnswers('A', '2026-10'))
    await lake.answers(makeAnswers('B', '2026-10'))
    await lake.publish()
    await compactLake(app.change, { isThorough: true })
    expect(await dropPublication(app.change, directory)).toBe(true)
    expect(listFiles(directory)).toEqual([])
    expect(await dropPublication(app.change, directory)).toBe(false)
    clock.nowMs += GRACE_MS - 1
    expect((await collectGarbage(app.change, { graceMs: HOUR_MS })).deleted.files).toBe(0)
    clock.nowMs += 1
    expect((await collectGarbage(app.change, { graceMs: HOUR_MS })).deleted.files).toBeGreaterThan(0)
    expect(await lake.publish()).toMatchObject({ is_new: true })
  })
})

test('under a location metadata names addresses there, for files of both directories in one tree', async () => {
  const lake = await openPublished()
  await lake.answers(makeAnswers('A', '2026-10'))
  const { app, directory } = lake
  await publishLake(app.change, { directory, location: 's3://bucket/lake/', graceMs: GRACE_MS })
  const parent = join(directory, 'answers/metadata')
  const metadata = JSON.parse(readFileSync(join(parent, 'v1.metadata.json'), 'utf8'))
  expect(metadata.location).toBe('s3://bucket/lake/answers')
  expect(metadata.snapshots[0]['manifest-list']).toBe('s3://bucket/lake/answers/metadata/snap-1.avro')
  const name = readdirSync(parent).find((path) => path.startsWith('m1-'))
  const manifest = readFileSync(join(parent, name ?? ''), 'latin1')
  const [{ path } = { path: '' }] = lake.files('answers')
  expect(manifest).toContain(`s3://bucket/lake/${path}`)
})

test('tables of others in the directory are refused, and stay', async () => {
  const lake = await openPublished()
  await lake.answers(makeAnswers('A', '2026-10'))
  const others = ['sites/metadata/v5.metadata.json', 'sites/data/7.parquet', 'prompts/data/2026-10.parquet']
  for (const path of others) {
    mkdirSync(dirname(join(lake.directory, path)), { recursive: true })
    writeFileSync(join(lake.directory, path), 'theirs')
  }
  await expect(lake.publish()).rejects.toThrow('that no publication of this data directory wrote')
  expect(await dropPublication(lake.app.change, lake.directory)).toBe(false)
  for (const path of others) expect(readFileSync(join(lake.directory, path), 'utf8')).toBe('theirs')
})

test("a first publication that failed is in nobody's way", async () => {
  const lake = await openPublished()
  await lake.answers(makeAnswers('A', '2026-10'))
  const stop = new AbortController()
  const { directory } = lake
  const options = { directory, graceMs: GRACE_MS, signal: stop.signal }
  const onProgress = ({ doneTables }: { doneTables: number }) => doneTables > 0 && stop.abort()
  await expect(publishLake(lake.app.change, { ...options, onProgress })).rejects.toThrow('abort')
  expect(readdirSync(directory).length).toBeGreaterThan(0)
  expect(await lake.publish()).toMatchObject({ is_new: true })
})

test('what a publication was killed before it removed is removed by the next one', async () => {
  const lake = await openPublished()
  const { directory } = lake
  const copy = join(lake.dir, 'copy')
  await lake.answers(makeAnswers('A', '2026-10'))
  await lake.publish()
  await lake.answers(makeAnswers('B', '2026-10'))
  await lake.publish()
  lake.clock.nowMs += GRACE_MS
  cpSync(directory, copy, { recursive: true })
  await lake.answers(makeAnswers('C', '2026-10'))
  await lake.publish()
  const whole = listFiles(directory)
  // As if it had been killed after its state was written.
  cpSync(copy, directory, { recursive: true, force: false })
  writeFileSync(join(directory, 'publication.json.abcdefgh.tmp'), '{')
  expect(listFiles(directory).length).toBeGreaterThan(whole.length + PUBLISHED_TABLES.length)
  expect(await lake.publish()).toMatchObject({ is_new: false })
  expect(listFiles(directory)).toEqual(whole)
  expect((await compare(lake)).named).toEqual((await compare(lake)).live)
})

test('files that are collected without grace while they are published are told of', async () => {
  const lake = await openPublished()
  const { app, directory } = lake
  const { manifest } = app.catalog
  await lake.answers(makeAnswers('A', '2026-10'))
  const [{ fileId } = { fileId: '' }] = lake.files('mentions')
  const onProgress = ({ table }: { table: string }): void => {
    if (table !== 'mentions') return
    manifest.commit({ kind: 'delete_answers', siteId: SITE, add: [], remove: [fileId] })
    manifest.markDeleting([fileId])
    manifest.forgetFiles([fileId])
  }
  await expect(publishLake(app.change, { directory, graceMs: GRACE_MS, onProgress })).rejects.toThrow('Publish again')
  await lake.publish()
  expect((await compare(lake)).named).toEqual((await compare(lake)).live)
})

test('a drop that was cut off is finished by the next one', async () => {
  const lake = await openPublished()
  await lake.answers(makeAnswers('A', '2026-10'))
  await lake.publish()
  rmSync(join(lake.directory, 'publication.json'))
  expect(await dropPublication(lake.app.change, lake.directory)).toBe(true)
  expect(listFiles(lake.directory)).toEqual([])
  expect(lake.app.catalog.publications.list(lake.directory).every(({ replacedAt }) => replacedAt !== null)).toBe(true)
})

test('a directory of another data directory, and one of something else, is refused', async () => {
  const lake = await openPublished()
  await lake.publish()
  const other = await openTestLake()
  const options = { directory: lake.directory, graceMs: GRACE_MS }
  await expect(publishLake(other.app.change, options)).rejects.toThrow('another data directory')
  await expect(dropPublication(other.app.change, lake.directory)).rejects.toThrow('another data directory')
})
