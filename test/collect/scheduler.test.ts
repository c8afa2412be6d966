import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type App, openApp } from '../../src/app.ts'
import { type Scheduler, type SchedulerEvent, startScheduler } from '../../src/collect/scheduler.ts'
import { parseConfig } from '../../src/config.ts'
import { run } from '../cli/support/run.ts'
import type { Script } from './engines/script.ts'
import { secretEnvironment } from './engines/secrets.ts'
import { setUpScan } from './support/scan-stage.ts'

const environment = secretEnvironment()
const at = (text: string): number => Date.parse(`2026-11-${text}Z`)

/** A data directory with three prompts and one target, scanned at five o'clock, and a clock that is set by hand. */
async function makeStage(script: Script = {}) {
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
  configure({ schedules: [{ site: 'acme.com', cron: '0 5 * * *' }] })
  const clock = { ms: at('20T04:00:00'), now: () => clock.ms }
  const open = async (): Promise<App> => {
    const app = await openApp(parseConfig({ dataDir: stage.data, environment: {} }, {}, ''), { mode: 'server', clock })
    onTestFinished(() => app[Symbol.asyncDispose]())
    return app
  }
  const start = (app: App): { scheduler: Scheduler; events: SchedulerEvent[] } => {
    const events: SchedulerEvent[] = []
    const { change, config } = app
    const log = (event: SchedulerEvent): void => void events.push(event)
    const scheduler = startScheduler({ change, config, environment, log, pollMs: 20 })
    onTestFinished(() => scheduler.stop(0))
    return { scheduler, events }
  }
  const bought = () => stage.engines.ledger.entries.filter((entry) => entry.bought).length
  return { ...stage, clock, open, start, configure, bought, path }
}

async function until(condition: () => boolean): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!condition()) {
    if (performance.now() > endMs) throw new Error('it did not come true within 20 seconds')
    await pause(10)
  }
}

/** Long enough for several looks at the schedules. */
const someLooks = () => pause(200)
const kinds = (events: readonly SchedulerEvent[]) => events.map(({ kind }) => kind)

test('a scan begins when it is due, once, and what was slept through is made up for once', async () => {
  const { clock, open, start, bought } = await makeStage()
  const { events } = start(await open())
  await someLooks()
  expect(events).toEqual([])
  clock.ms = at('20T05:00:00')
  await until(() => events.length === 2)
  expect(kinds(events)).toEqual(['began', 'ended'])
  expect(bought()).toBe(3)
  clock.ms = at('20T23:00:00')
  await someLooks()
  expect(events).toHaveLength(2)
  // The machine sleeps for two days and wakes in the evening.
  clock.ms = at('22T20:00:00')
  await until(() => events.length === 4)
  await someLooks()
  expect(kinds(events)).toEqual(['began', 'ended', 'began', 'ended'])
  expect(bought()).toBe(6)
})

test('a server that starts after the time makes up for it, unless the site was scanned since', async () => {
  const { clock, open, start, bought } = await makeStage()
  clock.ms = at('20T09:00:00')
  const app = await open()
  const first = start(app)
  await until(() => first.events.length === 2)
  await first.scheduler.stop(0)
  clock.ms = at('20T10:00:00')
  const second = start(app)
  await someLooks()
  expect(second.events).toEqual([])
  expect(bought()).toBe(3)
})

test('a server that starts again goes on with the scan that was stopped in the midst of its work', async () => {
  const { clock, open, start, bought, engines } = await makeStage({ latencyMs: 400 })
  clock.ms = at('20T05:00:00')
  const app = await open()
  const first = start(app)
  await until(() => engines.ledger.entries.length === 1)
  await first.scheduler.stop(10_000)
  expect(bought()).toBe(1)
  clock.ms = at('20T05:10:00')
  const second = start(app)
  await until(() => second.events.length === 2)
  expect(second.events[1]).toMatchObject({ kind: 'ended', scan: { result: { answered: 2, left: 0 } } })
  expect(bought()).toBe(3)
})

