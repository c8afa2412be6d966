import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSender, type SenderOptions } from '../../src/collect/send.ts'
import type { ProviderRequest, SecretPlace } from '../../src/collect/providers/provider.ts'
import { sendJson, startScriptedServer } from './support/scripted-server.ts'
import { SECRET } from './support/test-provider.ts'

const PLACE: SecretPlace = { in: 'header', name: 'authorization', prefix: 'Bearer ' }

function open(given: Partial<SenderOptions> = {}) {
  const redact = (text: string): string => text.replaceAll(SECRET, '[secret]')
  const sender = openSender({ environment: {}, deadlineMs: 2_000, redact, ...given })
  onTestFinished(() => sender[Symbol.asyncDispose]())
  return (url: string, place = PLACE, request: Partial<ProviderRequest> = {}, signal?: AbortSignal) =>
    sender.send({
      request: { method: 'GET', url, headers: {}, ...request },
      place,
      secret: SECRET,
      ...(signal ? { signal } : {}),
    })
}

/** A server that does as it is told with each connection. */
async function startRaw(onConnection: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('what is sent', () => {
  test.each<[SecretPlace, string, string | undefined]>([
    [PLACE, '/ask?q=1', `Bearer ${SECRET}`],
    [{ in: 'query', name: 'api_key' }, `/ask?q=1&api_key=${SECRET}`, undefined],
    [{ in: 'basic' }, '/ask?q=1', `Basic ${Buffer.from(SECRET).toString('base64')}`],
  ])('has the secret where its provider wants it: %j', async (place, path, authorization) => {
    const server = await startScriptedServer((_, response) => sendJson(response, { ok: true }))
    const reply = await open()(`${server.url}/ask?q=1`, place, {
      method: 'POST',
      body: { input: 'é' },
      headers: { 'x-a': 'b' },
    })
    expect(reply).toMatchObject({ status: 200, json: { ok: true } })
    expect(server.received).toMatchObject([{ method: 'POST', path, json: { input: 'é' }, headers: { 'x-a': 'b' } }])
    expect(server.received[0]?.headers.authorization).toBe(authorization)
  })

  test('goes through the proxy that the environment names, unless it says which hosts do not', async () => {
    const server = await startScriptedServer((_, response) => sendJson(response, { from: 'service' }))
    const proxied: string[] = []
    const proxy = await startRaw((socket) => {
      socket.on('error', () => {})
      socket.once('data', (head) => {
        proxied.push(String(head).split('\r\n')[0] ?? '')
        socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
      })
    })
    const environment = { http_proxy: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'localhost' }
    const send = open({ environment })
    expect(await send('https://service.invalid/x')).toMatchObject({ kind: 'unsent' })
    expect(proxied).toEqual(['CONNECT service.invalid:443 HTTP/1.1'])
    expect(await send(server.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ json: { from: 'service' } })
  })

  test('is not sent to where a reply redirects', async () => {
    const server = await startScriptedServer((_, response) => sendJson(response, {}, 307, { location: '/other' }))
    expect(await open()(server.url)).toMatchObject({ status: 307 })
    expect(server.received).toHaveLength(1)
  })
})

describe('what comes back', () => {
  test.each([
    ['{"a":\r\n 1}', { a: 1 }],
    ['\uFEFF{"a":1}', { a: 1 }],
    ['<html>', undefined],
    ['{"a":', undefined],
    ['', undefined],
  ])('is kept byte for byte: %j', async (body, json) => {
    const server = await startScriptedServer((_, response) => void response.end(body))
    const reply = await open()(server.url)
    expect(reply).toMatchObject({ status: 200 })
    if ('kind' in reply) throw new Error(reply.reason)
    expect([Buffer.from(reply.body).toString(), reply.json]).toEqual([body, json])
  })

  test('is unpacked, to a bound', async () => {
    const server = await startScriptedServer((asked, response) => {
      expect(asked.headers['accept-encoding']).toBe('gzip')
      const body = asked.path === '/bomb' ? Buffer.alloc(64 * 1_024 * 1_024) : Buffer.from('{"a":1}')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body))
    })
    const send = open()
    expect(await send(server.url)).toMatchObject({ json: { a: 1 } })
    expect(await send(`${server.url}/bomb`)).toEqual({ kind: 'uncertain', reason: 'the reply is longer than 16 MiB' })
  })

  test('has no bytes that are no text where JSON is wanted', async () => {
    const server = await startScriptedServer((_, response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d])))
    expect(await open()(server.url)).toMatchObject({ status: 200, json: undefined })
  })

  test('has no secret, in whichever part it is repeated', async () => {
    const server = await startScriptedServer((asked, response) =>
      sendJson(response, { said: asked.headers.authorization }),
    )
    const reply = await open()(server.url)
    expect(reply).toMatchObject({ json: { said: 'Bearer [secret]' } })
    expect('body' in reply && Buffer.from(reply.body).includes(SECRET)).toBe(false)
  })
})

describe('a failure', () => {
  test('before the connection stands proves that nothing was sent', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const send = open()
    expect(await send(`http://127.0.0.1:${port}`)).toMatchObject({
      kind: 'unsent',
      reason: expect.stringMatching('ECONNREFUSED'),
    })
    expect(await send('http://nothing.invalid')).toMatchObject({
      kind: 'unsent',
      reason: expect.stringMatching('nothing.invalid'),
    })
    // A server that speaks no TLS.
    const plain = await startRaw((socket) => void socket.on('error', () => {}).end('hello'))
    expect(await send(plain.replace('http:', 'https:'))).toMatchObject({ kind: 'unsent' })
  })

  test.each<[string, Parameters<typeof createServer>[1]]>([
    [
      'resets the connection',
      (socket) => void socket.on('error', () => {}).once('data', () => socket.resetAndDestroy()),
    ],
    ['ends it without a reply', (socket) => void socket.on('error', () => {}).once('data', () => socket.end())],
    [
      'cuts the reply off',
      (socket) =>
        void socket
          .on('error', () => {})
          .once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')),
    ],
    ['says nothing', (socket) => void socket.on('error', () => {}).once('data', () => {})],
    ['says nonsense', (socket) => void socket.on('error', () => {}).once('data', () => socket.end('nonsense\r\n\r\n'))],
  ])('after it was sent proves nothing: the server %s', async (_, onConnection) => {
    const url = await startRaw(onConnection)
    expect(await open({ deadlineMs: 300 })(url)).toMatchObject({ kind: 'uncertain' })
  })

  test('of a connection that had been kept open proves nothing, and nothing is sent again by itself', async () => {
    let requests = 0
    const url = await startRaw((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => {
        requests += 1
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
        else socket.resetAndDestroy()
      })
    })
    const send = open()
    expect(await send(url)).toMatchObject({ status: 200 })
    expect(await send(url)).toMatchObject({ kind: 'uncertain' })
    expect(requests).toBe(2)
  })

  test('by the deadline is told in words; one by a signal comes at once', async () => {
    const url = await startRaw((socket) => void socket.on('error', () => {}))
    expect(await open({ deadlineMs: 200 })(url)).toEqual({ kind: 'uncertain', reason: 'no whole reply within 0.2 s' })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    expect(await open({ deadlineMs: 60_000 })(url, PLACE, {}, stop.signal)).toMatchObject({ kind: 'uncertain' })
  })

  test('does not say the secret', async () => {
    const reply = await open()(`http://nothing.invalid/?key=${SECRET}`, { in: 'query', name: 'key' })
    expect(JSON.stringify(reply)).not.toContain(SECRET)
  })
})
