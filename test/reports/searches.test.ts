import { afterAll, beforeAll, it } from 'vitest'
import { expectSearches } from '../support/oracle/searches.ts'
import { readTruth } from '../support/oracle/truth.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { expectReport } from './support/compare.ts'
import { makeSearchesRequests } from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('searches')
const truth = readTruth(world)
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

it('the searches report counts as a loop over all answers does, under 310 requests', async () => {
  for (const sent of makeSearchesRequests(world, 310)) {
    await expectReport(served, '/v1/reports/searches', sent, expectSearches(truth, sent.asked))
  }
}, 300_000)
