import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChangeKind, LakeFile } from '../../src/domain/manifest.ts'
import { openTestCatalog } from './support/test-catalog.ts'

const HOUR_MS = 3_600_000

function openWithSites() {
  const opened = openTestCatalog()
  const { catalog } = opened
  const site = catalog.sites.create({ id: 'a', name: 'Acme', domain: 'acme.com' }).id
  const other = catalog.sites.create({ id: 'b', name: 'Bolt', domain: 'bolt.com' }).id
  const { manifest } = catalog
  const change = (add: LakeFile[], remove: string[] = [], siteId = site, kind: ChangeKind = 'import_answers') =>
    manifest.commit({ kind, siteId, add, remove })
  return { ...opened, manifest, site, other, change }
}

function toFile(fileId: string, siteId = 'a', overrides: Partial<LakeFile> = {}): LakeFile {
  return {
    fileId,
    dataset: 'answers',
    siteId,
    month: '2026-11',
    path: `answers/${siteId}/2026-11/${fileId}.parquet`,
    rows: 10,
    bytes: 1_000,
    sha256: 'ab'.repeat(32),
    minDay: '2026-11-01',
    maxDay: '2026-11-30',
    schemaVersion: 1,
    ...overrides,
  }
}

const idsOf = (files: readonly LakeFile[]) => files.map(({ fileId }) => fileId)

describe('commit', () => {
  test('makes a new snapshot with the files, whole as they were given', () => {
    const { manifest, site, change, clock } = openWithSites()
    expect(manifest.currentSnapshot()).toBe(0)
    expect(manifest.newestCommitAt()).toBeUndefined()
    const dictionary = toFile('h', site, { dataset: 'hosts', month: 'all', minDay: null, maxDay: null })
    expect(change([toFile('f'), dictionary])).toBe(1)
    clock.nowMs += 1
    expect(change([toFile('g')], ['f'])).toBe(2)
    expect(manifest.listFiles(site, 0)).toEqual([])
    expect(manifest.listFiles(site, 1)).toEqual([toFile('f'), dictionary])
    expect(manifest.listFiles(site, 2)).toEqual([toFile('g'), dictionary])
    expect(manifest.newestCommitAt()).toBe('2026-11-20T07:03:09.121Z')
  })

  test('each site sees its own files and its own newest snapshot', () => {
    const { manifest, site, other, change } = openWithSites()
    change([toFile('f')])
    change([toFile('g', other)], [], other)
    expect(idsOf(manifest.listFiles(site, 2))).toEqual(['f'])
    expect(idsOf(manifest.listFiles(other, 2))).toEqual(['g'])
    expect([manifest.currentSnapshot(site), manifest.currentSnapshot(other), manifest.currentSnapshot()]).toEqual([
      1, 2, 2,
    ])
  })

  test('what else belongs to the change is kept with it, or nothing of both', () => {
    const { catalog, manifest, site } = openWithSites()
    const commit = (work: (snapshot: number) => void) =>
      manifest.commit({ kind: 'import_answers', siteId: site, add: [toFile('f')], remove: [] }, work)
    const failing = () =>
      commit(() => {
        catalog.sites.setCounter(site, 'answer_no', 9)
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect([manifest.currentSnapshot(), catalog.sites.counter(site, 'answer_no')]).toEqual([0, 0])
    let told = 0
    commit((snapshot) => {
      told = snapshot
      catalog.sites.setCounter(site, 'answer_no', 9)
    })
    expect([manifest.currentSnapshot(), catalog.sites.counter(site, 'answer_no')]).toEqual([told, 9])
  })

  test.each([
    ['gone already', 'f'],
    ['unknown', 'nothing'],
    ["another site's", 'theirs'],
  ])('a file to remove that is %s is a lost race, and nothing changes', (_, fileId) => {
    const { manifest, site, other, change } = openWithSites()
    change([toFile('f'), toFile('g')])
    change([toFile('theirs', other)], [], other)
    change([toFile('h')], ['f'])
    const before = manifest.listFiles(site, 99)
    expect(() => change([toFile('i')], ['g', fileId])).toThrow(expect.objectContaining({ name: 'WriteConflictError' }))
    expect(manifest.listFiles(site, 99)).toEqual(before)
    expect(manifest.currentSnapshot()).toBe(3)
  })

  test('a snapshot never reads as older than the one before it, whatever the clock does', () => {
    const { manifest, change, clock } = openWithSites()
    change([toFile('f')])
    clock.nowMs -= HOUR_MS
    change([toFile('g')])
    expect(manifest.newestCommitAt()).toBe('2026-11-20T07:03:09.120Z')
  })

  test('every snapshot keeps its files, whatever is added and removed later', () => {
    const steps = fc.array(
      fc.record({ add: fc.nat({ max: 3 }), remove: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }) }),
      {
        maxLength: 12,
      },
    )
    const { manifest, site, change } = openWithSites()
    let made = 0
    fc.assert(
      fc.property(steps, (given) => {
        const states: [number, string[]][] = []
        let live = idsOf(manifest.listFiles(site, manifest.currentSnapshot()))
        for (const { add, remove } of given) {
          const added = Array.from({ length: add }, () => `f${String(made++).padStart(9, '0')}`)
          const removed = [...new Set(remove.map((index) => live[index]).filter((id) => id !== undefined))]
          const snapshot = change(
            added.map((id) => toFile(id)),
            removed,
          )
          live = [...live.filter((id) => !removed.includes(id)), ...added].sort()
          states.push([snapshot, live])
        }
        expect(states.map(([snapshot]) => [snapshot, idsOf(manifest.listFiles(site, snapshot))])).toEqual(states)
      }),
      { numRuns: 40 },
    )
  })
})

