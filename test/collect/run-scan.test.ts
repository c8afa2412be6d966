import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { retryUncertain, runScan } from '../../src/collect/run-scan.ts'
import type { RunTotals } from '../../src/collect/run-counts.ts'
import {
  countLake,
  DAY,
  importSpool,
  listSpool,
  NO_LIMIT,
  openScanWorld,
  readSpool,
  statusesOf,
  TEST_LIMITS,
} from './support/test-scan.ts'
import { sendJson, startScriptedServer, toResponse } from './support/scripted-server.ts'
import { HIGH_MICROS, SECRET, toTarget } from './support/test-provider.ts'

const answerAll = () =>
  startScriptedServer((asked, response) => sendJson(response, toResponse(`Acme answers ${asked.json.input}`)))

test('a scan asks each prompt, keeps the bytes and imports the answers', async () => {
  const engine = await startScriptedServer((asked, response) => {
    sendJson(response, toResponse(asked.json.input === 'Question 2?' ? null : `Acme: ${asked.json.input}`))
  })
  const progress: RunTotals[] = []
  const world = await openScanWorld({
    targets: [toTarget(engine.url)],
    samples: 2,
    given: { onProgress: (totals) => progress.push(totals) },
  })
  const result = await runScan(world.context, world.site, world.plan)
  expect(result).toMatchObject({
    siteId: 'acme',
    day: DAY,
    calls: 6,
    done: 6,
    answered: 4,
    noAnswer: 2,
    failed: 0,
    uncertain: 0,
    skippedBudget: 0,
    left: 0,
    costMicros: 6_000,
    askedBefore: 0,
    wasStopped: false,
    off: [],
  })
  expect(engine.received).toHaveLength(6)
  expect(progress.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 6])
  expect(statusesOf(world)).toEqual({ answered: 4, no_answer: 2 })
  expect(countLake(world)).toBe(6)
  expect(world.app.catalog.scans.last('acme')).toEqual({ date: DAY, status: 'complete' })
  expect(listSpool(world.dataDir)).toEqual([`${DAY}/${result.runId}-1.ndjson.zst`])
  const lines = readSpool(world.dataDir)
  expect(lines).toHaveLength(6)
  const line = lines.find(({ id }) => id === `scn_acme_${DAY}_1_chatgpt_2`)
  expect(line).toEqual({
    id: `scn_acme_${DAY}_1_chatgpt_2`,
    date: DAY,
    asked_at: expect.any(String) as string,
    prompt_id: 'p1',
    platform: 'chatgpt',
    market: null,
    provider: 'openai',
    model: 'gpt-5.5',
    request: {
      method: 'POST',
      url: `${engine.url}/responses`,
      headers: { 'content-type': 'application/json' },
      body: { model: 'gpt-5.5', input: 'Question 1?' },
    },
    response: toResponse('Acme: Question 1?'),
  })
  expect(await importSpool(world)).toMatchObject({
    imported: 0,
    no_answer: 0,
    duplicates: 6,
    differing: 0,
    rejected: 0,
  })
})

test('a scan that is repeated on its day asks nothing twice', async () => {
  const engine = await answerAll()
  const world = await openScanWorld({ targets: [toTarget(engine.url)] })
  await runScan(world.context, world.site, world.plan)
  const again = await runScan(world.context, world.site, world.plan)
  expect(again).toMatchObject({ calls: 0, askedBefore: 3, costMicros: 0 })
  expect([engine.received.length, countLake(world)]).toEqual([3, 3])
})

test('two scans of a site at once share its calls', async () => {
  const engine = await startScriptedServer(async (asked, response) => {
    await sleep(5)
    sendJson(response, toResponse(`Acme: ${asked.json.input}`))
  })
  const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 40 })
  const results = await Promise.all([1, 2].map(() => runScan(world.context, world.site, world.plan)))
  expect(results.map(({ answered }) => answered).reduce((a, b) => a + b)).toBe(40)
  expect([engine.received.length, countLake(world)]).toEqual([40, 40])
})

