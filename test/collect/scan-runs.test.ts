import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Entry } from './engines/ledger.ts'
import { listMispurchased, listMisstored, listSpools, readCalls, readSpentMicros, toAnswerId } from './support/proof.ts'
import { runScanProgram } from './support/scan-program.ts'
import { setUpScan } from './support/scan-stage.ts'
import { ALL_TARGETS, configureScan, type ScanSetup, siteIdOf } from './support/scan-data.ts'
import { readReports } from './support/stored-answers.ts'

const SETUP: ScanSetup = { prompts: 6, targets: ALL_TARGETS, samples: 1, concurrency: 4, usdDay: 100 }
const SITE = siteIdOf(0)

function scan(data: string, site = SITE): readonly string[] {
  return ['scan', 'run', '--site', site, '--data-dir', data]
}

test("each provider's answers are those that an import by hand of the same bytes gives", async () => {
  const rules = [{ provider: 'anthropic', oneIn: 2, act: { do: 'pause', times: 2 } }] as const
  await using stage = await setUpScan(SETUP, { rules, taskMs: 10 })
  const { data, fresh, engines } = stage
  const ending = await runScanProgram(scan(data))
  expect(ending, ending.stderr).toMatchObject({ status: 0 })
  const calls = readCalls(data)
  const lines = calls
    .filter(({ role }) => role === 'main')
    .map((call) => {
      const target = ALL_TARGETS.find(({ engine, id = engine }) => id === call.target)
      const own = engines.ledger.entries.filter(
        ({ provider, question }) => provider === call.provider && question === call.question,
      )
      return JSON.stringify({
        id: toAnswerId(call),
        date: call.day,
        prompt_id: call.prompt_id,
        platform: target?.engine,
        market: call.market,
        response: toResponse(call.provider, own),
      })
    })
  const file = join(fresh, '..', 'by-hand.ndjson')
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  const imported = await runScanProgram(['import', 'answers', '--site', SITE, '--data-dir', fresh, file])
  expect(imported, imported.stderr).toMatchObject({ status: 0 })
  const range = { from: calls[0]!.day, to: calls.at(-1)!.day }
  const [own, theirs] = await Promise.all([data, fresh].map((dir) => readReports(dir, SITE, range)))
  expect(withoutTimes(own)).toEqual(withoutTimes(theirs))
  expect(calls.filter(({ status }) => status === 'answered').length).toBeGreaterThan(30)
})

/** A paused turn is made of parts; everything else comes whole at last. */
function toResponse(provider: string, entries: readonly Entry[]): unknown {
  const bodies = entries.map(({ body }) => body)
  return provider === 'anthropic' && bodies.length > 1 ? bodies : bodies.at(-1)
}

/** The moment of asking is the scan's own. */
function withoutTimes(reports: unknown): unknown {
  return JSON.parse(JSON.stringify(reports), (name, value: unknown) => (name === 'asked_at' ? undefined : value))
}

test('twenty runs at once spend no more than the budget, and buy nothing twice', { timeout: 600_000 }, async () => {
  const setup = { ...SETUP, prompts: 5, targets: ALL_TARGETS.slice(0, 2), usdDay: 2, sites: 10 }
  await using stage = await setUpScan(setup, { latencyMs: 20 })
  const { data, engines } = stage
  const runs = Array.from({ length: 20 }, (_, index) => runScanProgram(scan(data, siteIdOf(index % 10))))
  const endings = await Promise.all(runs)
  for (const { stderr } of endings) expect(stderr).not.toMatch(/\.ts:\d|please report/)
  const calls = readCalls(data)
  expect(readSpentMicros(data)).toBeLessThanOrEqual(setup.usdDay * 1e6)
  expect(calls.filter(({ status }) => status === 'skipped_budget').length).toBeGreaterThan(0)
  expect(calls.filter(({ status }) => status === 'answered').length).toBeGreaterThan(0)
  expect(listMispurchased(calls, engines.ledger.entries)).toEqual([])
  for (let site = 0; site < 10; site++) expect(await listMisstored(data, calls, siteIdOf(site))).toEqual([])
})

test('a first Ctrl-C waits for what is under way, a second one leaves it uncertain', async () => {
  const setup = { ...SETUP, targets: ALL_TARGETS.slice(0, 1), prompts: 8, concurrency: 2 }
  for (const isTwice of [false, true]) {
    await using stage = await setUpScan(setup, { latencyMs: isTwice ? 60_000 : 1_500 })
    const { data, engines } = stage
    const ending = await runScanProgram(scan(data), {
      withChild(child) {
        engines.watch = ({ kind }, isSent) => {
          if (kind !== 'ask' || isSent || engines.ledger.entries.length !== 2) return
          child.kill('SIGINT')
          if (isTwice) setTimeout(() => child.kill('SIGINT'), 1_000)
        }
      },
    })
    expect(ending.status, ending.stderr).toBe(130)
    const calls = readCalls(data)
    expect(engines.ledger.entries).toHaveLength(2)
    // The process may be gone before it could write down that its calls are lost: then the next run says so.
    const later = isTwice
      ? await runScanProgram(['scan', 'status', '--json', '--site', SITE, '--data-dir', data])
      : ending
    const { length: sent } = calls.filter(({ asked_ms: asked }) => asked !== null)
    expect([sent, listMispurchased(calls, engines.ledger.entries)], later.stderr).toEqual([2, []])
    if (!isTwice) expect(await listMisstored(data, calls, SITE)).toEqual([])
  }
})

test('a wrong secret switches its provider off, and buys nothing', async () => {
  const setup = { ...SETUP, targets: ALL_TARGETS.slice(0, 2), prompts: 3 }
  await using stage = await setUpScan(setup)
  const { data, engines } = stage
  const ending = await runScanProgram(scan(data), { environment: { ANSWERLAKE_SECRET_OPENAI: 'sk-another-secret' } })
  const calls = readCalls(data).filter(({ provider }) => provider === 'openai')
  expect(calls.map(({ status, asked_ms: asked }) => [status, asked])).toEqual(calls.map(() => ['failed', null]))
  expect(engines.ledger.entries.every(({ provider }) => provider === 'anthropic')).toBe(true)
  expect(ending.stdout + ending.stderr).not.toContain('sk-another-secret')
  expect(listSpools(data)).toHaveLength(1)
  expect(readSpentMicros(data)).toBeGreaterThan(0)
})

test('an address that refuses connections is tried again, and nothing is bought or spent', async () => {
  const setup = { ...SETUP, targets: ALL_TARGETS.slice(0, 1), prompts: 1 }
  await using stage = await setUpScan(setup)
  const { data, engines } = stage
  const { url } = engines
  await engines[Symbol.asyncDispose]()
  configureScan(data, setup, url)
  const ending = await runScanProgram(scan(data))
  expect(ending.status, ending.stderr).toBe(3)
  expect(readCalls(data)).toMatchObject([
    { status: 'failed', asked_ms: null, reason: expect.stringContaining('ECONNREFUSED') as string },
  ])
  expect(readSpentMicros(data)).toBe(0)
})
