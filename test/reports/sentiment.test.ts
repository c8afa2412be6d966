import { afterAll, beforeAll, it } from 'vitest'
import { expectSentiment } from '../support/oracle/sentiment.ts'
import { readTruth } from '../support/oracle/truth.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { expectReport } from './support/compare.ts'
import { makeSentimentRequests, REQUESTS } from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('sentiment')
const truth = readTruth(world)
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

it(`the sentiment report counts as a loop over all answers does, under ${REQUESTS} requests`, async () => {
  for (const sent of makeSentimentRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/sentiment', sent, expectSentiment(truth, sent.asked))
  }
}, 300_000)
