import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { CommandError } from '../../src/errors.ts'
import { expectGolden } from '../support/golden.ts'
import { makeTestDir, openTestCatalog } from './support/test-catalog.ts'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('opening', () => {
  test('makes directory and files for their owner alone', () => {
    const path = join(makeTestDir(), 'deep', 'data', 'catalog.sqlite')
    using catalog = openCatalog(path, { mode: 'command', create: true })
    catalog.organizations.create({ name: 'Acme' })
    const dir = join(path, '..')
    const modes = readdirSync(dir)
      .toSorted()
      .map((name) => [name, mode(join(dir, name))])
    expect([mode(dir), ...modes]).toEqual([
      '700',
      ['catalog.sqlite', '600'],
      ['catalog.sqlite-shm', '600'],
      ['catalog.sqlite-wal', '600'],
    ])
  })

  test('without create a missing catalog is refused and nothing is made', () => {
    const path = join(makeTestDir(), 'data', 'catalog.sqlite')
    expect(() => openCatalog(path, { mode: 'server' })).toThrow(CommandError)
    expect(existsSync(join(path, '..'))).toBe(false)
  })

  test('where no directory can be made it says so', () => {
    const file = join(makeTestDir(), 'file')
    writeFileSync(file, '')
    expect(() => openCatalog(join(file, 'catalog.sqlite'), { mode: 'command', create: true })).toThrow(
      /The catalog .* cannot be made/,
    )
  })

  test.each(['command', 'server'] as const)('a file that is no database is refused as a %s', (mode) => {
    const path = join(makeTestDir(), 'catalog.sqlite')
    writeFileSync(path, 'this is not a database, however long it may be '.repeat(100))
    expect(() => openCatalog(path, { mode })).toThrow(/The catalog cannot be read .*doctor/)
  })

  test('a directory in the place of the catalog is refused', () => {
    const path = join(makeTestDir(), 'catalog.sqlite')
    mkdirSync(path)
    expect(() => openCatalog(path, { mode: 'command', create: true })).toThrow(CommandError)
  })

  test('identity and cursor secret are made once and differ between catalogs', () => {
    const { catalog, openAgain } = openTestCatalog()
    const again = openAgain('server')
    using other = openCatalog(join(makeTestDir(), 'catalog.sqlite'), { mode: 'command', create: true })
    expect(catalog.cursorSecret).toHaveLength(32)
    expect(again.cursorSecret).toEqual(catalog.cursorSecret)
    expect(again.dataDirectoryId).toBe(catalog.dataDirectoryId)
    expect(other.cursorSecret).not.toEqual(catalog.cursorSecret)
    expect(other.dataDirectoryId).not.toBe(catalog.dataDirectoryId)
  })

  test('closing twice changes nothing', () => {
    const { catalog } = openTestCatalog()
    catalog.close()
    catalog.close()
  })
})

test('the schema is the golden one', () => {
  const { catalog, path } = openTestCatalog()
  catalog.close()
  const db = new Database(path, { readonly: true })
  const statements = db
    .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name')
    .pluck()
    .all()
  const tables = db.prepare<[], { name: string; strict: number }>(`
    SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'`)
  expect(tables.all().filter(({ strict }) => strict === 0)).toEqual([])
  db.close()
  expectGolden('test/golden/catalog-schema.sql', `${statements.join(';\n\n')};\n`)
})

describe('version', () => {
  test('changes with every own and every foreign write and stays otherwise', () => {
    const { catalog, openAgain } = openTestCatalog()
    const other = openAgain()
    const before = catalog.version()
    expect(catalog.version()).toBe(before)
    catalog.organizations.create({ name: 'Acme' })
    const own = catalog.version()
    expect(own).not.toBe(before)
    other.organizations.create({ name: 'Bolt' })
    const foreign = catalog.version()
    expect(foreign).not.toBe(own)
    other.organizations.list()
    expect(catalog.version()).toBe(foreign)
  })
})

