import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../cli/support/run.ts'
import { secretEnvironment, TEST_SECRETS } from './engines/secrets.ts'
import { setUpScan } from './support/scan-stage.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/answerlake.js')

interface LogLine {
  readonly msg?: string
  readonly level?: string
  readonly problem?: string
  readonly site?: string | null
  readonly answered?: number
  readonly left?: number
}

/** `serve --scan` as a process, with what it logs. */
function serve(dataDir: string): { child: ChildProcess; log: () => readonly LogLine[]; output: () => string } {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--scan', '--port', '0', '--data-dir', dataDir], {
    env: { PATH: process.env['PATH'], ANSWERLAKE_SYSTEM_FILE: '', ...secretEnvironment() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const log = () =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine)
  return { child, log, output: () => output }
}

async function until(condition: () => boolean, describe: () => string): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`it did not come true within a minute: ${describe()}`)
    await pause(50)
  }
}

/** Three prompts; the schedule is due every minute, so at once. */
async function makeStage(latencyMs: number) {
  const target = { engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' } as const
  const stage = await setUpScan(
    { prompts: 3, targets: [target], samples: 1, concurrency: 1, usdDay: 100 },
    { latencyMs },
  )
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const path = join(stage.data, 'scan.json')
  const config = JSON.parse(readFileSync(path, 'utf8')) as object
  const configure = (change: object): void => writeFileSync(path, JSON.stringify({ ...config, ...change }))
  configure({ schedules: [{ site: 'acme.com', cron: '* * * * *' }] })
  return { ...stage, configure }
}

test('serve --scan scans by schedule beside serving, and SIGTERM ends both', async () => {
  const { data, engines } = await makeStage(0)
  const { child, log, output } = serve(data)
  await until(() => log().some(({ msg }) => msg === 'scan ended'), output)
  const [, url = ''] = /listening on (\S+)/.exec(output()) ?? []
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(engines.ledger.entries.filter(({ bought }) => bought)).toHaveLength(3)
  expect(log().find(({ msg }) => msg === 'scan ended')).toMatchObject({
    level: 'info',
    site: 'acme.com',
    calls: 3,
    failed: 0,
    left: 0,
  })
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  for (const secret of Object.values(TEST_SECRETS)) expect(output()).not.toContain(secret)
})

test('SIGTERM lets the call under way end and begins no other', async () => {
  const { data, engines } = await makeStage(1_500)
  const { child, output } = serve(data)
  await until(() => engines.ledger.entries.length === 1 || engines.mostUnderWay['openai'] === 1, output)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(engines.ledger.entries.filter(({ bought }) => bought)).toHaveLength(1)
  const { stdout } = await run(['scan', 'status', '--json', '--data-dir', data])
  expect(JSON.parse(stdout)).toMatchObject({
    data: [{ run: { status: 'partial' }, targets: [{ answered: 1, planned: 2, uncertain: 0 }] }],
  })
})

test('a scan.json that cannot be used, or has no schedules, is refused before anything is served', async () => {
  const { data, configure } = await makeStage(0)
  const start = () => run(['serve', '--scan', '--port', '0', '--data-dir', data], { environment: secretEnvironment() })
  configure({})
  expect(await start()).toMatchObject({ status: 1, stderr: expect.stringContaining('scan.json has no schedules') })
  configure({ samples: 99 })
  expect(await start()).toMatchObject({ status: 1, stderr: expect.stringContaining('samples: Use at most 10.') })
  writeFileSync(join(data, 'scan.json'), '{}')
  expect(await start()).toMatchObject({ status: 1, stderr: expect.stringContaining('No targets are configured') })
})
