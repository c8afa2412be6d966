import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listLabelledAnswers } from '../../../src/reference/labelled-answers.ts'
import { run } from '../../cli/support/run.ts'
import { JudgeServer, say } from './support/judge-server.ts'

const LABELLED = listLabelledAnswers()
let dir: string
let server: JudgeServer

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'answerlake-evaluate-'))
  server = await JudgeServer.start()
  const labels = new Map(LABELLED.map(({ text, sentiment }) => [text, sentiment]))
  server.act = (answer) => ({ says: say(labels.get(answer) ?? 'neutral') })
  mkdirSync(join(dir, 'data'))
  const custom = { base_url: server.url, per_minute: 100_000, concurrency: 8 }
  writeFileSync(join(dir, 'data/scan.json'), JSON.stringify({ providers: { custom } }))
})

afterEach(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

const evaluate = (...argv: readonly string[]) =>
  run(['sentiment', 'evaluate', '--provider', 'custom', '--model', 'tiny', '--data-dir', join(dir, 'data'), ...argv])

it('asks about every example as about an answer, and finds a judge who knows the labels in full agreement', async () => {
  const { status, stdout } = await evaluate('--budget', '20', '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    provider: 'custom',
    model: 'tiny',
    cost_usd: Number((LABELLED.length * 0.0068).toFixed(4)),
    failures: [],
    all: { examples: LABELLED.length, agreed: LABELLED.length, accuracy: 1, kappa: 1 },
    disagreements: [],
  })
  expect(server.bought).toHaveLength(LABELLED.length)
  expect(server.asked[0]?.material).toMatchObject({ brand: 'Fernwick', also_called: [] })
})

it('leaves out what got no judgement, says why, and exits 3', async () => {
  const act = server.act
  server.act = (answer, nth) =>
    answer === LABELLED[0]?.text
      ? { says: 'positive' }
      : answer === LABELLED[1]?.text
        ? { status: 500 }
        : act(answer, nth)
  const { status, stdout, stderr } = await evaluate('--budget', '20', '--limit', '10')
  expect(status).toBe(3)
  expect(stdout).toMatch(/^custom:tiny, 8 examples, /)
  expect(stderr).toContain("1 example without a judgement: the judge's reply is no JSON")
  expect(stderr).toContain('1 example without a judgement: HTTP 500')
})

it('spends no more than the budget', async () => {
  const { status, stdout } = await evaluate('--budget', '0.2', '--json')
  const { cost_usd, all, failures } = JSON.parse(stdout) as {
    cost_usd: number
    all: { examples: number }
    failures: readonly { reason: string }[]
  }
  expect(status).toBe(3)
  expect(cost_usd).toBeLessThanOrEqual(0.2)
  expect(all.examples).toBeGreaterThan(0)
  expect(server.bought).toHaveLength(all.examples)
  expect(failures.map(({ reason }) => reason)).toEqual(['the budget is used up'])
})

it('takes labels of an operator’s own, and names the place of a fault in them', async () => {
  const file = join(dir, 'own.json')
  const example = { id: '1', brand: 'Acme', text: 'Acme leads.', sentiment: 'positive' }
  writeFileSync(file, JSON.stringify({ examples: [example, { ...example, id: '2', sentiment: 'neutral' }] }))
  const { stdout } = await evaluate('--budget', '1', '--json', file)
  expect(JSON.parse(stdout)).toMatchObject({ all: { examples: 2, agreed: 1 } })
  for (const [content, message] of [
    ['[', 'is no JSON'],
    ['{"examples":[]}', 'examples'],
    [JSON.stringify({ examples: [{ ...example, sentiment: 'good' }] }), 'examples.0.sentiment'],
    [JSON.stringify({ examples: [example, example] }), 'two examples have the id 1'],
  ] as const) {
    writeFileSync(file, content)
    const { status, stderr } = await evaluate('--budget', '1', file)
    expect([status, stderr]).toEqual([1, expect.stringContaining(message) as string])
  }
})

it('asks nobody without a budget', async () => {
  expect(await evaluate()).toMatchObject({ status: 2, stderr: expect.stringContaining('--budget') as string })
  expect(server.asked).toEqual([])
})

it('the commands of docs/sentiment.md run, and doctor tells whether the judge can be asked', async () => {
  const dataDir = join(dir, 'data')
  const inData = (...argv: readonly string[]) => run([...argv, '--data-dir', dataDir])
  await inData('sites', 'create', '--name', 'Acme', '--domain', 'acme.com')
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sentiment.md'), 'utf8')
  const commands = [...page.matchAll(/^answerlake (sentiment (?:judge|evaluate) .*?)(?: --data-dir .*)?$/gm)]
  const outcomes = await Promise.all(commands.map(([, line = '']) => inData(...line.split(' '))))
  // Nobody is asked without a secret, which is all that is missing.
  expect(outcomes.map(({ status, stderr }) => [status, /set ANSWERLAKE_SECRET_OPENAI/.test(stderr)])).toEqual([
    [0, false],
    [1, true],
    [1, true],
    [0, false],
  ])
  const readJudge = async () => {
    const { stdout } = await inData('doctor', '--json')
    const { checks } = JSON.parse(stdout) as { checks: readonly { check: string; status: string; message: string }[] }
    return checks.find(({ check }) => check === 'judge')
  }
  expect(await readJudge()).toBeUndefined()
  writeFileSync(join(dataDir, 'scan.json'), JSON.stringify({ judge: { provider: 'openai' } }))
  expect(await readJudge()).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('ANSWERLAKE_SECRET_OPENAI') as string,
  })
  const custom = { base_url: server.url }
  writeFileSync(
    join(dataDir, 'scan.json'),
    JSON.stringify({ judge: { provider: 'custom', model: 'tiny' }, providers: { custom } }),
  )
  expect(await readJudge()).toMatchObject({ status: 'ok' })
})
