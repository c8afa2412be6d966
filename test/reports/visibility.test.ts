import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTruth } from '../support/oracle/truth.ts'
import { expectVisibility } from '../support/oracle/visibility.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { expectReport } from './support/compare.ts'
import { makeCertaintyRequests, makeVisibilityRequests, REQUESTS } from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('visibility')
const truth = readTruth(world)
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

it('imports count every record of the world', () => {
  const counted = served.results.map(({ imported, duplicates, no_answer, citations_dropped, rejections }) => ({
    imported,
    duplicates,
    no_answer,
    citations_dropped,
    rejections,
  }))
  expect(counted).toEqual(truth.counts.map((count) => ({ ...count, rejections: [] })))
  expect(
    served.app.catalog.competitors.list(world.site.id).map(({ name, confirmed }) => ({ name, confirmed })),
  ).toEqual(truth.brands.slice(1).map(({ name, isConfirmed }) => ({ name, confirmed: isConfirmed })))
})

it(`the visibility report counts as a loop over all answers does, under ${REQUESTS} requests`, async () => {
  for (const sent of makeVisibilityRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/visibility', sent, expectVisibility(truth, sent.asked))
  }
}, 300_000)

it(`says how sure the numbers are as leaving out each cluster in turn does, under ${REQUESTS} requests`, async () => {
  for (const sent of makeCertaintyRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/visibility', sent, expectVisibility(truth, sent.asked))
  }
}, 300_000)
