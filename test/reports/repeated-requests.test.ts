import { afterAll, beforeAll, expect, it } from 'vitest'
import { SENTIMENT_METRICS } from '../../src/reports/sentiment/contract.ts'
import { VISIBILITY_METRICS } from '../../src/reports/visibility/contract.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const REPEATS = 12
const LEAST = 30

const world = makeWorld('repeated requests', { morePrompts: 40 })
const range = { start_date: world.days[0]!, end_date: world.days.at(-1)! }
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world, { queryThreads: 2 })
})
afterAll(() => served.close())

it.each([
  ['/v1/reports/visibility', { group_by: ['prompt'], brands: 'all', metrics: VISIBILITY_METRICS }],
  ['/v1/reports/visibility', { group_by: ['platform'], brands: 'all', metrics: VISIBILITY_METRICS }],
  ['/v1/reports/sentiment', { group_by: ['prompt'], metrics: SENTIMENT_METRICS }],
])('%s gives the same digits to the same request, however many threads compute it: %o', async (path, body) => {
  const replies = new Set<string>()
  // A page of another length is computed anew.
  for (let limit = LEAST; limit < LEAST + REPEATS; limit++) {
    const { status, body: reply } = await served.ask(path, { ...range, ...body, limit })
    expect([status, reply.data.length >= LEAST]).toEqual([200, true])
    replies.add(JSON.stringify(reply.data.slice(0, LEAST)))
  }
  expect([...replies]).toHaveLength(1)
})
