import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { openTestService, type TestServiceOptions } from '../support/http.ts'
import { createWorld } from '../support/world.ts'

async function open(options: TestServiceOptions = {}) {
  const service = await openTestService(options)
  onTestFinished(() => service.close())
  return { service, world: createWorld(service) }
}

/** A report that ends when it is told to, and tells when it has begun. */
function createGate() {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const info = {
    site_id: 'x',
    start_date: '2026-11-01',
    end_date: '2026-11-01',
    count: 0,
    total_results: 0,
    next_cursor: null,
  }
  return {
    begun: begun.promise,
    release: () => released.resolve(),
    report: async () => {
      begun.resolve()
      await released.promise
      return { info, data: [] }
    },
  }
}

const sentiment = (siteId: string, key: string) => ({
  method: 'POST',
  path: '/v1/reports/sentiment',
  key,
  body: { site_id: siteId, start_date: '2026-11-01', end_date: '2026-11-01' },
})

describe('answers', () => {
  it.each(['zstd', 'br', 'gzip'])('over 1 KiB are compressed with %s where the client takes it', async (encoding) => {
    const { service } = await open()
    const plain = await service.send({ path: '/v1/openapi.json' })
    const packed = await service.send({ path: '/v1/openapi.json', headers: { 'accept-encoding': encoding } })
    expect([plain.headers['content-encoding'], packed.headers['content-encoding'], packed.headers['vary']]).toEqual([
      undefined,
      encoding,
      'accept-encoding',
    ])
    expect(packed.text).toBe(plain.text)
    expect(Number(packed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 3)
  })

  it('up to 1 KiB are sent as they are', async () => {
    const { service, world } = await open()
    const { headers } = await service.send({
      path: '/v1/me',
      key: world.readKey,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('carry no CORS header, whatever the Origin', async () => {
    const { service } = await open()
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const answer = await service.send({ method: 'OPTIONS', path: '/v1/answers', headers: preflight })
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST'])
  })
})

describe('a failure', () => {
  it('of the program gives 500 with a fixed text; the log has the cause', async () => {
    const { service, world } = await open({
      change: (app) => ({
        ...app,
        reports: {
          ...app.reports,
          sentiment: () => Promise.reject(new Error(`cannot read /lake/x with alk_${'s'.repeat(40)}`)),
        },
      }),
    })
    const { status, body } = await service.send(sentiment(world.site.id, world.readKey))
    expect([status, body.error]).toEqual([
      500,
      {
        code: 'internal_error',
        message: 'The service failed on this request. Tell its operator the request_id.',
        request_id: expect.any(String),
      },
    ])
    const line = JSON.parse(service.log.at(-1) ?? '')
    expect(line).toMatchObject({
      level: 'error',
      status: 500,
      request_id: body.error.request_id,
      err: { message: 'cannot read /lake/x with alk_[redacted]' },
    })
    expect(line.err.stack).toContain('server.test.ts')
  })

  it.each([
    ['query_timeout', 503],
    ['overloaded', 503],
    ['storage_full', 503],
    ['data_unavailable', 503],
    ['cursor_expired', 410],
  ] as const)('%s keeps its status, message and time to wait', async (code, status) => {
    const { service, world } = await open({
      change: (app) => ({
        ...app,
        reports: {
          ...app.reports,
          sentiment: () =>
            Promise.reject(
              new ApiError(code, 'Do this.', status === 503 ? { retryAfterSeconds: 7, cause: new Error('why') } : {}),
            ),
        },
      }),
    })
    const answer = await service.send(sentiment(world.site.id, world.readKey))
    expect([answer.status, answer.headers['retry-after'], answer.body.error.code, answer.body.error.message]).toEqual([
      status,
      status === 503 ? '7' : undefined,
      code,
      'Do this.',
    ])
    if (status === 503) expect(JSON.parse(service.log.at(-1) ?? '').err.message).toBe('why')
  })
})

describe('the log', () => {
  it('has one JSON line for each request, with the route but not the URL', async () => {
    const { service, world } = await open()
    await service.send({ path: `/v1/sites/${world.site.id}/prompts?limit=1&status=active`, key: world.readKey })
    expect(service.log.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        request_id: expect.stringMatching(/^req_/),
        method: 'GET',
        route: '/v1/sites/{site_id}/prompts',
        status: 200,
        ms: expect.any(Number),
        bytes: expect.any(Number),
        client: '127.0.0.1',
        key_id: expect.stringMatching(/^key_/),
        org_id: world.organizationId,
        site_id: world.site.id,
        msg: 'request',
      },
    ])
  })

  it('names the client behind a proxy on this machine, and the key that was in a URL', async () => {
    const { service, world } = await open()
    const headers = { 'x-forwarded-for': '203.0.113.9, 2001:db8::7' }
    await fetch(`${service.url}/v1/sites?api_key=${world.readKey}`, { headers })
    await fetch(`${service.url}/v1/sites?api_key=nonsense`, { headers: { 'x-forwarded-for': 'nobody' } })
    await expect.poll(() => service.log.length).toBe(2)
    const [first, second] = service.log.map((line) => JSON.parse(line))
    expect([first.status, first.client, first.key_id]).toEqual([400, '2001:db8::7', expect.stringMatching(/^key_/)])
    expect([second.status, second.client, second.key_id]).toEqual([400, '127.0.0.1', null])
    expect(service.log.join('')).not.toContain(world.readKey)
  })

  it('says that a client went away before its answer', async () => {
    const gate = createGate()
    const { service, world } = await open({
      change: (app) => ({ ...app, reports: { ...app.reports, sentiment: gate.report } }),
    })
    const body = JSON.stringify(sentiment(world.site.id, '').body)
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port) })
    socket.write(
      `POST /v1/reports/sentiment HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.readKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await gate.begun
    socket.destroy()
    await expect.poll(() => service.log.length).toBe(1)
    gate.release()
    expect(JSON.parse(service.log[0] ?? '')).toMatchObject({ status: 499, level: 'info' })
  })
})

describe('the last use of keys', () => {
  it('is stored once a minute while the server runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { service, world } = await open()
    const lastUses = () => service.app.catalog.keys.list(world.organizationId).map(({ lastUsedAt }) => lastUsedAt)
    await service.send({ path: '/v1/me', key: world.readKey })
    expect(lastUses()).toEqual([null, null, null])
    vi.advanceTimersByTime(60_000)
    expect(lastUses().filter((lastUse) => lastUse !== null)).toHaveLength(1)
  })
})

describe('health', () => {
  it('is told without a key', async () => {
    const { service } = await open()
    const answers = [await service.send({ path: '/healthz' }), await service.send({ path: '/readyz' })]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, 'ok\n'],
      [200, 'ready\n'],
    ])
  })

  it('names what is in the way', async () => {
    const { service } = await open({ change: (app) => ({ ...app, findDefects: async () => ['disk', 'lake'] }) })
    const [alive, ready] = [await service.send({ path: '/healthz' }), await service.send({ path: '/readyz' })]
    expect([alive.status, ready.status, ready.text]).toEqual([200, 503, 'disk\nlake\n'])
  })

  it('is not ready when the check does not end', async () => {
    const { service } = await open({ change: (app) => ({ ...app, findDefects: () => new Promise(() => {}) }) })
    const { status, text } = await service.send({ path: '/readyz' })
    expect([status, text]).toEqual([503, 'timeout\n'])
  })
})

describe('stopping', () => {
  it('lets a request under way end, closes its connection, and takes no more', async () => {
    const gate = createGate()
    const { service, world } = await open({
      change: (app) => ({ ...app, reports: { ...app.reports, sentiment: gate.report } }),
    })
    const answer = service.send(sentiment(world.site.id, world.readKey))
    await gate.begun
    const stopped = service.stop()
    const isRefused = () => service.sendRaw(HEALTHZ).then(String, ({ code }) => code)
    // Those that come until the socket is closed are answered and closed.
    await expect.poll(isRefused, { interval: 0 }).toBe('ECONNREFUSED')
    gate.release()
    const { status, headers } = await answer
    expect([status, headers['connection']]).toEqual([200, 'close'])
    await stopped
  })

  it('answers requests that were sent while it was too busy to accept them', async () => {
    const { service } = await open()
    const clients = sendFromThread(
      service.url,
      [HEALTHZ, READYZ].flatMap((bytes) => Array<string>(10).fill(bytes)),
    )
    clients.waitUntilSent()
    await service.stop()
    const answers = (await clients.answers).map((answer) => [answer.slice(0, 12), answer.split('\r\n\r\n')[1]])
    expect(answers).toEqual([
      ...Array.from({ length: 10 }, () => ['HTTP/1.1 200', 'ok\n']),
      ...Array.from({ length: 10 }, () => ['HTTP/1.1 503', 'draining\n']),
    ])
  })

  it('ends in time although new connections keep coming', async () => {
    const { service } = await open()
    const over = new AbortController()
    const crowd = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) await service.sendRaw(HEALTHZ).catch(() => {})
    })
    const startedMs = performance.now()
    await service.stop()
    const tookMs = performance.now() - startedMs
    over.abort()
    await Promise.all(crowd)
    expect(tookMs).toBeLessThan(5_000)
    await expect(service.sendRaw(HEALTHZ)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('answers on a connection that is still in use that it drains', async () => {
    const gate = createGate()
    const { service, world } = await open({
      change: (app) => ({ ...app, reports: { ...app.reports, sentiment: gate.report } }),
    })
    const body = JSON.stringify(sentiment(world.site.id, '').body)
    const pipelined = `POST /v1/reports/sentiment HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.readKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const answer = service.sendRaw(pipelined)
    await gate.begun
    const stopped = service.stop()
    gate.release()
    expect(await answer).toMatch(/\r\nconnection: close\r\n/i)
    await stopped
  })

  it('ends within the grace period, whatever still runs', async () => {
    const gate = createGate()
    const { service, world } = await open({
      shutdownGraceMs: 50,
      change: (app) => ({ ...app, reports: { ...app.reports, sentiment: gate.report } }),
    })
    const answer = service.send(sentiment(world.site.id, world.readKey))
    const lost = expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' })
    await gate.begun
    await service.stop()
    await lost
    gate.release()
  })

  it('does not wait for idle connections', async () => {
    const { service, world } = await open()
    await service.send({ path: '/v1/me', key: world.readKey })
    const startedMs = performance.now()
    await service.stop()
    expect(performance.now() - startedMs).toBeLessThan(1_000)
  })
})

const HEALTHZ = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const READYZ = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'

/** Sends from another thread, so that this one, in which the server runs, can be busy until all is sent. */
function sendFromThread(url: string, requests: readonly string[]) {
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(SENDER, { eval: true, workerData: { port: Number(new URL(url).port), requests, sent } })
  onTestFinished(async () => void (await worker.terminate()))
  const answers = once(worker, 'message').then(([received]) => received as string[])
  return {
    answers,
    /** Blocks this thread. */
    waitUntilSent: () => {
      for (let count = 0; count < requests.length; count = Atomics.load(sent, 0)) Atomics.wait(sent, 0, count, 10_000)
    },
  }
}

/** What each connection receives until it is closed, or the code of its failure. */
const SENDER = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, requests, sent } } = require('node:worker_threads')
  const exchange = (bytes) => new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk) => (received += chunk)).on('error', ({ code }) => resolve(code)).on('close', () => resolve(received))
    socket.write(bytes, () => {
      Atomics.add(sent, 0, 1)
      Atomics.notify(sent, 0)
    })
  })
  Promise.all(requests.map(exchange)).then((answers) => parentPort.postMessage(answers))
`
