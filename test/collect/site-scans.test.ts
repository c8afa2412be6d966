import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../src/app.ts'
import type { SchedulerEvent } from '../../src/collect/scheduler.ts'
import { parseConfig } from '../../src/config.ts'
import { run } from '../cli/support/run.ts'
import type { Script } from './engines/script.ts'
import { secretEnvironment, TEST_SECRETS } from './engines/secrets.ts'
import { setUpScan } from './support/scan-stage.ts'

const clock = { now: () => Date.parse('2026-11-20T05:00:00Z') }

/** Three prompts and one target, in a server that people begin scans through. */
async function makeStage(script: Script = {}, environment = secretEnvironment()) {
  const stage = await setUpScan(
    {
      prompts: 3,
      targets: [{ engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' }],
      samples: 1,
      concurrency: 1,
      usdDay: 100,
    },
    script,
  )
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const path = join(stage.data, 'scan.json')
  const configure = (change: object): void =>
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...change }))
  const config = parseConfig({ dataDir: stage.data, environment: {} }, {}, '')
  const app = await openApp(config, { mode: 'server', clock, environment })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const events: SchedulerEvent[] = []
  app.scans.watch((event) => void events.push(event))
  const site = app.catalog.sites.get('acme.com')
  const look = async () => {
    const looked = await app.scans.look(site)
    if ('why' in looked) throw new Error(looked.why)
    return looked.look
  }
  const whyNot = async () => {
    const looked = await app.scans.look(site)
    return 'why' in looked ? looked.why : undefined
  }
  const bought = () => stage.engines.ledger.entries.filter((entry) => entry.bought).length
  return { ...stage, app, site, events, look, whyNot, configure, path, bought }
}

async function until(condition: () => boolean): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!condition()) {
    if (performance.now() > endMs) throw new Error('it did not come true within 20 seconds')
    await pause(10)
  }
}

test('a look tells targets, cost and budget as the command line does, before and after a scan', async () => {
  const { app, site, events, look, data, bought, configure } = await makeStage()
  configure({ schedules: [{ site: 'acme', cron: '0 6 * * *' }] })
  const { stdout } = await run(['scan', 'plan', '--site', 'acme.com', '--json', '--data-dir', data], {
    clock,
    environment: secretEnvironment(),
  })
  const planned = JSON.parse(stdout) as { cost_usd_low: number; cost_usd_high: number; minutes: number; budget: object }
  const before = await look()
  const { cost_usd_low, cost_usd_high } = planned
  expect(before).toMatchObject({
    targets: [{ id: 'chatgpt', provider_name: 'OpenAI', problem: null, planned_calls: 3, open: { calls: 3 } }],
    plan: {
      date: '2026-11-20',
      calls: 3,
      made: 0,
      minutes: planned.minutes,
      budget: planned.budget,
      open: { calls: 3, cost_usd_low, cost_usd_high },
    },
    schedules: [{ cron: '0 6 * * *', zone: 'UTC', next_at: '2026-11-20T06:00:00.000Z' }],
    running: null,
    runs: [],
    last: null,
  })
  expect(cost_usd_high).toBeGreaterThan(cost_usd_low)
  const runId = await app.scans.begin(site)
  await until(() => events.length === 2)
  expect(events).toMatchObject([
    { kind: 'began', site: 'acme.com' },
    { kind: 'ended', scan: { result: { runId } } },
  ])
  expect(bought()).toBe(3)
  const after = await look()
  expect(after).toMatchObject({
    plan: { calls: 3, made: 3, open: { calls: 0, cost_usd_low: 0, cost_usd_high: 0 } },
    running: null,
    runs: [{ id: runId, date: '2026-11-20', status: 'complete' }],
    last: { date: '2026-11-20', targets: [{ id: 'chatgpt', calls: 3, answered: 3, failed: 0, reasons: [] }] },
  })
  expect(after.plan.budget?.spent_usd_day).toBe(after.runs[0]?.cost_usd)
  expect(after.plan.budget?.spent_usd_day).toBeGreaterThan(0)
})

test('one scan of a site runs at a time, and a look shows how far it is', async () => {
  const { app, site, look, bought, engines, events } = await makeStage({ latencyMs: 300 })
  const [first, second] = await Promise.allSettled([app.scans.begin(site), app.scans.begin(site)])
  expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  expect([first, second].find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: 'A scan of acme.com runs already. Wait for its end.' },
  })
  await until(() => engines.ledger.entries.length === 2)
  const { running, plan } = await look()
  expect(running).toMatchObject({ status: 'running', date: '2026-11-20', ended_at: null })
  expect(plan.open.calls).toBeLessThan(3)
  await until(() => events.some(({ kind }) => kind === 'ended'))
  expect(bought()).toBe(3)
})

