import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { CommandError } from '../../src/errors.ts'
import { makeTestDir } from './support/test-catalog.ts'

const FILE = 'answers/acme/2026-11/0123456789abcdefghjkmnpqrs.parquet'

/** A data directory with a site, and a file in its lake. */
function makeDataDirectory(file = FILE): { path: string; lakeDir: string } {
  const path = join(makeTestDir(), 'catalog.sqlite')
  using catalog = openCatalog(path, { mode: 'command', create: true })
  catalog.sites.create({ id: 'acme', name: 'Acme', domain: 'acme.com' })
  const lakeDir = join(dirname(path), 'lake')
  mkdirSync(dirname(join(lakeDir, file)), { recursive: true })
  writeFileSync(join(lakeDir, file), 'PAR1')
  return { path, lakeDir }
}

const LOSSES: Readonly<Record<string, (path: string) => void>> = {
  missing: (path) => rmSync(path),
  empty: (path) => truncateSync(path),
  'empty (a database without a schema)': (path) => {
    rmSync(path)
    const db = new Database(path)
    db.pragma('journal_mode = WAL')
    db.close()
  },
}

describe.each(Object.entries(LOSSES))('a catalog that is %s', (state, lose) => {
  test.each([
    ['command', true],
    ['command', false],
    ['server', true],
  ] as const)('is refused beside data files, as a %s (create: %s), and nothing is changed', (mode, create) => {
    const { path, lakeDir } = makeDataDirectory()
    lose(path)
    const before = readdirSync(dirname(path))
    const opening = () => openCatalog(path, { mode, create })
    expect(opening).toThrow(CommandError)
    expect(opening).toThrow(
      `The catalog ${path} is ${state.split(' ')[0]}, but ${lakeDir} holds data files: the catalog was lost, or a restoration was cut off. Nothing was changed. ` +
        'Restore the newest backup into a new directory (`answerlake restore BACKUP --data-dir NEW`; a restoration into this one that was cut off is run again), ' +
        `or, to begin anew without that data, move ${lakeDir} away.`,
    )
    expect(readFileSync(join(lakeDir, FILE), 'utf8')).toBe('PAR1')
    expect(readdirSync(dirname(path))).toEqual(expect.arrayContaining(before))
    expect(existsSync(path)).toBe(before.includes('catalog.sqlite'))
  })

  test('is made beside a lake of staged and strange files alone', () => {
    const { path, lakeDir } = makeDataDirectory('.staging/dead/0123456789abcdefghjkmnpqrs.parquet')
    mkdirSync(join(lakeDir, 'answers', 'acme', '2026-11'), { recursive: true })
    writeFileSync(join(lakeDir, 'answers', 'acme', 'notes.txt'), 'mine')
    lose(path)
    using catalog = openCatalog(path, { mode: 'command', create: true })
    expect(catalog.sites.list()).toEqual([])
  })
})

test('the log of a catalog whose file was emptied is kept for a rescue', () => {
  const { path } = makeDataDirectory()
  truncateSync(path)
  writeFileSync(`${path}-wal`, 'what was committed last')
  expect(() => openCatalog(path, { mode: 'command' })).toThrow(CommandError)
  expect(readFileSync(`${path}-wal`, 'utf8')).toBe('what was committed last')
})

test('a catalog without a site is whole, and is opened beside any lake', () => {
  const path = join(makeTestDir(), 'catalog.sqlite')
  openCatalog(path, { mode: 'command', create: true }).close()
  mkdirSync(dirname(join(dirname(path), 'lake', FILE)), { recursive: true })
  writeFileSync(join(dirname(path), 'lake', FILE), 'PAR1')
  using catalog = openCatalog(path, { mode: 'server' })
  expect(catalog.sites.list()).toEqual([])
})
