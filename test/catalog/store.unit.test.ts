import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openOrganizations } from '../../src/catalog/organizations.ts'
import { migrate } from '../../src/catalog/migrations.ts'
import { openStore, retryWhenBusy, type CatalogMode, type Store } from '../../src/catalog/store.ts'
import { ApiError, CommandError } from '../../src/errors.ts'
import { createTestClock, createTestRandom, makeTestDir } from './support/test-catalog.ts'

function openTestStore(mode: CatalogMode, path = join(makeTestDir(), 'catalog.sqlite')): Store {
  const store = openStore(path, { clock: createTestClock(), random: createTestRandom(), mode })
  migrate(store)
  return store
}

/** Another connection in the middle of a write. */
function startWriting(path: string): { stop: () => void } {
  const db = new Database(path)
  db.exec('BEGIN IMMEDIATE')
  return { stop: () => db.close() }
}

test('every connection syncs each commit and checks foreign keys', () => {
  const { db } = openTestStore('server')
  const settings = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'cell_size_check', 'busy_timeout']
  expect(settings.map((name) => [name, db.pragma(name, { simple: true })])).toEqual([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['cell_size_check', 1],
    ['busy_timeout', 250],
  ])
  expect(openTestStore('command').db.pragma('busy_timeout', { simple: true })).toBe(30_000)
})

describe('while another process writes', () => {
  test('the server refuses a write with overloaded after a moment, and reads go on', () => {
    const store = openTestStore('server')
    const organizations = openOrganizations(store)
    const other = startWriting(store.db.name)
    const create = () => organizations.create({ name: 'Acme' })
    expect(create).toThrow(expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 1 }))
    expect(organizations.list()).toEqual([])
    other.stop()
    create()
    expect(organizations.list()).toHaveLength(1)
  })

  test('retryWhenBusy repeats a refused write until it goes through', async () => {
    const store = openTestStore('server')
    const organizations = openOrganizations(store)
    const other = startWriting(store.db.name)
    let tries = 0
    await retryWhenBusy(() => {
      tries += 1
      if (tries === 2) other.stop()
      return organizations.create({ name: 'Acme' })
    })
    expect(tries).toBe(2)
    expect(organizations.list()).toHaveLength(1)
  })

  test('retryWhenBusy gives up with overloaded, and passes every other refusal on at once', async () => {
    const store = openTestStore('server')
    startWriting(store.db.name)
    let tries = 0
    const busy = retryWhenBusy(() => {
      tries += 1
      return store.write(() => 0)
    })
    await expect(busy).rejects.toMatchObject({ code: 'overloaded' })
    expect(tries).toBe(3)
    const refusing = retryWhenBusy(() => {
      tries += 1
      throw new ApiError('prompt_limit_reached', 'no')
    })
    await expect(refusing).rejects.toMatchObject({ code: 'prompt_limit_reached' })
    expect(tries).toBe(4)
  })
})

describe('on a full disk', () => {
  const fill = (store: Store) => {
    const organizations = openOrganizations(store)
    organizations.create({ name: 'Acme' })
    store.db.pragma(`max_page_count = ${String(store.db.pragma('page_count', { simple: true }))}`)
    return () => store.write(() => Array.from({ length: 200 }, () => organizations.create({ name: 'x'.repeat(200) })))
  }

  test('the server answers storage_full, keeps nothing of the write and reads on', () => {
    const store = openTestStore('server')
    expect(fill(store)).toThrow(expect.objectContaining({ code: 'storage_full' }))
    expect(
      openOrganizations(store)
        .list()
        .map(({ name }) => name),
    ).toEqual(['Acme'])
  })

  test('a command says what to do', () => {
    const store = openTestStore('command')
    const filling = fill(store)
    expect(filling).toThrow(CommandError)
    expect(filling).toThrow(/Free disk space.*nothing was changed/)
    expect(
      openOrganizations(store)
        .list()
        .map(({ name }) => name),
    ).toEqual(['Acme'])
  })
})

describe('write', () => {
  test('inside another write is a part of it: a caught failure undoes the part alone', () => {
    const store = openTestStore('command')
    const organizations = openOrganizations(store)
    store.write(() => {
      organizations.create({ name: 'Acme' })
      const part = () =>
        store.write(() => {
          organizations.create({ name: 'Bolt' })
          throw new Error('no')
        })
      expect(part).toThrow('no')
    })
    expect(organizations.list().map(({ name }) => name)).toEqual(['Acme'])
  })
})
