import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { secretEnvironment } from '../collect/engines/secrets.ts'
import type { Script } from '../collect/engines/script.ts'
import { setUpScan } from '../collect/support/scan-stage.ts'
import type { ScanSetup } from '../collect/support/scan-data.ts'
import { makeDirectory, run } from './support/run.ts'

const environment = secretEnvironment()

const SETUP: ScanSetup = {
  prompts: 3,
  targets: [
    { engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' },
    { engine: 'perplexity', provider: 'perplexity', model: 'sonar' },
  ],
  samples: 1,
  concurrency: 4,
  usdDay: 100,
}

/** A data directory with three prompts, whose two targets are on this machine. */
async function makeStage(script: Script = {}, change: Partial<ScanSetup> = {}) {
  const stage = await setUpScan({ ...SETUP, ...change }, script)
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const scan = (...argv: readonly string[]) => run(['scan', ...argv, '--data-dir', stage.data], { environment })
  return {
    ...stage,
    scan,
    async scanJson<T>(...argv: readonly string[]): Promise<T> {
      const { status, stdout, stderr } = await scan(...argv, '--json')
      if (status !== 0 && status !== 3) throw new Error(stderr)
      return JSON.parse(stdout) as T
    },
    /** Changes the top level of `scan.json`. */
    configure(fields: object) {
      const path = join(stage.data, 'scan.json')
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...fields }))
    },
    bought: () => stage.engines.ledger.entries.filter((entry) => entry.bought).length,
  }
}

const RULES = { refused: (question: string): Script => ({ rules: [{ question, act: { do: 'refuse', status: 422 } }] }) }

describe('scan targets', () => {
  test('shows prices, paces, terms, and whether there is a secret, never the secret', async () => {
    const { scan, data } = await makeStage()
    const { status, stdout } = await scan('targets')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^chatgpt +chatgpt +openai +gpt-5\.5 +main +0\.\d+ to \d\.\d+ +4 +100,000 +yes$/m)
    expect(stdout).toMatch(/^OpenAI: .*https:\/\//m)
    for (const secret of Object.values(environment)) expect(stdout).not.toContain(secret)
    const without = await run(['scan', 'targets', '--data-dir', data], { environment: {} })
    expect(without.stdout).toMatch(/perplexity .* no: set ANSWERLAKE_SECRET_PERPLEXITY$/m)
    const json = await run(['scan', 'targets', '--json', '--data-dir', data], { environment })
    expect(JSON.parse(json.stdout)).toMatchObject({
      data: [
        {
          id: 'chatgpt',
          engine: 'chatgpt',
          provider: 'openai',
          role: 'main',
          concurrency: 4,
          secret: { status: 'there', where: 'ANSWERLAKE_SECRET_OPENAI', reason: null },
        },
        { id: 'perplexity' },
      ],
    })
  })

  test('without scan.json nothing is asked, and it says what to write', async () => {
    const dataDir = makeDirectory()
    const { status, stdout, stderr } = await run(['scan', 'targets', '--data-dir', dataDir])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toContain(`No targets are configured, so nothing is asked. Write ${join(dataDir, 'scan.json')}`)
    const example = stderr.split('\n').find((line) => line.trim().startsWith('{'))!
    writeFileSync(join(dataDir, 'scan.json'), example)
    expect((await run(['scan', 'targets', '--data-dir', dataDir])).stdout).toContain('perplexity')
  })

  test.each([
    [
      '{"targets": ["perplexity=openai"]}',
      'targets.0.engine: OpenAI cannot be asked for perplexity. Use one of chatgpt',
    ],
    ['{"targets": ["chatgpt=custom:any"]}', 'targets.0.provider: '],
    ['{"targets": ["ai_overviews=searchapi:gpt"]}', 'targets.0.model: '],
    ['{"targets": [], "samples": 99}', 'samples: Use at most 10.'],
    [
      '{"targets": ["chatgpt=openai"], "providers": {"openai": {"concurrency": 999}}}',
      'providers.openai.concurrency: OpenAI takes at most',
    ],
  ])('%s is refused with file and place', async (text, fault) => {
    const dataDir = makeDirectory()
    writeFileSync(join(dataDir, 'scan.json'), text)
    const { status, stderr } = await run(['scan', 'targets', '--data-dir', dataDir])
    expect(status).toBe(1)
    expect(stderr).toContain(`${join(dataDir, 'scan.json')} cannot be used`)
    expect(stderr).toContain(fault)
  })
})

