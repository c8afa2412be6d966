import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startIcebergServer } from '../../src/http/iceberg-server.ts'
import { publishLake } from '../../src/iceberg/publish.ts'
import { PUBLISHED_TABLES } from '../../src/iceberg/tables.ts'
import { HOUR_MS, makeAnswers, openTestLake } from '../maintenance/support/lake.ts'

async function openService() {
  const lake = await openTestLake()
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-iceberg-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const log: string[] = []
  const { app } = lake
  const server = await startIcebergServer(app, {
    directory,
    host: '127.0.0.1',
    port: 0,
    log: { write: (line) => log.push(line) },
    shutdownGraceMs: 1_000,
  })
  onTestFinished(() => server.close())
  const { key, value } = app.catalog.operatorKeys.create({ name: 'trino', expiresInDays: 30, creator: 'test' })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${value}` }, ...init })
  // oxlint-disable-next-line typescript/no-explicit-any
  const read = async (path: string): Promise<any> => (await ask(path)).json()
  const publish = () => publishLake(app.change, { directory, graceMs: HOUR_MS })
  return { ...lake, directory, log, key, value, ask, read, publish }
}

test('the catalog shows the newest publication, each table with its metadata', async () => {
  const { answers, directory, read, ask, publish } = await openService()
  expect(await read('/v1/namespaces/lake/tables')).toEqual({ identifiers: [] })
  await answers(makeAnswers('A', '2026-10'))
  await publish()
  expect(await read('/v1/config?warehouse=x')).toMatchObject({ defaults: {}, overrides: {} })
  expect(await read('/v1/namespaces')).toEqual({ namespaces: [['lake']] })
  expect(await read('/v1/namespaces?parent=')).toEqual({ namespaces: [] })
  expect(await read('/v1/namespaces?parent=lake')).toEqual({ namespaces: [] })
  expect(await read('/v1/namespaces/lake')).toEqual({ namespace: ['lake'], properties: {} })
  expect(await read('/v1/namespaces/lake/tables')).toEqual({
    identifiers: PUBLISHED_TABLES.map(({ name }) => ({ namespace: ['lake'], name })),
  })
  const first = await read('/v1/namespaces/lake/tables/answers?snapshots=all')
  expect(first).toMatchObject({
    'metadata-location': `file://${directory}/answers/metadata/v1.metadata.json`,
    metadata: { 'format-version': 2, 'current-snapshot-id': 1 },
  })
  expect((await ask('/v1/namespaces/lake/tables/answers', { method: 'HEAD' })).status).toBe(204)

  await answers(makeAnswers('B', '2026-10'))
  const { publication } = await publish()
  expect((await read('/v1/namespaces/lake/tables/answers')).metadata['current-snapshot-id']).toBe(publication)
})

test('nobody without a valid operator key is told anything, and a revoked one is refused at once', async () => {
  const { app, ask, key, value, log, publish } = await openService()
  await publish()
  const { value: apiKey } = app.catalog.keys.create({
    name: 'api',
    expiresInDays: 30,
    creator: 'test',
  })
  const wrong = ['', 'Bearer ', `Bearer ${apiKey}`, `Bearer ${value.slice(0, -1)}x`, `Basic ${value}`]
  for (const authorization of wrong) {
    for (const path of ['/v1/config', '/v1/namespaces/lake/tables/answers', '/nothing']) {
      const response = await ask(path, { headers: { authorization } })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { type: 'NotAuthorizedException', code: 401 } })
    }
  }
  expect((await ask('/v1/config')).status).toBe(200)
  expect(app.catalog.keys.authenticate(value)).toBeUndefined()
  app.catalog.operatorKeys.revoke(key.id)
  expect((await ask('/v1/config')).status).toBe(401)
  expect(log.join('')).not.toContain(value)
  expect(log.some((line) => line.includes(key.id))).toBe(true)
})

test('what is not there is 404, and nothing can be changed', async () => {
  const { ask, publish, value } = await openService()
  const headers = { authorization: `Bearer ${value}` }
  await publish()
  const missing = [
    '/',
    '/v1',
    '/v2/namespaces',
    '/v1/namespaces/other',
    '/v1/namespaces/lake/tables/nothing',
    '/v1/namespaces/lake/views',
    '/v1/namespaces/lake/tables/%E0%A4%A',
    '/v1/namespaces/lake/tables/..%2f..%2fpublication.json',
    '//x',
  ]
  for (const path of missing) {
    const response = await ask(path)
    expect([path, response.status]).toEqual([path, 404])
    expect(await response.json()).toMatchObject({ error: { code: 404 } })
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const response = await ask('/v1/namespaces/lake/tables/answers', { method, body: '{}', headers })
    expect([method, response.status]).toEqual([method, 405])
  }
  expect((await ask('/v1/namespaces/lake/tables/answers')).status).toBe(200)
})
