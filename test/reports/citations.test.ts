import { afterAll, beforeAll, it } from 'vitest'
import { expectCitations } from '../support/oracle/citations.ts'
import { readTruth } from '../support/oracle/truth.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { SHORT_NUMBER_MAX } from '../../src/limits.ts'
import { expectReport } from './support/compare.ts'
import { makeCitationsRequests, REQUESTS } from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('citations')
const truth = readTruth(world)
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

it(`the citations report counts as a loop over all answers does, under ${REQUESTS} requests`, async () => {
  for (const sent of makeCitationsRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/citations', sent, expectCitations(truth, sent.asked))
  }
}, 300_000)

it('the citations report counts domains as exactly where a host has a number beyond 16 bits', async () => {
  const smaller = makeWorld('numbers of hosts', { share: 0.05 })
  const counted = readTruth(smaller)
  const numbered = await serveWorld(smaller, { firstHostNo: SHORT_NUMBER_MAX - 3 })
  try {
    const requests = makeCitationsRequests(smaller, 40).filter(({ asked }) => asked.entity === 'domain')
    for (const sent of requests) {
      await expectReport(numbered, '/v1/reports/citations', sent, expectCitations(counted, sent.asked))
    }
  } finally {
    await numbered.close()
  }
}, 300_000)