describe('what is not bought', () => {
  test('is tried again, four times at most', async () => {
    const engine = await startScriptedServer((asked, response, nth) => {
      if (asked.json.input === 'Question 1?') sendJson(response, {}, 429, { 'retry-after-ms': '1' })
      else if (nth < 3) sendJson(response, {}, 429)
      else sendJson(response, toResponse('Acme.'))
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 2 })
    const result = await runScan(world.context, world.site, world.plan)
    expect(result).toMatchObject({ answered: 1, failed: 1, costMicros: 1_000 })
    expect(result.reasons).toEqual([{ reason: 'HTTP 429, to be tried later (4 tries)', calls: 1 }])
    expect(engine.received.filter(({ json }) => json.input === 'Question 1?')).toHaveLength(4)
    expect(world.app.catalog.spend.sum(world.site.organizationId, today()).dayMicros).toBe(1_000)
  })

  test('for so long that nobody waits ends the provider for the run, at once', async () => {
    const engine = await startScriptedServer((_, response) =>
      sendJson(response, {}, 429, { 'retry-after-ms': '86400000' }),
    )
    const world = await openScanWorld({ targets: [toTarget(engine.url)] })
    const result = await runScan(world.context, world.site, world.plan)
    expect(result).toMatchObject({
      failed: 3,
      costMicros: 0,
      off: [{ reason: expect.stringContaining('1440 minutes') }],
    })
  })

  test('is asked again by the next scan of the day', async () => {
    const engine = await startScriptedServer((_, response) => sendJson(response, {}, 400))
    const world = await openScanWorld({ targets: [toTarget(engine.url)] })
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ failed: 3, costMicros: 0 })
    engine.respond = (_, response) => sendJson(response, toResponse('Acme.'))
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ answered: 3 })
    expect(countLake(world)).toBe(3)
  })

  test('for want of a key ends the provider for the run, with one reason', async () => {
    const engine = await startScriptedServer((_, response) => sendJson(response, {}, 401))
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 50 })
    const result = await runScan(world.context, world.site, world.plan)
    expect(result).toMatchObject({ failed: 50, costMicros: 0, off: [{ provider: 'openai', reason: 'HTTP 401' }] })
    expect(engine.received.length).toBeLessThanOrEqual(4)
    expect(statusesOf(world)).toEqual({ failed: 50 })
  })

  test('because nobody listens ends with the provider being off', async () => {
    const world = await openScanWorld({ targets: [toTarget('http://127.0.0.1:9')], prompts: 20 })
    const limits = { ...TEST_LIMITS, gate: { ...TEST_LIMITS.gate, restMs: 20 } }
    const result = await runScan({ ...world.context, limits }, world.site, world.plan)
    expect(result).toMatchObject({ failed: 20, uncertain: 0, costMicros: 0 })
    expect(result.off).toEqual([{ provider: 'openai', reason: 'Test failed again and again, also after 3 rests' }])
  })
})