describe('scan plan', () => {
  test('shows calls and costs by target, and asks nobody; scan run --dry-run is the same', async () => {
    const { scan, scanJson, engines } = await makeStage()
    const plan = await scanJson<{ calls: number; cost_usd_low: number; cost_usd_high: number; targets: object[] }>(
      'plan',
      '--site',
      'acme.com',
      '--samples',
      '2',
    )
    expect(plan).toMatchObject({
      date: '2026-11-20',
      calls: 12,
      made: 0,
      cannot: [],
      targets: [
        { id: 'chatgpt', calls: 6 },
        { id: 'perplexity', calls: 6 },
      ],
      budget: { usd_day: 100, usd_month: null, spent_usd_day: 0, spent_usd_month: 0 },
    })
    expect(plan.cost_usd_low).toBeGreaterThan(0)
    expect(plan.cost_usd_high).toBeGreaterThan(plan.cost_usd_low)
    expect(await scanJson('run', '--dry-run', '--site', 'acme.com', '--samples', '2')).toEqual(plan)
    const { stdout } = await scan('plan', '--site', 'acme.com')
    expect(stdout).toMatch(/^total +- +- +6 +0 +\d/m)
    expect(stdout).toContain("0.00 of 100.00 USD of the day's budget spent")
    expect(engines.ledger.entries).toEqual([])
  })

  test('--platforms and --prompts narrow it; what is unknown or disabled is told', async () => {
    const { scan, scanJson, data } = await makeStage()
    expect(
      await scanJson('plan', '--site', 'acme.com', '--platforms', 'perplexity', '--prompts', 'p0,p2'),
    ).toMatchObject({
      calls: 2,
    })
    await run(['prompts', 'disable', '--site', 'acme.com', 'p1', '--data-dir', data])
    expect(await scan('plan', '--site', 'acme.com', '--prompts', 'p1,p9')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/acme\.com has no prompt p9[\s\S]*p1 is disabled|p1 is disabled[\s\S]*p9/),
    })
    expect(await scan('plan', '--site', 'acme.com', '--prompts', 'a b')).toMatchObject({ status: 2 })
    expect(await scan('plan', '--site', 'acme.com', '--samples', '11')).toMatchObject({ status: 2 })
    expect(await scan('plan')).toMatchObject({ status: 2, stderr: expect.stringContaining('--site is missing') })
  })

  test('what a target cannot do is said: no secret, an engine that the site or the settings leave out', async () => {
    const { data } = await makeStage()
    await run(['sites', 'set', 'acme.com', '--platforms', 'chatgpt,gemini', '--data-dir', data])
    const { stdout } = await run(['scan', 'plan', '--site', 'acme.com', '--json', '--data-dir', data], {
      environment: { ANSWERLAKE_SECRET_PERPLEXITY: environment['ANSWERLAKE_SECRET_PERPLEXITY'] },
    })
    expect(JSON.parse(stdout)).toMatchObject({
      calls: 0,
      cannot: [
        { target: 'chatgpt', reason: 'there is no secret for openai: set ANSWERLAKE_SECRET_OPENAI', prompts: 3 },
        { target: 'perplexity', reason: 'the site is not measured on perplexity (sites set --platforms)', prompts: 3 },
      ],
    })
  })
})

