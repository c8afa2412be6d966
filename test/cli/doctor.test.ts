import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { describeFileSystem } from '../../cli/doctor/directory.ts'
import type { Finding } from '../../cli/doctor/finding.ts'
import { describeOpenFiles } from '../../cli/doctor/process.ts'
import { openCatalog } from '../../src/catalog/catalog.ts'
import type { LakeFile } from '../../src/domain/manifest.ts'
import { saveRanges } from '../../src/import-logs/bot-ranges.ts'
import { listRangesDocuments } from '../../src/reference/bots.ts'
import { FIXED_CLOCK, makeDirectory, run } from './support/run.ts'

interface Report {
  readonly status: string
  readonly checks: readonly Finding[]
}

const DAY_MS = 86_400_000
const openTestCatalog = (dataDir: string) =>
  openCatalog(join(dataDir, 'catalog.sqlite'), { clock: FIXED_CLOCK, mode: 'command', create: true })

/** A data directory in which there is nothing to find. */
function makeSoundDirectory(): string {
  const dataDir = join(makeDirectory(), 'data')
  using catalog = openTestCatalog(dataDir)
  catalog.sites.create({ id: 'acme', name: 'Acme', domain: 'acme.com' })
  saveRanges(
    catalog,
    listRangesDocuments().map((document) => ({ document, prefixes: ['192.0.2.0/24'] })),
    FIXED_CLOCK,
  )
  return dataDir
}

async function examine(dataDir: string, options: Parameters<typeof run>[1] = {}) {
  const result = await run(['doctor', '--json', '--data-dir', dataDir], options)
  const report = JSON.parse(result.stdout) as Report
  return { ...result, report, found: report.checks.filter(({ status }) => status !== 'ok') }
}

