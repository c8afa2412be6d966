import { afterAll, beforeAll, it } from 'vitest'
import { expectReferrals } from '../support/oracle/log-reports.ts'
import { makeLogWorld } from '../support/oracle/log-world.ts'
import { makeReferralsRequests } from './support/log-requests.ts'
import { expectLogReport, type ServedLogs, serveLogs } from './support/served-logs.ts'

const world = makeLogWorld('referrals', { hits: 400, visits: 4_000 })
let served: ServedLogs
beforeAll(async () => {
  served = await serveLogs(world)
})
afterAll(() => served.close())

it('the referrals report counts as a loop over all visits does, under 340 requests', { timeout: 300_000 }, async () => {
  for (const sent of makeReferralsRequests(world, 340)) {
    await expectLogReport(served, '/v1/reports/referrals', sent, expectReferrals(world, sent.asked))
  }
})