describe('scan run', () => {
  test('asks each target each prompt once a day, and reports have the answers', async () => {
    const { scan, scanJson, bought, data } = await makeStage()
    const first = await scan('run', '--site', 'acme.com')
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^acme\.com +6 +6 +0 +0 +0 +0 +0 +\d/m) })
    expect(bought()).toBe(6)
    const again = await scan('run', '--site', 'acme.com')
    expect(again.stdout).toBe('acme.com: nothing is open; 6 calls of 2026-11-20 were made before\n')
    expect(bought()).toBe(6)
    const { targets } = await scanJson<{ targets: object[] }>('plan', '--site', 'acme.com')
    expect(targets).toMatchObject([{ made: 3 }, { made: 3 }])
    const report = await run([
      'report',
      'answers',
      '--site',
      'acme.com',
      '--from',
      '2026-11-20',
      '--to',
      '2026-11-20',
      '--json',
      '--data-dir',
      data,
    ])
    expect((JSON.parse(report.stdout) as { data: object[] }).data).toHaveLength(6)
    expect((await run(['sites', 'list', '--data-dir', data])).stdout).toContain('2026-11-20 partial')
  })

  test('without --site all sites that have something to ask are scanned', async () => {
    const { scanJson, bought } = await makeStage({}, { sites: 2 })
    const { data } = await scanJson<{ data: object[] }>('run')
    expect(data).toMatchObject([
      { calls: 6, failed: 0, left: 0 },
      { calls: 6, failed: 0, left: 0 },
    ])
    expect(bought()).toBe(12)
  })

  test('exits 3 when some calls failed, and says why, here and in scan status', async () => {
    const { scan, scanJson } = await makeStage(RULES.refused('Which tool 1 '))
    const { status, stdout } = await scan('run', '--site', 'acme.com')
    expect(status).toBe(3)
    expect(stdout).toMatch(/^acme\.com +6 +4 +0 +2 +0 +0 +0 /m)
    const state = await scanJson<{ data: { targets: object[] }[] }>('status', '--site', 'acme.com')
    expect(state.data[0]).toMatchObject({
      date: '2026-11-20',
      run: { status: 'partial', reason: null },
      targets: [
        { id: 'chatgpt', calls: 3, answered: 2, failed: 1, uncertain: 0, reasons: [{ status: 'failed', calls: 1 }] },
        { id: 'perplexity', calls: 3, answered: 2, failed: 1 },
      ],
    })
    expect((await scan('status')).stdout).toMatch(/^chatgpt: 1 call failed: .*422/m)
  })

  test('exits 3 when a target has no secret, and 1 when none has', async () => {
    const { data, bought } = await makeStage()
    const { ANSWERLAKE_SECRET_OPENAI } = environment
    const argv = ['scan', 'run', '--site', 'acme.com', '--data-dir', data]
    const partly = await run(argv, { environment: { ANSWERLAKE_SECRET_OPENAI } })
    expect(partly).toMatchObject({ status: 3, stderr: expect.stringContaining('perplexity is not asked (3 prompts)') })
    expect(bought()).toBe(3)
    expect(await run(argv)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Nothing can be asked for acme.com:'),
    })
  })

  test('a spent budget skips what is left; --budget bounds one run', async () => {
    const { scan, scanJson, bought, configure } = await makeStage({}, { concurrency: 1 })
    const { cost_usd_high: high } = await scanJson<{ cost_usd_high: number }>('plan', '--site', 'acme.com')
    const { status, stdout } = await scan('run', '--site', 'acme.com', '--budget', (high / 3).toFixed(6))
    expect(status).toBe(3)
    expect(stdout).toMatch(/calls?: this run's budget of \d+\.\d\d USD is used up/)
    expect(bought()).toBeLessThan(6)
    expect(await scan('run', '--site', 'acme.com')).toMatchObject({ status: 0 })
    expect(bought()).toBe(6)
    configure({ budget: undefined })
    expect(await scan('run', '--site', 'acme.com')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no budget for chatgpt, perplexity, and a paid call needs one.'),
    })
    expect(await scan('run', '--site', 'acme.com', '--budget', '-1')).toMatchObject({ status: 2 })
  })

  test('--budget bounds all sites together, one that failed too', async () => {
    const { scan, scanJson, bought, data } = await makeStage(
      {},
      { prompts: 1, targets: [{ ...SETUP.targets[0]!, role: 'shadow' }], sites: 2 },
    )
    const { data: plans } = await scanJson<{ data: { cost_usd_high: number }[] }>('run', '--dry-run')
    const budget = Math.max(...plans.map((plan) => plan.cost_usd_high))
    // Its reply can't be kept.
    mkdirSync(join(data, 'scans', '2026-11-20'), { recursive: true })
    writeFileSync(join(data, 'scans', '2026-11-20', 'shadow'), '')
    expect(await scan('run', '--budget', budget.toFixed(6))).toMatchObject({ status: 3 })
    expect(bought()).toBe(1)
  })

  test('a call that was cut off is uncertain, and scan retry --uncertain alone asks it again', async () => {
    const { scan, scanJson, bought, engines } = await makeStage({
      rules: [{ provider: 'openai', question: 'Which tool 1 ', act: { do: 'cut', at: 20 } }],
    })
    expect(await scan('run', '--site', 'acme.com')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('answerlake scan retry --uncertain --site acme --date 2026-11-20\n'),
    })
    expect(bought()).toBe(6)
    engines.script = {}
    expect(await scan('run', '--site', 'acme.com')).toMatchObject({ status: 0 })
    expect(bought()).toBe(6)
    expect(await scan('retry', '--site', 'acme.com')).toMatchObject({ status: 2 })
    expect(await scanJson('retry', '--uncertain', '--site', 'acme.com')).toMatchObject({ calls: 1, answered: 1 })
    expect(bought()).toBe(7)
    const { status, stdout } = await scan('retry', '--uncertain', '--site', 'acme.com')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'acme.com: no call of 2026-11-20 is uncertain\n' })
  })

  test('SIGINT begins no further call, keeps what came, and the next scan goes on', async () => {
    const { scan, data, bought } = await makeStage({ latencyMs: 150 }, { concurrency: 1, prompts: 10 })
    const controller = new AbortController()
    const { Interruption } = await import('../../cli/run.ts')
    setTimeout(() => controller.abort(new Interruption('SIGINT')), 700)
    const stopped = await run(['scan', 'run', '--site', 'acme.com', '--data-dir', data], {
      environment,
      signal: controller.signal,
    })
    expect(stopped.status).toBe(130)
    expect(stopped.stderr).toMatch(/stopped by SIGINT; \d+ calls left for the next `scan run`/)
    expect(bought()).toBeLessThan(20)
    expect(await scan('run', '--site', 'acme.com')).toMatchObject({ status: 0 })
    expect(bought()).toBe(20)
  })
})

test('scan status says so where nothing was asked', async () => {
  const { scan, scanJson } = await makeStage()
  expect((await scan('status')).stderr).toContain('Nothing was asked yet')
  expect(await scanJson('status', '--site', 'acme.com')).toEqual({
    data: [{ site_id: 'acme', date: null, run: null, targets: [] }],
  })
})
