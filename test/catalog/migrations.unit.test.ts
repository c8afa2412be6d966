import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { migrate, MIGRATIONS, SCHEMA_VERSION, schemaVersion } from '../../src/catalog/migrations.ts'
import { openStore, type Store } from '../../src/catalog/store.ts'
import { CommandError } from '../../src/errors.ts'
import { createTestClock, createTestRandom, makeTestDir, openTestCatalog } from './support/test-catalog.ts'

const FIRST = 'CREATE TABLE colours (name TEXT NOT NULL) STRICT'
const SECOND = `ALTER TABLE colours ADD COLUMN tone TEXT NOT NULL DEFAULT 'dark'`

function openTestStore(path = join(makeTestDir(), 'catalog.sqlite')): Store {
  return openStore(path, { clock: createTestClock(), random: createTestRandom(), mode: 'command' })
}

const copiesOf = (store: Store) => readdirSync(join(store.db.name, '..')).filter((name) => name.includes('.bak-'))

describe('migrate', () => {
  test('brings an empty catalog to the newest version, without a copy of nothing', () => {
    const store = openTestStore()
    migrate(store)
    expect(schemaVersion(store)).toBe(SCHEMA_VERSION)
    expect(SCHEMA_VERSION).toBe(MIGRATIONS.length)
    expect(copiesOf(store)).toEqual([])
  })

  test('brings an older catalog up with its rows, after copying it', () => {
    const store = openTestStore()
    migrate(store, [FIRST])
    store.db.exec(`INSERT INTO colours VALUES ('blue')`)
    migrate(store, [FIRST, SECOND])
    expect(store.db.prepare('SELECT * FROM colours').all()).toEqual([{ name: 'blue', tone: 'dark' }])
    expect(copiesOf(store)).toEqual(['catalog.sqlite.bak-v1'])
    const copy = new Database(`${store.db.name}.bak-v1`, { readonly: true })
    expect(copy.pragma('user_version', { simple: true })).toBe(1)
    expect(copy.prepare('SELECT * FROM colours').all()).toEqual([{ name: 'blue' }])
  })

  test('does nothing to a catalog of today', () => {
    const store = openTestStore()
    migrate(store)
    const before = store.db.prepare('SELECT * FROM sqlite_schema').all()
    migrate(store)
    expect(store.db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before)
    expect(copiesOf(store)).toEqual([])
  })

  test('a step that fails leaves the version before it whole', () => {
    const store = openTestStore()
    const failing = `${SECOND}; INSERT INTO colours VALUES (NULL, 'light')`
    migrate(store, [FIRST])
    expect(() => migrate(store, [FIRST, failing])).toThrow('NOT NULL constraint failed')
    expect(schemaVersion(store)).toBe(1)
    migrate(store, [FIRST, SECOND])
    expect(schemaVersion(store)).toBe(2)
  })

  test('a step that another process made meanwhile is not made again', () => {
    const store = openTestStore()
    const other = openTestStore(store.db.name)
    migrate(store, [FIRST])
    const steps = [FIRST, SECOND]
    // The other one upgrades when this one has already decided to.
    store.random.bytes = (count) => {
      migrate(other, steps)
      return new Uint8Array(count)
    }
    migrate(store, steps)
    expect(store.db.prepare('SELECT * FROM colours').all()).toEqual([])
    expect([schemaVersion(store), schemaVersion(other)]).toEqual([2, 2])
  })

  test('a newer catalog is refused unchanged, with what to do', () => {
    const { catalog, path } = openTestCatalog()
    catalog.organizations.create({ name: 'Acme' })
    catalog.close()
    const newer = openTestStore(path)
    newer.db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    newer.db.close()
    const opening = () => openCatalog(path, { mode: 'server' })
    expect(opening).toThrow(CommandError)
    expect(opening).toThrow(
      `${path} has schema version ${SCHEMA_VERSION + 1}; this answerlake knows versions up to ${SCHEMA_VERSION}. ` +
        'Install the newer answerlake that wrote it, or restore a backup made before the upgrade.',
    )
    const after = openTestStore(path)
    expect(after.db.prepare('SELECT name FROM organizations').pluck().all()).toEqual(['Acme'])
    expect(schemaVersion(after)).toBe(SCHEMA_VERSION + 1)
  })
})

test('cards that are there get the days in which they were found: up to the newest answer, or to the day they were made', () => {
  const store = openTestStore()
  migrate(store, MIGRATIONS.slice(0, 5))
  store.db.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO scans VALUES ('s1', '2026-11-15', 'chatgpt', '[]', 1, 0), ('s1', '2026-11-14', 'claude', '[]', 1, 0);
  `)
  const insert = store.db.prepare(`
    INSERT INTO cards (id, site_id, rule, identity, title, why, detail, category, impact, effort, target_metric, kind,
      target_prompts, target_platforms, target_url, status, created_at, updated_at)
    VALUES (?, ?, 'r', ?, 't', 'w', 'd', 'content', 'Low', 'low', 'mention', 'one_off', '[]', '[]', '', 'open', ?, ?)`)
  const made = { late: ['s1', '2026-11-20'], early: ['s1', '2026-10-01'], unasked: ['s2', '2026-11-20'] } as const
  for (const [id, [site, day]] of Object.entries(made)) {
    insert.run(id, site, id, `${day}T07:00:00.000Z`, `${day}T07:00:00.000Z`)
  }
  migrate(store, MIGRATIONS.slice(0, 6))
  expect(store.db.prepare('SELECT id, found_from, found_to FROM cards ORDER BY id').all()).toEqual([
    { id: 'early', found_from: '2026-09-04', found_to: '2026-10-01' },
    { id: 'late', found_from: '2026-10-19', found_to: '2026-11-15' },
    { id: 'unasked', found_from: '2026-10-24', found_to: '2026-11-20' },
  ])
})
