import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectBots } from '../support/oracle/log-reports.ts'
import { makeLogWorld } from '../support/oracle/log-world.ts'
import { makeBotsRequests } from './support/log-requests.ts'
import { expectLogReport, type ServedLogs, serveLogs } from './support/served-logs.ts'

const world = makeLogWorld('bots')
let served: ServedLogs
beforeAll(async () => {
  served = await serveLogs(world)
})
afterAll(() => served.close())

it('imports count every line once', () => {
  const lines = world.imports.flat(2).length
  const sum = (key: 'lines' | 'bot_hits' | 'visits' | 'ignored' | 'rejected'): number =>
    served.results.reduce((total, result) => total + result[key], 0)
  expect({
    lines: sum('lines'),
    bot_hits: sum('bot_hits'),
    visits: sum('visits'),
    ignored: sum('ignored'),
    rejected: sum('rejected'),
  }).toEqual({
    lines,
    bot_hits: world.hits.length,
    visits: world.visits.length,
    ignored: lines - world.hits.length - world.visits.length,
    rejected: 0,
  })
})

it('the bots report counts as a loop over all hits does, under 420 requests', { timeout: 300_000 }, async () => {
  for (const sent of makeBotsRequests(world, 420)) {
    await expectLogReport(served, '/v1/reports/bots', sent, expectBots(world, sent.asked))
  }
})

it('counts the same on a site with too many paths for sets of bits', { timeout: 120_000 }, async () => {
  served.service.app.catalog.sites.setCounter('logs', 'path_no', 2_000_000_000)
  for (const sent of makeBotsRequests(world, 460).slice(400)) {
    await expectLogReport(served, '/v1/reports/bots', sent, expectBots(world, sent.asked))
  }
})
