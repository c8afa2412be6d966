import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LakeFile } from '../../src/domain/manifest.ts'
import { COMPACTION_FILE_BYTES, COMPACTION_FILES_MAX } from '../../src/limits.ts'
import { planCompaction } from '../../src/maintenance/compaction-plan.ts'

const MIB = 1_024 * 1_024

function toFile(fileId: string, mib: number, day: number): LakeFile {
  const minDay = `2026-10-${String(day).padStart(2, '0')}`
  return {
    fileId,
    dataset: 'answers',
    siteId: 'acme',
    month: '2026-10',
    path: `answers/acme/2026-10/${fileId}.parquet`,
    rows: 1,
    bytes: mib * MIB,
    sha256: '',
    minDay,
    maxDay: minDay,
    schemaVersion: 1,
  }
}

const idsOf = (groups: readonly (readonly LakeFile[])[]) => groups.map((group) => group.map(({ fileId }) => fileId))

test('small files become one, in the order of their days', () => {
  const files = [toFile('c', 1, 3), toFile('a', 1, 1), toFile('b', 1, 2)]
  expect(idsOf(planCompaction(files, 1))).toEqual([['a', 'b', 'c']])
})

test('nothing is to do while there are no more files than may be', () => {
  const files = Array.from({ length: 4 }, (_, index) => toFile(`f${index}`, 1, index + 1))
  expect(planCompaction(files, 4)).toEqual([])
  expect(planCompaction([toFile('f', 1, 1)], 1)).toEqual([])
})

test('a file that is large enough stays as it is', () => {
  const files = [toFile('large', 128, 1), toFile('b', 1, 2), toFile('c', 1, 3)]
  expect(idsOf(planCompaction(files, 1))).toEqual([['b', 'c']])
})

test('an outdated file is written anew, also when it stands alone or is large enough', () => {
  const files = [toFile('large', 128, 1), toFile('other', 128, 2), toFile('c', 1, 3)]
  const isOld = ({ fileId }: LakeFile): boolean => fileId === 'large'
  expect(idsOf(planCompaction(files, 1, isOld))).toEqual([['large']])
  expect(idsOf(planCompaction(files.slice(0, 1), 1, isOld))).toEqual([['large']])
  expect(planCompaction(files.slice(1, 2), 1, isOld)).toEqual([])
})

test('a late file joins its smallest neighbour, not the whole month', () => {
  const files = [
    toFile('a', 200, 1),
    toFile('b', 190, 9),
    toFile('c', 180, 17),
    toFile('d', 120, 25),
    toFile('late', 1, 30),
  ]
  expect(idsOf(planCompaction(files, 4))).toEqual([['d', 'late']])
})

test('whatever the files, at most four are left, and what was planned once needs no second plan', () => {
  const sizes = fc.array(fc.record({ mib: fc.integer({ min: 0, max: 400 }), day: fc.integer({ min: 1, max: 28 }) }), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(sizes, (given) => {
      const files = given.map(({ mib, day }, index) => toFile(`f${index}`, mib, day))
      const groups = planCompaction(files, COMPACTION_FILES_MAX)
      const merged = groups.map((group, index) =>
        toFile(`m${index}`, group.reduce((sum, file) => sum + file.bytes, 0) / MIB, Number(group[0]?.minDay?.slice(8))),
      )
      const touched = new Set(groups.flat())
      const after = [...files.filter((file) => !touched.has(file)), ...merged]
      expect(touched.size).toBe(groups.flat().length)
      expect(groups.every((group) => group.length > 1)).toBe(true)
      expect(after.length).toBeLessThanOrEqual(COMPACTION_FILES_MAX)
      expect(planCompaction(after, COMPACTION_FILES_MAX)).toEqual([])
      const total = files.reduce((sum, file) => sum + file.bytes, 0)
      if (files.length > COMPACTION_FILES_MAX && total <= COMPACTION_FILE_BYTES) expect(after.length).toBe(1)
    }),
    { numRuns: 300 },
  )
})
