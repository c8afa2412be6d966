import { afterAll, beforeAll, it } from 'vitest'
import { expectAnswers } from '../support/oracle/answers.ts'
import { readTruth } from '../support/oracle/truth.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { expectReport } from './support/compare.ts'
import { makeAnswersRequests, REQUESTS } from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('answers')
const truth = readTruth(world)
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

it(`the answers report counts as a loop over all answers does, under ${REQUESTS} requests`, async () => {
  for (const sent of makeAnswersRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/answers', sent, expectAnswers(truth, sent.asked))
  }
}, 300_000)
