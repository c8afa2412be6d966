import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import type { ActorTask } from './support/actor.ts'
import { makeTestDir, openTestCatalog } from './support/test-catalog.ts'

const ACTOR = fileURLToPath(new URL('./support/actor.ts', import.meta.url))

async function runAsProcess(task: ActorTask): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [ACTOR, JSON.stringify(task)])
  return JSON.parse(stdout) as string[]
}

async function runAsThread(task: ActorTask): Promise<string[]> {
  const worker = new Worker(ACTOR, { workerData: task, stdout: true })
  const [printed] = await Promise.all([text(worker.stdout), once(worker, 'exit')])
  return JSON.parse(printed) as string[]
}

test('processes that make one catalog and write to it at once lose nothing and see no busy database', async () => {
  const path = join(makeTestDir(), 'data', 'catalog.sqlite')
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const idsOf = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}${index}`)
  const numbers = await Promise.all(
    names.map((name) =>
      runAsProcess({ path, mode: 'command', act: 'add', name, siteId: 'acme', promptIds: idsOf(name) }),
    ),
  )
  using catalog = openCatalog(path, { mode: 'command' })
  const { prompts } = catalog.prompts.list('acme')
  expect(prompts.map(({ id }) => id).toSorted()).toEqual(names.flatMap(idsOf).toSorted())
  expect(
    numbers
      .flat()
      .map(Number)
      .toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
  expect([catalog.organizations.list().length, catalog.sites.list().length]).toEqual([1, 1])
  expect(catalog.integrityCheck()).toEqual([])
})

test('the cap on active prompts is met and never exceeded when 50 requests activate at once', async () => {
  const { catalog, path } = openTestCatalog()
  const organizationId = catalog.organizations.create({ name: 'Acme', promptLimit: 20 }).id
  const siteId = catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  const ids = Array.from({ length: 50 }, (_, index) => `p${index}`)
  catalog.prompts.add(
    siteId,
    ids.map((id) => ({ id, text: `${id}?`, category: 'Brand', status: 'disabled' })),
  )
  const outcomes = await Promise.all(
    ids.map((id) => runAsThread({ path, mode: 'server', act: 'activate', name: id, siteId, promptIds: [id] })),
  )
  expect(Object.groupBy(outcomes.flat(), String)).toEqual({
    activated: Array.from({ length: 20 }, () => 'activated'),
    prompt_limit_reached: Array.from({ length: 30 }, () => 'prompt_limit_reached'),
  })
  expect(catalog.prompts.usage(organizationId)).toEqual({ limit: 20, active: 20, free: 0 })
})