test('of several servers on a data directory one scans, and another takes over when it stops', async () => {
  const { clock, open, start, bought } = await makeStage()
  const servers = [start(await open()), start(await open()), start(await open())]
  clock.ms = at('20T05:00:00')
  await until(() => servers.some(({ events }) => events.length === 2))
  await someLooks()
  const leader = servers.filter(({ events }) => events.length > 0)
  expect(leader).toHaveLength(1)
  expect(bought()).toBe(3)
  await leader[0]?.scheduler.stop(0)
  clock.ms = at('21T05:00:00')
  await until(() => servers.some((server) => server !== leader[0] && server.events.length === 2))
  expect(bought()).toBe(6)
})

test('a scan that cannot start is told once, and scan status and doctor say it', async () => {
  const { clock, open, start, configure, data, bought } = await makeStage()
  configure({ budget: undefined })
  const { events } = start(await open())
  clock.ms = at('20T05:00:00')
  await until(() => events.some(({ kind }) => kind === 'not_begun'))
  await someLooks()
  const failed = events.filter((event) => event.kind === 'not_begun')
  expect(failed).toMatchObject([
    { site: 'acme.com', reason: expect.stringContaining('There is no budget for chatgpt') },
  ])
  expect(bought()).toBe(0)
  const status = await run(['scan', 'status', '--data-dir', data], { clock })
  expect(status.stdout).toMatch(/^acme\.com, 2026-11-20: could not start at 2026-11-20 05:00 UTC: There is no budget/)
  const doctor = await run(['doctor', '--data-dir', data], { clock, environment })
  expect(doctor.stdout).toMatch(/^warning +scans +acme\.com: 2026-11-20 failed: There is no budget/m)
})

test('a change of scan.json counts at once; one that cannot be used is told, and the schedules go on', async () => {
  const { clock, open, start, configure, path } = await makeStage()
  const { events } = start(await open())
  configure({
    schedules: [
      { site: 'acme.com', cron: '0 4 * * *' },
      { site: 'other.com', cron: '0 4 * * *' },
    ],
  })
  await until(() => events.length === 3)
  expect(events).toMatchObject([
    { kind: 'began', site: 'acme.com' },
    { kind: 'ended', site: 'acme.com', scan: { result: { calls: 3 } } },
    { kind: 'not_begun', site: 'other.com', reason: expect.stringContaining('other.com') },
  ])
  writeFileSync(path, '{"targets": [')
  await until(() => events.length === 4)
  await someLooks()
  expect(events[3]).toMatchObject({
    kind: 'not_begun',
    site: undefined,
    reason: expect.stringContaining('no valid JSON'),
  })
  clock.ms = at('21T04:00:00')
  await until(() => events.length === 6)
  expect(events[4]).toMatchObject({
    kind: 'not_begun',
    site: 'acme.com',
    reason: expect.stringContaining('no valid JSON'),
  })
})

test('stopping begins no further call; those under way end within the grace, or are uncertain', async () => {
  const { clock, open, start, engines, data } = await makeStage({ latencyMs: 400 })
  clock.ms = at('20T05:00:00')
  const app = await open()
  const patient = start(app)
  await until(() => engines.ledger.entries.length === 1)
  await patient.scheduler.stop(10_000)
  const statusOf = async () => {
    const { stdout } = await run(['scan', 'status', '--json', '--data-dir', data], { clock })
    return (JSON.parse(stdout) as { data: { targets: object[] }[] }).data[0]?.targets[0]
  }
  expect(await statusOf()).toMatchObject({ answered: 1, planned: 2, uncertain: 0 })
  clock.ms = at('21T05:00:00')
  engines.script = { latencyMs: 20_000 }
  const hasty = start(app)
  await until(() => engines.ledger.entries.length === 2)
  const startedMs = performance.now()
  await hasty.scheduler.stop(100)
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  expect(await statusOf()).toMatchObject({ answered: 0, planned: 2, uncertain: 1 })
})