describe('what may have been bought', () => {
  test.each<[string, Parameters<typeof startScriptedServer>[0]]>([
    ['an error of the server', (_, response) => sendJson(response, { error: 'x' }, 500)],
    ['a page of HTML', (_, response) => sendJson(response, '<html>')],
    [
      'a reply that is cut off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1_000 })
        response.write('{"a":', () => response.destroy())
      },
    ],
    ['a connection that is reset', (_, response) => void response.socket?.resetAndDestroy()],
    ['a reply that never comes', () => {}],
    ['a reply that is too long', (_, response) => sendJson(response, ' '.repeat(16 * 1_024 * 1_024 + 1))],
  ])('is uncertain and is not repeated: %s', async (_, respond) => {
    const engine = await startScriptedServer(respond)
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 2 })
    const limits = { ...TEST_LIMITS, deadlineMs: 500 }
    const result = await runScan({ ...world.context, limits }, world.site, world.plan)
    expect(result).toMatchObject({ uncertain: 2, costMicros: 2 * HIGH_MICROS })
    expect(engine.received).toHaveLength(2)
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ calls: 0, askedBefore: 2 })
    engine.respond = (_, response) => sendJson(response, toResponse('Acme.', 700))
    const retried = await retryUncertain(world.context, world.site, { day: DAY, seed: 1 })
    expect(retried).toMatchObject({ calls: 2, answered: 2, costMicros: 1_400 })
    expect(countLake(world)).toBe(2)
    expect(world.app.catalog.spend.sum(world.site.organizationId, today()).dayMicros).toBe(2 * HIGH_MICROS + 1_400)
  })

  test('is still uncertain where its target is gone when it is to be asked again', async () => {
    const engine = await startScriptedServer((_, response) => sendJson(response, '<html>'))
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 2 })
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ uncertain: 2 })
    const retried = await retryUncertain({ ...world.context, targets: [] }, world.site, { day: DAY, seed: 1 })
    expect(retried).toMatchObject({ calls: 2, done: 2, failed: 2, costMicros: 0 })
    expect(retried.reasons).toEqual([
      { reason: 'its target is no longer in scan.json, or its prompt is gone', calls: 2 },
    ])
    expect(statusesOf(world)).toEqual({ uncertain: 2 })
    expect(engine.received).toHaveLength(2)
  })

  test('and can not be read is failed, and stays in the spool for a mended adapter', async () => {
    const engine = await startScriptedServer((_, response) => sendJson(response, { cost: 900, what: 'is this' }))
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 1 })
    const result = await runScan(world.context, world.site, world.plan)
    expect(result).toMatchObject({ failed: 1, costMicros: 900 })
    expect(result.reasons[0]?.reason).toMatch('it fits no format')
    expect(readSpool(world.dataDir)).toMatchObject([{ response: { what: 'is this' } }])
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ calls: 0 })
    expect(await importSpool(world)).toMatchObject({ rejected: 1 })
  })
})

describe('a reply in parts', () => {
  test('is kept as a list of them, asked for in the same slot', async () => {
    const engine = await startScriptedServer((asked, response, nth) => {
      if (asked.method === 'POST') sendJson(response, { next: '/more' })
      else if (nth === 2) sendJson(response, {}, 429)
      else sendJson(response, toResponse('Acme.', 3_000))
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 1 })
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ costMicros: 3_000 })
    expect(engine.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
    expect(readSpool(world.dataDir)).toMatchObject([{ response: [{ next: '/more' }, { cost: 3_000 }] }])
  })

  test('of which one does not come is uncertain, and the first is not bought again', async () => {
    const engine = await startScriptedServer((asked, response) => {
      sendJson(response, asked.method === 'POST' ? { next: '/more' } : {}, asked.method === 'POST' ? 200 : 429)
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 1 })
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({
      uncertain: 1,
      costMicros: HIGH_MICROS,
    })
    expect(engine.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET'])
    expect(readSpool(world.dataDir, `${DAY}/failed`)).toMatchObject([
      { id: `scn_acme_${DAY}_1_chatgpt_1`, status: 429 },
    ])
  })
})