test('what is noted with a run stands and falls with it', async () => {
  const { app, site, events, bought, look } = await makeStage()
  const refuse = (): void => {
    throw new Error('it cannot be noted')
  }
  await expect(app.scans.begin(site, { noteBegun: refuse })).rejects.toThrow('it cannot be noted')
  expect([(await look()).runs, events, bought()]).toEqual([[], [], 0])
  const noted: (string | undefined)[] = []
  const noteBegun = (runId: string): void => void noted.push(app.catalog.scanRuns.find(runId)?.id)
  expect([await app.scans.begin(site, { noteBegun })]).toEqual(noted)
  await until(() => events.length === 2)
})

test('the budget of the run and that of the day hold, and what they left is open', async () => {
  const { app, site, look, events, bought, configure } = await makeStage()
  const price = (await look()).targets[0]?.open
  const runMicros = Math.ceil(((price?.cost_usd_high ?? 0) / 3) * 1_000_000)
  await app.scans.begin(site, { runMicros })
  await until(() => events.length === 2)
  const first = bought()
  expect(first).toBeGreaterThanOrEqual(1)
  expect(first).toBeLessThan(3)
  expect(await look()).toMatchObject({
    plan: { made: first, open: { calls: 3 - first } },
    runs: [{ status: 'partial' }],
    last: { targets: [{ skipped_budget: 3 - first, reasons: [{ status: 'skipped_budget', calls: 3 - first }] }] },
  })
  configure({ budget: undefined })
  await expect(app.scans.begin(site)).rejects.toThrow('There is no budget for chatgpt')
  await app.scans.begin(site, { runMicros: 100_000_000 })
  await until(() => bought() === 3)
})

test('the end of the server begins no further call and waits for those under way', async () => {
  const { app, site, look, bought, engines } = await makeStage({ latencyMs: 400 })
  await app.scans.begin(site)
  await until(() => engines.ledger.entries.length === 1)
  await app.scans.stop(10_000)
  expect(bought()).toBe(1)
  expect(await look()).toMatchObject({ running: null, plan: { made: 1, open: { calls: 2 } } })
  await expect(app.scans.begin(site)).rejects.toThrow('about to stop')
})

test('the end of the server gives up what takes longer than the grace', async () => {
  const { app, site, look, engines } = await makeStage({ latencyMs: 20_000 })
  await app.scans.begin(site)
  await until(() => engines.ledger.entries.length === 1)
  const startedMs = performance.now()
  await app.scans.stop(100)
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  expect(await look()).toMatchObject({ last: { targets: [{ uncertain: 1, planned: 2 }] } })
})

test('what keeps a scan from its work is told without places of the machine, and no secret is', async () => {
  const environment = { ANSWERLAKE_SECRET_OPENAI_FILE: '/run/secrets/openai.key' }
  const { app, site, look, whyNot, path, data, bought } = await makeStage({}, environment)
  const before = await look()
  expect(before).toMatchObject({
    targets: [
      {
        id: 'chatgpt',
        problem: 'the secret for openai, ANSWERLAKE_SECRET_OPENAI, cannot be used: there is no such file',
        planned_calls: 0,
      },
    ],
    plan: { calls: 0, cannot: [{ target: 'chatgpt', prompts: 3 }] },
  })
  await expect(app.scans.begin(site)).rejects.toThrow(/^Nothing can be asked for acme\.com: chatgpt: the secret/)
  writeFileSync(path, '{"samples": 99}')
  expect(await whyNot()).toBe(
    'scan.json cannot be used; correct this and run the command again:\nsamples: Use at most 10.',
  )
  await expect(app.scans.begin(site)).rejects.toThrow(/^scan\.json cannot be used/)
  rmSync(path)
  expect(await whyNot()).toBe('The data directory has no scan.json, so nobody is asked.')
  await expect(app.scans.begin(site)).rejects.toThrow(/^No targets are configured/)
  const told = JSON.stringify([before, await app.scans.begin(site).catch(String)])
  for (const hidden of [data, '/run/secrets', ...Object.values(TEST_SECRETS)]) expect(told).not.toContain(hidden)
  expect(bought()).toBe(0)
})
