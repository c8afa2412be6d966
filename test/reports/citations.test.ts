import { afterAll, beforeAll, it } from 'vitest'
import { expectCitations } from '../support/oracle/citations.ts'
import { readTruth } from '../support/oracle/truth.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { expectReport } from './support/compare.ts'
import { makeCitationsRequests } from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('citations')
const truth = readTruth(world)
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

it('the citations report counts as a loop over all answers does, under 310 requests', async () => {
  for (const sent of makeCitationsRequests(world, 310)) {
    await expectReport(served, '/v1/reports/citations', sent, expectCitations(truth, sent.asked))
  }
}, 300_000)