describe('a task', () => {
  test('is polled until it is ready', async () => {
    let polls = 0
    const engine = await startScriptedServer((asked, response) => {
      if (asked.method === 'POST') return sendJson(response, { task: 't-1' })
      polls += 1
      if (polls < 3) return sendJson(response, { pending: 5 })
      return polls === 3 ? sendJson(response, {}, 503) : sendJson(response, toResponse('Acme.'))
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 1 })
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ answered: 1, costMicros: 1_000 })
    expect(engine.received.map(({ path }) => path)).toEqual([
      '/responses',
      ...Array.from({ length: 4 }, () => '/tasks/t-1'),
    ])
    expect(countLake(world)).toBe(1)
  })

  test('that is not ready in time is left to the next run, which buys nothing again', async () => {
    const engine = await startScriptedServer((asked, response) => {
      sendJson(response, asked.method === 'POST' ? { task: 't-1' } : { pending: 50 })
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 1 })
    const limits = { ...TEST_LIMITS, tasks: { waitMsMax: 100, ageMsMax: 60_000 } }
    expect(await runScan({ ...world.context, limits }, world.site, world.plan)).toMatchObject({ left: 1 })
    expect(statusesOf(world)).toEqual({ task: 1 })
    engine.respond = (_, response) => sendJson(response, toResponse('Acme.'))
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ calls: 1, answered: 1 })
    expect(engine.received.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(countLake(world)).toBe(1)
  })

  test('is asked for in the slots of its provider, however many there are', async () => {
    const engine = await startScriptedServer(async (asked, response) => {
      await sleep(5)
      if (asked.method === 'POST') return sendJson(response, { task: asked.json.input?.match(/\d+/)?.[0] })
      const isReady = engine.received.filter(({ path }) => path === asked.path).length > 2
      return sendJson(response, isReady ? toResponse(`Acme ${asked.path}`) : { pending: 1 })
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url, { concurrency: 2 })], prompts: 12 })
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ answered: 12 })
    expect([engine.mostUnderWay, countLake(world)]).toEqual([2, 12])
  })

  test('that is too old is uncertain', async () => {
    const engine = await startScriptedServer((asked, response) => {
      sendJson(response, asked.method === 'POST' ? { task: 't-1' } : { pending: 5 })
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 1 })
    const limits = { ...TEST_LIMITS, tasks: { waitMsMax: 5_000, ageMsMax: 100 } }
    const result = await runScan({ ...world.context, limits }, world.site, world.plan)
    expect(result).toMatchObject({ uncertain: 1, costMicros: HIGH_MICROS })
  })
})

describe('a budget', () => {
  test('is used up by what calls cost, not by what they might, and is never exceeded', async () => {
    const engine = await answerAll()
    const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 40 })
    const dayMicros = 4 * HIGH_MICROS
    const result = await runScan({ ...world.context, budget: { ...NO_LIMIT, dayMicros } }, world.site, world.plan)
    // The last one is asked while its upper bound still fits: 15,000 + 5,000.
    expect(result).toMatchObject({ answered: 16, skippedBudget: 24, costMicros: 16_000 })
    expect(result.reasons).toEqual([{ reason: `the day's budget of 0.02 USD is used up`, calls: 24 }])
    expect(statusesOf(world)).toEqual({ answered: 16, skipped_budget: 24 })
    const more = { ...NO_LIMIT, dayMicros: 1_000_000 }
    expect(await runScan({ ...world.context, budget: more }, world.site, world.plan)).toMatchObject({ answered: 24 })
    expect(countLake(world)).toBe(40)
  })
})

test('a shadow target is asked and kept, and gets into no report', async () => {
  const engine = await answerAll()
  const shadow = toTarget(engine.url, { id: 'mini', model: 'gpt-5.5-mini', role: 'shadow' })
  const world = await openScanWorld({ targets: [toTarget(engine.url), shadow] })
  const result = await runScan(world.context, world.site, world.plan)
  expect(result).toMatchObject({ answered: 6 })
  expect(countLake(world)).toBe(3)
  expect(listSpool(world.dataDir)).toEqual([
    `${DAY}/${result.runId}-1.ndjson.zst`,
    `${DAY}/shadow/${result.runId}-1.ndjson.zst`,
  ])
  expect(readSpool(world.dataDir, `${DAY}/shadow`).map(({ role }) => role)).toEqual(['shadow', 'shadow', 'shadow'])
})

