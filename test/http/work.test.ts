import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Lake } from '../../src/lake/lake.ts'
import { measurePattern } from '../../src/http/patterns.ts'
import { openTestService, type TestServiceOptions } from '../support/http.ts'
import { createWorld } from '../support/world.ts'

async function open(options: TestServiceOptions = {}) {
  const service = await openTestService(options)
  onTestFinished(() => service.close())
  return { service, world: createWorld(service) }
}

/** As dear as a request may be: each expression takes RE2 a quarter of a second. */
const dear = (siteId: string) => ({
  site_id: siteId,
  start_date: '2026-11-01',
  end_date: '2026-11-01',
  filter: {
    or: Array.from({ length: 20 }, (_, index) => ({
      field: 'prompt',
      op: 'matches',
      value: `(?i)\\pL{100}${index}`,
    })),
  },
})

const toBytes = (siteId: string, key: string): string => {
  const body = JSON.stringify(dear(siteId))
  return `POST /v1/reports/visibility HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Counts the queries of requests. */
function countQueries(counts: { begun: number }) {
  return (lake: Lake): Lake => ({
    ...lake,
    under: (work) => {
      const own = lake.under(work)
      return {
        ...own,
        select: (query) => {
          counts.begun += 1
          return own.select(query)
        },
      }
    },
  })
}

describe('a request', () => {
  it('has one time for all of its work, checks of expressions too', async () => {
    const { service, world } = await open({ settings: { query_timeout: '500ms' } })
    const startedMs = performance.now()
    const { status, body } = await service.send({
      method: 'POST',
      path: '/v1/reports/visibility',
      key: world.readKey,
      body: dear(world.site.id),
    })
    expect([status, body.error.code]).toEqual([503, 'query_timeout'])
    expect(performance.now() - startedMs).toBeLessThan(2_500)
  })

  it('is given up when its client goes away', async () => {
    const counts = { begun: 0 }
    const counting = countQueries(counts)
    const { service, world } = await open({ change: (app) => ({ ...app, lake: counting(app.lake) }) })
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port) })
    socket.write(toBytes(world.site.id, world.readKey))
    await expect.poll(() => counts.begun, { interval: 5 }).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => service.log.length).toBe(1)
    const { begun } = counts
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(counts.begun).toBeLessThanOrEqual(begun + 1)
    expect(begun).toBeLessThan(15)
  })

  it('does not hold up the end of the server', async () => {
    const { service, world } = await open({ shutdownGraceMs: 200 })
    const answers = Array.from({ length: 6 }, () => service.sendRaw(toBytes(world.site.id, world.readKey)))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const startedMs = performance.now()
    await service.stop()
    await service.app.lake.close()
    expect(performance.now() - startedMs).toBeLessThan(4_000)
    await Promise.all(answers)
  })
})

it.each([
  ['abc', 0, 3],
  ['\\d{4}-\\d{2}', 4, 7],
  ['(ab){3}c', 3, 7],
  ['((a{10}){10}){10}', 10, 1_000],
  ['[a{9}]{2}\\{5}', 2, 5],
  ['x{0}y{3,}z{2,7}', 7, 11],
  ['\\pL{3}\\p{Greek}{4}', 4, 7],
  ['a){2}', 2, 3],
])('%s repeats and grows by its counts', (pattern, repetition, size) => {
  expect(measurePattern(pattern)).toEqual({ repetition, size })
})
