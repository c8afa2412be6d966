import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestCatalog } from './support/test-catalog.ts'

test('other processes see where the dashboard is shown, until the server leaves', () => {
  const { catalog, clock, openAgain } = openTestCatalog('server')
  const command = openAgain('command')
  expect(command.servedOrigins.list()).toEqual([])
  const first = catalog.servedOrigins.enter('http://127.0.0.1:9000')
  clock.nowMs += 1
  const second = openAgain('server').servedOrigins.enter('https://lake.acme.com')
  clock.nowMs += 1
  const third = openAgain('server').servedOrigins.enter('https://lake.acme.com')
  expect(command.servedOrigins.list()).toEqual([
    'https://lake.acme.com',
    'https://lake.acme.com',
    'http://127.0.0.1:9000',
  ])
  second.leave()
  first.leave()
  expect(command.servedOrigins.list()).toEqual(['https://lake.acme.com'])
  third.leave()
  expect(command.servedOrigins.list()).toEqual([])
})

test('a server that died shows nothing, and other leases are no servers', () => {
  const { catalog, path } = openTestCatalog()
  catalog.leases.tryAcquire('dashboards of another kind')
  expect(catalog.servedOrigins.list()).toEqual([])
  const before = new Set(readdirSync(join(dirname(path), 'locks')))
  catalog.servedOrigins.enter('http://127.0.0.1:9000')
  const lock = readdirSync(join(dirname(path), 'locks')).find((name) => !before.has(name))!
  expect(catalog.servedOrigins.list()).toEqual(['http://127.0.0.1:9000'])
  rmSync(join(dirname(path), 'locks', lock))
  expect(catalog.servedOrigins.list()).toEqual([])
  expect(catalog.leases.sweep()).toBe(0)
})
