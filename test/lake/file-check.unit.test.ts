import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LakeFile } from '../../src/domain/manifest.ts'
import { createFileCheck } from '../../src/lake/checksums/file-check.ts'

function makeLake(count: number): { dir: string; files: LakeFile[] } {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-check-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const files = Array.from({ length: count }, (_, index): LakeFile => {
    const content = `content of ${index}`.padEnd(100)
    writeFileSync(join(dir, `f${index}`), content)
    return {
      fileId: `f${index}`,
      dataset: 'answers',
      siteId: 'acme',
      month: '2026-10',
      path: `f${index}`,
      rows: 1,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      minDay: null,
      maxDay: null,
      schemaVersion: 1,
    }
  })
  return { dir, files }
}

const unavailable = (what: RegExp) =>
  expect.objectContaining({
    code: 'data_unavailable',
    message: 'A file that this report needs is missing or damaged. Ask the operator to run `answerlake lake verify`.',
    cause: expect.objectContaining({ message: expect.stringMatching(what) }),
  })

test('files as they were written pass, any number of them at once', async () => {
  const { dir, files } = makeLake(200)
  const check = createFileCheck(dir)
  await Promise.all([check.ensureIntact(files), check.ensureIntact(files), check.ensureIntact([])])
  await check.ensureIntact(files)
})

test.each([
  ['missing', /f1 can't be read/, (path: string) => rmSync(path)],
  ['a directory', /f1 has \d+ bytes, not 100|f1 can't be read/, (path: string) => (rmSync(path), mkdirSync(path))],
  ['shorter', /f1 has 99 bytes, not 100/, (path: string) => writeFileSync(path, 'x'.repeat(99))],
  [
    'a link to the same bytes',
    /f1: a symbolic link stands in its place/,
    (path: string) => (renameSync(path, `${path}.moved`), symlinkSync(`${path}.moved`, path)),
  ],
  ['of other content', /f1 is damaged: its checksum/, (path: string) => writeFileSync(path, 'x'.repeat(100))],
])('a file that is %s is told from the others', async (_, what, change) => {
  const { dir, files } = makeLake(3)
  change(join(dir, 'f1'))
  const check = createFileCheck(dir)
  await expect(check.ensureIntact(files)).rejects.toThrow(unavailable(what))
  await check.ensureIntact([files[0]!, files[2]!])
})

test('a file that was intact is read again when it was written or replaced since', async () => {
  const { dir, files } = makeLake(1)
  const path = join(dir, 'f0')
  const original = readFileSync(path)
  const check = createFileCheck(dir)
  await check.ensureIntact(files)
  writeFileSync(
    path,
    original.map((byte, index) => (index === 50 ? byte ^ 1 : byte)),
  )
  await expect(check.ensureIntact(files)).rejects.toThrow(unavailable(/checksum/))
  writeFileSync(path, original)
  await check.ensureIntact(files)
  writeFileSync(join(dir, 'other'), 'y'.repeat(100))
  utimesSync(join(dir, 'other'), 1, 1)
  utimesSync(path, 1, 1)
  renameSync(join(dir, 'other'), path)
  await expect(check.ensureIntact(files)).rejects.toThrow(unavailable(/checksum/))
})