test('answers are taken in while the run goes on', async () => {
  const engine = await answerAll()
  const world = await openScanWorld({ targets: [toTarget(engine.url)], prompts: 30 })
  const limits = { ...TEST_LIMITS, intake: { answers: 10, ms: 60_000 } }
  const result = await runScan({ ...world.context, limits }, world.site, world.plan)
  expect(countLake(world)).toBe(30)
  expect(listSpool(world.dataDir).length).toBeGreaterThan(1)
  expect(listSpool(world.dataDir).every((name) => name.endsWith('.ndjson.zst'))).toBe(true)
  expect(result.answered).toBe(30)
})

test('nothing is bought where replies could not be kept, and all is asked when they can', async () => {
  const engine = await answerAll()
  const world = await openScanWorld({ targets: [toTarget(engine.url)] })
  const inTheWay = join(world.dataDir, 'scans')
  writeFileSync(inTheWay, '')
  await expect(runScan(world.context, world.site, world.plan)).rejects.toThrow(
    /can't be written .*, so nothing was asked/,
  )
  expect(engine.received).toEqual([])
  rmSync(inTheWay)
  expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ answered: 3 })
  expect(listSpool(world.dataDir)).toHaveLength(1)
})

test('a site that is deleted while it is scanned is told, and nothing of it is stored', async () => {
  const engine = await startScriptedServer((_, response) => {
    world.app.change.catalog.deletions.deleteSite('acme')
    sendJson(response, toResponse('Acme.'))
  })
  const world = await openScanWorld({ targets: [toTarget(engine.url, { concurrency: 1 })] })
  await expect(runScan(world.context, world.site, world.plan)).rejects.toThrow('was deleted while it was scanned')
  expect(engine.received).toHaveLength(1)
})

describe('stopping', () => {
  test('waits for the calls under way, and keeps the others for later', async () => {
    const stop = new AbortController()
    const engine = await startScriptedServer(async (_, response) => {
      stop.abort()
      await sleep(100)
      sendJson(response, toResponse('Acme.'))
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url, { concurrency: 2 })], prompts: 20 })
    const result = await runScan({ ...world.context, signal: stop.signal }, world.site, world.plan)
    expect(result).toMatchObject({ wasStopped: true, uncertain: 0 })
    expect(result.answered).toBeLessThanOrEqual(2)
    expect(result.answered + result.left).toBe(20)
    expect(countLake(world)).toBe(engine.received.length)
    expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ answered: 20 - result.answered })
  })

  test('at once makes the calls under way uncertain', async () => {
    const [stop, abandon] = [new AbortController(), new AbortController()]
    const engine = await startScriptedServer(() => {
      stop.abort()
      setTimeout(() => abandon.abort(), 50)
    })
    const world = await openScanWorld({ targets: [toTarget(engine.url, { concurrency: 1 })], prompts: 5 })
    const signals = { signal: stop.signal, abandon: abandon.signal }
    const result = await runScan({ ...world.context, ...signals }, world.site, world.plan)
    expect(result).toMatchObject({ uncertain: 1, left: 4 })
  })
})

test('no file of the data directory holds the secret, also where an engine repeats it', async () => {
  const engine = await startScriptedServer((asked, response, nth) => {
    const said = JSON.stringify(asked.headers)
    if (nth === 1) sendJson(response, { error: `bad key ${said}` }, 500)
    else sendJson(response, toResponse(`Acme got ${said}`))
  })
  const world = await openScanWorld({ targets: [toTarget(engine.url)] })
  expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ answered: 2, uncertain: 1 })
  expect(engine.received[0]?.headers.authorization).toBe(`Bearer ${SECRET}`)
  const spooled = [...readSpool(world.dataDir), ...readSpool(world.dataDir, `${DAY}/failed`)]
  expect(spooled).toHaveLength(3)
  expect(JSON.stringify(spooled)).not.toContain(SECRET)
  expect(JSON.stringify(spooled)).toContain('[secret]')
  world.app.catalog.checkpoint()
  expect(readFileSync(join(world.dataDir, 'catalog.sqlite')).includes(SECRET)).toBe(false)
})

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
