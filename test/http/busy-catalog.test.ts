import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { openTestService } from '../support/http.ts'
import { createWorld } from '../support/world.ts'

it('writes that wait for another process hold nobody up', async () => {
  const service = await openTestService()
  onTestFinished(() => service.close())
  const world = createWorld(service)
  const writer = new Database(join(service.dataDir, 'catalog.sqlite'))
  onTestFinished(() => void writer.close())
  const change = () =>
    service.send({
      method: 'PATCH',
      path: `/v1/sites/${world.site.id}/prompts/status`,
      key: world.writeKey,
      body: { prompt_ids: [world.promptIds[0]], status: 'disabled' },
    })
  await service.send({ path: '/healthz' })
  writer.exec('BEGIN IMMEDIATE')
  const changes = Array.from({ length: 10 }, change)
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    const startedMs = performance.now()
    await service.send({ path: '/healthz' })
    waits.push(performance.now() - startedMs)
  }
  writer.exec('COMMIT')
  expect(Math.max(...waits)).toBeLessThan(240)
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200))
  writer.exec('BEGIN IMMEDIATE')
  const { status, body } = await change()
  expect([status, body.error.code]).toEqual([503, 'overloaded'])
})
