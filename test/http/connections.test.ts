import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openTestService, type TestServiceOptions } from '../support/http.ts'
import { createWorld } from '../support/world.ts'

async function open(options: TestServiceOptions = {}) {
  const service = await openTestService(options)
  onTestFinished(() => service.close())
  return { service, world: createWorld(service) }
}

/** A client that never closes its side. */
async function dial(url: string, bytes = ''): Promise<Socket & { received: string }> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })
  const client = Object.assign(socket, { received: '' })
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => void (client.received += chunk.toString()))
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes)
  return client
}

const GONE_MS = 4_000
const headers = (more: string): string => `POST /v1/answers HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`

it.each([
  ['no key', () => headers('Content-Length: 1000000000')],
  [
    'a body over 1 MiB',
    (key: string) => headers(`X-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`),
  ],
])('an endless body is not read on after an early answer: %s', async (_, head) => {
  const { service, world } = await open()
  const client = await dial(service.url, head(world.readKey))
  const chunk = Buffer.alloc(65_536, 0x20)
  const part = head('').includes('chunked')
    ? Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')])
    : chunk
  let sent = 0
  const startedMs = performance.now()
  while (!client.destroyed && performance.now() - startedMs < GONE_MS) {
    if (client.write(part)) await new Promise((resolve) => setImmediate(resolve))
    else
      await Promise.race([
        once(client, 'drain').catch(() => {}),
        once(client, 'close').catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, 50)),
      ])
    sent += part.length
  }
  expect(client.destroyed).toBe(true)
  expect(client.received).toMatch(/^HTTP\/1\.1 4(01|13)/)
  expect(sent).toBeLessThan(64 * 1_024 * 1_024)
})

it('a connection that was refused is closed although its client keeps its side open', async () => {
  const { service } = await open()
  const client = await dial(service.url, 'no http\r\n\r\n')
  const startedMs = performance.now()
  // Writing meets the closed connection; a half-open one would take it.
  while (!client.destroyed && performance.now() - startedMs < GONE_MS) {
    client.write('x')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(client.received).toMatch(/^HTTP\/1\.1 400/)
  expect(client.destroyed).toBe(true)
})

it.each(['connections', 'connections_per_address'])('beyond %s the longest idle one goes first', async (name) => {
  const { service } = await open({ settings: { [name]: 4 } })
  const dripping = await Promise.all(
    Array.from({ length: 4 }, () => dial(service.url, 'GET /healthz HTTP/1.1\r\nX-Slow: ')),
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  const answer = await service.sendRaw('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 200/)
  await expect.poll(() => dripping.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length).toBe(1)
})

it.each(['Host: y', 'Content-Type: text/plain\r\nContent-Type: application/json'])(
  'a header that may stand once is refused when it is there twice: %j',
  async (more) => {
    const { service, world } = await open()
    const answer = await service.sendRaw(
      `GET /v1/me HTTP/1.1\r\nHost: x\r\n${more}\r\nX-API-Key: ${world.readKey}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
    expect(answer).toContain('invalid_request')
  },
)

it('a key that is revoked while the body comes is refused', async () => {
  const { service, world } = await open()
  const body = JSON.stringify({ prompt_ids: [world.promptIds[0]], status: 'disabled' })
  const client = await dial(
    service.url,
    `PATCH /v1/sites/${world.site.id}/prompts/status HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.writeKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const { id } of service.app.catalog.keys.list(world.organizationId)) service.app.catalog.keys.revoke(id)
  client.write(body.slice(5))
  await expect.poll(() => client.received).toMatch(/^HTTP\/1\.1 401/)
})
