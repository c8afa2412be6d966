import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dataset } from '../../src/domain/manifest.ts'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'
import { makeAnswers } from './support/lake.ts'

let service: TestService
let world: World

beforeEach(async () => {
  service = await openTestService()
  world = createWorld(service)
  for (const prefix of ['A', 'B']) await importRecords(prefix)
})
afterEach(() => service.close())

async function importRecords(prefix: string): Promise<void> {
  const path = join(service.dataDir, `${prefix}.ndjson`)
  writeFileSync(
    path,
    makeAnswers(prefix, '2026-10')
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  )
  await importAnswers(service.app.change, {
    site: world.site,
    files: [path],
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: true,
    discoverMin: 1_000,
  })
}

const RANGE = { start_date: '2026-10-01', end_date: '2026-10-31' }
const ask = (path: string, body: object = {}) =>
  service.send({ method: 'POST', path, key: world.readKey, body: { site_id: world.site.id, ...RANGE, ...body } })

function findPath(dataset: Dataset): string {
  const { manifest } = service.app.catalog
  const files = manifest.listFiles(world.site.id, manifest.currentSnapshot(world.site.id))
  return join(service.app.change.lakeDir, files.find((file) => file.dataset === dataset)!.path)
}

test('a damaged file fails the reports that need it, by 503 and with its path in the log, and no others', async () => {
  const path = findPath('citations')
  const original = readFileSync(path)
  writeFileSync(
    path,
    original.map((byte, index) => (index === 60 ? byte ^ 16 : byte)),
  )
  const refused = await ask('/v1/reports/citations', { entity: 'domain' })
  expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([
    503,
    'data_unavailable',
    '60',
  ])
  expect(refused.text).not.toContain('.parquet')
  expect(service.log.at(-1)).toContain(path)
  expect((await ask('/v1/reports/sentiment')).status).toBe(200)
  writeFileSync(path, original)
  expect((await ask('/v1/reports/citations', { entity: 'domain' })).status).toBe(200)
})

test('a missing file does too, also for a page that was answered before', async () => {
  const first = await ask('/v1/reports/sentiment')
  expect(first.status).toBe(200)
  rmSync(findPath('answers'))
  const again = await ask('/v1/reports/sentiment')
  expect([again.status, again.body.error.code]).toEqual([503, 'data_unavailable'])
})

test('a walk goes on over older files after a compaction, and ends with 410 once they are collected', async () => {
  const first = await ask('/v1/answers', { limit: 2 })
  const cursor: string = first.body.info.next_cursor
  await compactLake(service.app.change, { isThorough: true })
  const second = await ask('/v1/answers', { limit: 2, cursor })
  expect([second.status, second.body.info.total_results]).toEqual([200, first.body.info.total_results])
  await collectGarbage(service.app.change, { graceMs: 0 })
  const third = await ask('/v1/answers', { limit: 2, cursor: second.body.info.next_cursor })
  expect([third.status, third.body.error.code]).toEqual([410, 'cursor_expired'])
  expect((await ask('/v1/answers', { limit: 2 })).body.data).toEqual(first.body.data)
})

test('a report whose files are collected under its hands answers from those that took their place', async () => {
  const { lake, change } = service.app
  const whole = await ask('/v1/answers', { limit: 50 })
  const under = lake.under.bind(lake)
  let disturbed = 0
  Object.assign(lake, {
    under(work: Parameters<typeof under>[0]) {
      const bound = under(work)
      return {
        ...bound,
        // What another process may do between a report's look at the manifest and its reading.
        ensureIntact: async (files: Parameters<typeof bound.ensureIntact>[0]) => {
          if (disturbed++ === 0) {
            await compactLake(change, { isThorough: true })
            await collectGarbage(change, { graceMs: 0 })
          }
          return bound.ensureIntact(files)
        },
      }
    },
  })
  const answered = await ask('/v1/answers', { limit: 49 })
  expect([answered.status, disturbed]).toEqual([200, 2])
  expect(answered.body.data).toEqual(whole.body.data)
})
