import { afterAll, beforeAll, it } from 'vitest'
import { expectSearches } from '../support/oracle/searches.ts'
import { readTruth } from '../support/oracle/truth.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { expectReport } from './support/compare.ts'
import { makeSearchesRequests, REQUESTS } from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('searches')
const truth = readTruth(world)
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

it(`the searches report counts as a loop over all answers does, under ${REQUESTS} requests`, async () => {
  for (const sent of makeSearchesRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/searches', sent, expectSearches(truth, sent.asked))
  }
}, 300_000)
