import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { writePatiently } from '../../src/collect/patience.ts'
import { openTestCatalog } from '../catalog/support/test-catalog.ts'

test('a write waits for another writer for longer than a server does', async () => {
  const { catalog, path } = openTestCatalog('server')
  const other = new Database(path)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  let tries = 0
  const create = () => {
    tries += 1
    if (tries === TRIES) other.exec('ROLLBACK')
    return catalog.organizations.create({ name: 'Acme' })
  }
  await writePatiently(catalog, create)
  expect([tries, catalog.organizations.list().length]).toEqual([TRIES, 1])
})

/** More than `whenFree` makes before it gives up. */
const TRIES = 60

test('a write of an organization that is being moved is refused at its first try', async () => {
  const { catalog } = openTestCatalog('server')
  const { id } = catalog.organizations.create({ name: 'Acme' })
  catalog.moves.stop(id)
  let tries = 0
  const rename = () => {
    tries += 1
    return catalog.organizations.set(id, { promptLimit: 1 })
  }
  const moving = { code: 'overloaded', message: expect.stringMatching(/is moving/), retryAfterSeconds: 60 }
  await expect(writePatiently(catalog, rename)).rejects.toMatchObject(moving)
  await expect(catalog.whenFree(rename)).rejects.toMatchObject(moving)
  expect(tries).toBe(2)
})