describe('transaction', () => {
  test('keeps nothing when the work throws, whatever it wrote before', () => {
    const { catalog } = openTestCatalog()
    const work = () => {
      catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
      throw new Error('no')
    }
    expect(() => catalog.transaction(work)).toThrow('no')
    expect(catalog.organizations.list()).toEqual([])
  })

  test('takes no promise, since others would write in between', () => {
    const { catalog } = openTestCatalog()
    expect(() => catalog.transaction(async () => catalog.organizations.create({ name: 'Acme' }))).toThrow(TypeError)
    expect(catalog.organizations.list()).toEqual([])
  })

  test('read shows one state while others write', () => {
    const { catalog, openAgain } = openTestCatalog()
    const other = openAgain()
    const counts = catalog.read(() => {
      const before = catalog.organizations.list().length
      other.organizations.create({ name: 'Acme' })
      return [before, catalog.organizations.list().length]
    })
    expect(counts).toEqual([0, 0])
    expect(catalog.organizations.list()).toHaveLength(1)
  })
})

describe('backup', () => {
  test('is a sound copy of what was committed, for its owner alone, and replaces an earlier one', () => {
    const { catalog, path } = openTestCatalog()
    const copy = join(path, '..', 'copy.sqlite')
    const acme = catalog.organizations.create({ name: 'Acme' })
    catalog.backupTo(copy)
    const bolt = catalog.organizations.create({ name: 'Bolt' })
    catalog.backupTo(copy)
    expect(mode(copy)).toBe('600')
    expect(readdirSync(join(path, '..')).filter((name) => name.includes('tmp'))).toEqual([])
    using restored = openCatalog(copy, { mode: 'command' })
    expect(restored.organizations.list().map(({ id }) => id)).toEqual([acme.id, bolt.id].toSorted())
    expect(restored.dataDirectoryId).toBe(catalog.dataDirectoryId)
    expect(restored.cursorSecret).toEqual(catalog.cursorSecret)
    expect(restored.integrityCheck()).toEqual([])
  })

  test('that cannot be made leaves nothing behind and says so', () => {
    const { catalog, path } = openTestCatalog()
    mkdirSync(join(path, '..', 'taken'))
    expect(() => catalog.backupTo(join(path, '..', 'missing', 'copy.sqlite'))).toThrow(CommandError)
    expect(() => catalog.backupTo(join(path, '..', 'taken'))).toThrow('EISDIR')
    expect(readdirSync(join(path, '..')).filter((name) => !name.startsWith('catalog.'))).toEqual(['taken'])
  })

  test('a damaged catalog is named by the integrity check', () => {
    const { catalog, path } = openTestCatalog()
    for (let i = 0; i < 200; i++) catalog.organizations.create({ name: `Organization ${i} ${'x'.repeat(150)}` })
    catalog.close()
    const bytes = readFileSync(path)
    const at = bytes.lastIndexOf('Organization 7 ')
    // The header of the page before the text: its cells no longer add up.
    bytes.fill(0xff, Math.floor(at / 4096) * 4096 + 3, Math.floor(at / 4096) * 4096 + 7)
    writeFileSync(path, bytes)
    using damaged = openCatalog(path, { mode: 'command' })
    expect(damaged.integrityCheck().length).toBeGreaterThan(0)
    expect(damaged.quickCheck().length).toBeGreaterThan(0)
  })

  test('a checkpoint brings everything into the file, and says when a reader kept it from that', () => {
    const { catalog, openAgain } = openTestCatalog('server')
    const other = openAgain()
    catalog.organizations.create({ name: 'Acme' })
    expect(catalog.checkpoint()).toBe(true)
    other.read(() => {
      other.organizations.list()
      catalog.organizations.create({ name: 'Bolt' })
      expect(catalog.checkpoint()).toBe(false)
    })
    expect(catalog.checkpoint()).toBe(true)
  })
})