function addFile(dataDir: string, content: string): string {
  const file: LakeFile = {
    fileId: 'f1',
    dataset: 'answers',
    siteId: 'acme',
    month: '2026-11',
    path: 'answers/acme/2026-11/f1.parquet',
    rows: 1,
    bytes: content.length,
    sha256: '0'.repeat(64),
    minDay: '2026-11-01',
    maxDay: '2026-11-01',
    schemaVersion: 1,
  }
  using catalog = openTestCatalog(dataDir)
  catalog.manifest.commit({ kind: 'import_answers', siteId: 'acme', add: [file], remove: [] })
  const path = join(dataDir, 'lake', file.path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

test('a sound directory gives no finding and exits 0', async () => {
  const { status, report, found } = await examine(makeSoundDirectory())
  expect({ status, found, verdict: report.status }).toEqual({ status: 0, found: [], verdict: 'ok' })
  expect(report.checks.map(({ check }) => check)).toEqual([
    'directory',
    'file system',
    'free disk',
    'config',
    'collecting',
    'catalog',
    'clock',
    'lake files',
    'bot ranges',
    'open files',
  ])
})

test('a directory that is not there yet is a warning, one that cannot be made a problem', async () => {
  const dataDir = join(makeDirectory(), 'deep', 'er')
  const { status, found } = await examine(dataDir)
  expect({ status, found }).toEqual({
    status: 0,
    found: [
      {
        check: 'directory',
        status: 'warning',
        message: `${dataDir} does not exist yet`,
        advice: '`answerlake sites create` or `answerlake demo` makes it',
      },
    ],
  })
})

test('a directory open to others is a warning', async () => {
  const dataDir = makeSoundDirectory()
  chmodSync(dataDir, 0o755)
  const { status, found } = await examine(dataDir)
  expect({ status, found }).toEqual({
    status: 0,
    found: [
      {
        check: 'directory',
        status: 'warning',
        message: `${dataDir} is open to other accounts (mode 755)`,
        advice: `chmod 700 '${dataDir}'`,
      },
    ],
  })
})

test('a file of the manifest that is missing or has another size is a problem', async () => {
  const dataDir = makeSoundDirectory()
  const path = addFile(dataDir, 'PAR1')
  expect((await examine(dataDir)).found).toEqual([])
  const finding = (what: string) => ({
    check: 'lake files',
    status: 'problem',
    message: `1 of 1 wrong: answers/acme/2026-11/f1.parquet ${what}`,
    advice: 'see `answerlake lake verify`; restore a backup',
  })
  writeFileSync(path, 'PAR')
  expect(await examine(dataDir)).toMatchObject({ status: 1, found: [finding('has another size')] })
  rmSync(path)
  expect(await examine(dataDir)).toMatchObject({ status: 1, found: [finding('is missing')] })
})

test('retention is told where it is set, and data that should have gone two days ago is a warning', async () => {
  const dataDir = makeSoundDirectory()
  addFile(dataDir, 'PAR1')
  const check = async (period: string) => {
    const { report } = await examine(dataDir, { environment: { ANSWERLAKE_RETENTION_ANSWERS: period } })
    return report.checks.filter((finding) => finding.check === 'retention')
  }
  expect(await check('keep')).toEqual([])
  const told = (period: string, day: string) => `retention_answers ${period}: from ${day} on`
  expect(await check('1mo')).toMatchObject([{ status: 'ok', message: told('1mo', '2026-10-20') }])
  // The file's day is 2026-11-01, today 2026-11-20.
  expect(await check('18d')).toMatchObject([{ status: 'ok', message: told('18d', '2026-11-02') }])
  expect(await check('15d')).toMatchObject([
    { status: 'warning', message: `${told('15d', '2026-11-05')}; older data is still there` },
  ])
})

test('a clock behind the newest import is a problem', async () => {
  const dataDir = makeSoundDirectory()
  addFile(dataDir, 'PAR1')
  const behind = { now: () => FIXED_CLOCK.now() - 1 }
  expect(await examine(dataDir, { clock: behind })).toMatchObject({
    status: 1,
    found: [
      {
        check: 'clock',
        status: 'problem',
        message: 'it says 2026-11-20T07:03:09.119Z, before the newest change of the lake (2026-11-20T07:03:09.120Z)',
        advice:
          'set it, best with NTP; if it is right and was ahead then, `answerlake lake gc --grace 0` ends this, and with it cursors that are open',
      },
    ],
  })
})

test('a clock that was ahead once is a problem until lake gc --grace 0 has ended it', async () => {
  const dataDir = makeSoundDirectory()
  addFile(dataDir, 'PAR1')
  const yearsBefore = { clock: { now: () => FIXED_CLOCK.now() - 1_000 * DAY_MS } }
  expect((await examine(dataDir, yearsBefore)).found.map(({ check }) => check)).toEqual(['clock'])
  expect((await run(['lake', 'gc', '--data-dir', dataDir], yearsBefore)).stderr).toContain('The clock was set back')
  const collected = await run(['lake', 'gc', '--grace', '0', '--data-dir', dataDir], yearsBefore)
  expect(collected).toMatchObject({ status: 0, stderr: '' })
  expect((await examine(dataDir, yearsBefore)).found).toEqual([])
  expect((await run(['lake', 'gc', '--data-dir', dataDir], yearsBefore)).stderr).toBe('')
})

test('address ranges are missed, and called old after 30 days', async () => {
  const dataDir = makeSoundDirectory()
  const advice = 'renew them: `answerlake bots update`'
  const after = (days: number) => ({ clock: { now: () => FIXED_CLOCK.now() + days * DAY_MS } })
  expect((await examine(dataDir, after(30))).found).toEqual([])
  const count = listRangesDocuments().length
  expect((await examine(dataDir, after(30.001))).found).toEqual([
    { check: 'bot ranges', status: 'warning', message: `${count} are older than 30 days`, advice },
  ])
  const empty = join(makeDirectory(), 'data')
  openTestCatalog(empty).close()
  expect((await examine(empty)).found).toEqual([
    { check: 'bot ranges', status: 'warning', message: 'none are loaded: no bot can be verified', advice },
  ])
})

test('a catalog of a newer program, and one that is no catalog, are problems', async () => {
  const newer = makeSoundDirectory()
  const db = new Database(join(newer, 'catalog.sqlite'))
  db.pragma('user_version = 999')
  db.close()
  expect(await examine(newer)).toMatchObject({
    status: 1,
    found: [{ check: 'catalog', status: 'problem', message: expect.stringContaining('schema version 999') as string }],
  })
  const broken = makeSoundDirectory()
  writeFileSync(join(broken, 'catalog.sqlite'), 'no database'.repeat(1_000))
  expect(await examine(broken)).toMatchObject({ status: 1, found: [{ check: 'catalog', status: 'problem' }] })
})

test('a fault in config.json is a problem, told with its place', async () => {
  const dataDir = makeSoundDirectory()
  writeFileSync(join(dataDir, 'config.json'), '{"port": "high"}')
  expect(await examine(dataDir)).toMatchObject({
    status: 1,
    found: [
      {
        check: 'config',
        status: 'problem',
        message: `${dataDir}/config.json: port must be a whole number from 0 to 65535, not "high"`,
      },
    ],
  })
})

test('without --json each finding is a line with its advice below', async () => {
  const dataDir = makeSoundDirectory()
  chmodSync(dataDir, 0o750)
  const { stdout } = await run(['doctor', '--data-dir', dataDir])
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    `warning  directory    ${dataDir} is open to other accounts (mode 750)`,
    `                      chmod 700 '${dataDir}'`,
  ])
})

describe('file systems', () => {
  test.each([
    [0x6969, 'problem'],
    [0xff534d42, 'problem'],
    [-0xacb2be, 'problem'],
    [0x01021997, 'problem'],
    [0x65735546, 'warning'],
    [0xef53, 'ok'],
    [0x58465342, 'ok'],
    [0x01021994, 'ok'],
  ])('type %d is %s', (type, status) => {
    expect(describeFileSystem(type).status).toBe(status)
  })
})

describe('open files', () => {
  test.each([
    ['Max open files            1024                 524288               files', 'warning'],
    ['Limit\nMax open files            4096                 4096                 files', 'ok'],
    ['Max open files            unlimited            unlimited            files', 'ok'],
    ['', 'ok'],
  ])('%j is %s', (limits, status) => {
    expect(describeOpenFiles(limits).status).toBe(status)
  })
})