describe('isReadable', () => {
  test('a snapshot is readable while it is the site’s newest and for the grace after it was replaced', () => {
    const { manifest, site, other, change, clock } = openWithSites()
    const first = change([toFile('f')])
    clock.nowMs += 5 * HOUR_MS
    change([toFile('theirs', other)], [], other)
    expect(manifest.isReadable(site, first, HOUR_MS)).toBe(true)
    clock.nowMs += HOUR_MS
    const second = change([toFile('g')], ['f'])
    clock.nowMs += HOUR_MS
    expect(manifest.isReadable(site, first, HOUR_MS)).toBe(true)
    clock.nowMs += 1
    expect(manifest.isReadable(site, first, HOUR_MS)).toBe(false)
    expect(manifest.isReadable(site, 0, HOUR_MS)).toBe(false)
    expect(manifest.isReadable(site, second, HOUR_MS)).toBe(true)
    expect(manifest.isReadable(site, second + 1, HOUR_MS)).toBe(false)
    expect(manifest.isReadable(site, -1, HOUR_MS)).toBe(false)
  })

  test('it is not once a file that it needs is marked for deletion, however long the grace', () => {
    const { manifest, site, other, change } = openWithSites()
    change([toFile('f')])
    const second = change([toFile('g')], ['f'])
    const theirs = change([toFile('theirs', other)], [], other)
    manifest.markDeleting(['f'])
    manifest.forgetFiles(['f'])
    expect([0, 1, second, theirs].map((snapshot) => manifest.isReadable(site, snapshot, HOUR_MS))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(manifest.isReadable(other, 1, HOUR_MS)).toBe(true)
  })
})

describe('collection', () => {
  test('a file goes from live to retired, to deleting, to forgotten, and no step is skipped', () => {
    const { manifest, change, clock } = openWithSites()
    change([toFile('f'), toFile('g')])
    clock.nowMs += HOUR_MS
    change([], ['f'])
    const retiredAtMs = clock.nowMs
    const retired = { ...toFile('f'), addedIn: 1, removedIn: 2, retiredAt: '2026-11-20T08:03:09.120Z' }
    expect(manifest.listRetired(retiredAtMs)).toEqual([])
    expect(manifest.listRetired(retiredAtMs + 1)).toEqual([retired])
    manifest.forgetFiles(['f', 'g'])
    expect(manifest.listRetired(retiredAtMs + 1)).toEqual([retired])
    manifest.markDeleting(['f', 'g'])
    expect([manifest.listRetired(retiredAtMs + 1), manifest.listDeleting()]).toEqual([[], [retired]])
    expect(manifest.allKnownPaths()).toEqual(new Set([toFile('f').path, toFile('g').path]))
    manifest.forgetFiles(['f', 'g'])
    expect(manifest.listDeleting()).toEqual([])
    expect(manifest.allKnownPaths()).toEqual(new Set([toFile('g').path]))
  })

  test('pins hold the oldest snapshot of the processes that are there, and those of the dead are forgotten', () => {
    const { manifest } = openWithSites()
    const isThere =
      (...tokens: string[]) =>
      (token: string) =>
        tokens.includes(token)
    expect(manifest.oldestPinned(isThere('p1', 'p2'))).toBeUndefined()
    manifest.pin('p1', 5)
    manifest.pin('p2', 7)
    expect(manifest.oldestPinned(isThere('p1', 'p2'))).toBe(5)
    expect(manifest.oldestPinned(isThere('p2'))).toBe(7)
    expect(manifest.oldestPinned(isThere('p1', 'p2'))).toBe(7)
    manifest.pin('p2', 9)
    manifest.pin('p1', 8)
    expect(manifest.oldestPinned(isThere('p1', 'p2'))).toBe(8)
    manifest.unpin('p1')
    expect(manifest.oldestPinned(isThere('p1', 'p2'))).toBe(9)
  })

  test('a pin that can’t be taken back fails nothing, and keeps nothing when its process is gone', () => {
    const { manifest, path } = openWithSites()
    const db = new Database(path)
    onTestFinished(() => void db.close())
    manifest.pin('p1', 5)
    db.exec("CREATE TRIGGER full BEFORE DELETE ON pins BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    manifest.unpin('p1')
    expect(manifest.oldestPinned(() => true)).toBe(5)
    db.exec('DROP TRIGGER full')
    expect(manifest.oldestPinned(() => false)).toBeUndefined()
    expect(manifest.oldestPinned(() => true)).toBeUndefined()
  })
})

test('totals count live files by site and data set, and what is kept beside them', () => {
  const { manifest, site, other, change } = openWithSites()
  change([toFile('f'), toFile('g', site, { rows: 5, bytes: 50 }), toFile('h', site, { dataset: 'citations' })])
  change([toFile('i', other)], [], other)
  change([], ['f'])
  const answers = { siteId: site, dataset: 'answers', files: 1, rows: 5, bytes: 50 }
  const citations = { siteId: site, dataset: 'citations', files: 1, rows: 10, bytes: 1_000 }
  const theirs = { siteId: other, dataset: 'answers', files: 1, rows: 10, bytes: 1_000 }
  const retired = { files: 1, bytes: 1_000 }
  expect(manifest.totals()).toEqual({ live: [answers, citations, theirs], retired })
  expect(manifest.totals(site)).toEqual({ live: [answers, citations], retired })
  expect(manifest.totals(other)).toEqual({ live: [theirs], retired: { files: 0, bytes: 0 } })
})
