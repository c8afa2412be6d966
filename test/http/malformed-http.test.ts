import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
})
afterAll(() => service.close())

/** Status line, headers and body of one raw answer. */
function parse(answer: string): {
  status: number
  headers: Record<string, string>
  body: { error: Record<string, string> }
} {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => line.split(': ', 2)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) }
}

const REFUSED: readonly (readonly [what: string, bytes: string | Uint8Array, status: number, code: string])[] = [
  ['garbage', 'garbage\r\n\r\n', 400, 'invalid_request'],
  [
    'bytes of TLS',
    Uint8Array.of(0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03, 0x0d, 0x0a),
    400,
    'invalid_request',
  ],
  ['a method that is none', 'BREW /v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['a method in small letters', 'get /v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['another version', 'GET /v1/me HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request'],
  ['a space in the target', 'GET /v1/me x HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['a header without a colon', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400, 'invalid_request'],
  ['a space before the colon', 'GET /v1/me HTTP/1.1\r\nHost : x\r\n\r\n', 400, 'invalid_request'],
  ['a folded header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-API-Key: a\r\n b\r\n\r\n', 400, 'invalid_request'],
  ['a NUL in a header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-API-Key: a\0b\r\n\r\n', 400, 'invalid_request'],
  [
    'two lengths',
    'POST /v1/answers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    400,
    'invalid_request',
  ],
  [
    'a length that is no number',
    'POST /v1/answers HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n{}',
    400,
    'invalid_request',
  ],
  ['a negative length', 'POST /v1/answers HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}', 400, 'invalid_request'],
  [
    'length and chunks',
    'POST /v1/answers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'invalid_request',
  ],
  [
    'an unknown transfer encoding',
    'POST /v1/answers HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n',
    400,
    'invalid_request',
  ],
  [
    'headers of 17 KiB',
    `GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17 * 1_024)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['a target of 17 KiB', `GET /v1/me?${'x'.repeat(17 * 1_024)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405, 'method_not_allowed'],
]

describe('what never becomes a request', () => {
  it.each(REFUSED)('%s is refused with the error body and every fixed header', async (_what, bytes, status, code) => {
    const answer = parse(await service.sendRaw(bytes))
    expect(answer).toEqual({
      status,
      headers: {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^req_[0-9a-z]{26}$/),
        'content-type': 'application/json; charset=utf-8',
        'content-length': expect.any(String),
        connection: 'close',
        ...(status === 405 ? { allow: 'GET, HEAD, POST, PATCH' } : {}),
      },
      body: { error: { code, message: expect.any(String), request_id: answer.headers['x-request-id'] } },
    })
  })

  it('is in the log, without its bytes', async () => {
    const secret = 'alk_supersecretsupersecret'
    await service.sendRaw(`GET /${secret} HTTP/9.9\r\nX-API-Key: ${secret}\r\n\r\n`)
    const line = JSON.parse(service.log.at(-1) ?? '')
    expect(line).toMatchObject({
      level: 'info',
      msg: 'refused',
      status: 400,
      request_id: expect.stringMatching(/^req_/),
    })
    expect(service.log.join('')).not.toContain('supersecret')
  })

  it('leaves the service able to answer others', async () => {
    await Promise.all(REFUSED.map(([, bytes]) => service.sendRaw(bytes)))
    expect((await service.send({ path: '/v1/me', key: world.readKey })).status).toBe(200)
  })
})

describe('unusual but valid requests', () => {
  const close = 'Connection: close\r\n\r\n'

  it.each([
    ['an absolute target', 'GET http://127.0.0.1/v1/openapi.json HTTP/1.1\r\nHost: x\r\n', 200],
    ['HTTP/1.0', 'GET /v1/openapi.json HTTP/1.0\r\n', 200],
    ['a target without a slash', 'GET v1/me HTTP/1.1\r\nHost: x\r\n', 400],
    ['the target *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n', 404],
    ['a strange host', 'GET /healthz HTTP/1.1\r\nHost: a/b?c#d\r\n', 200],
    ['a fragment in the target', 'GET /v1/openapi.json#x HTTP/1.1\r\nHost: x\r\n', 404],
    ['an unknown expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n', 200],
    ['an upgrade', 'GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n', 200],
    ['2,100 headers', `GET /v1/me HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(2_100)}`, 401],
    ['headers of 17 KiB with their separators', `GET /v1/me HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(2_900)}`, 431],
    ['no version', 'GET /v1/me\r\n', 400],
    ['no Host', 'GET /v1/me HTTP/1.1\r\n', 400],
  ])('%s', async (_what, head, status) => {
    const answer = await service.sendRaw(`${head}${close}`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/\r\nx-request-id: req_/)
  })

  it('finds the key behind thousands of headers', async () => {
    const answer = await service.sendRaw(
      `GET /v1/me HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(2_100)}X-API-Key: ${world.readKey}\r\n${close}`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  it('two requests on one connection are answered in order', async () => {
    const get = (path: string, end = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${end}\r\n`
    const answer = await service.sendRaw(get('/v1/me') + get('/nothing') + get('/healthz', 'Connection: close\r\n'))
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })
})

describe('bodies', () => {
  const head = (rest: string) =>
    `PATCH /v1/sites/${world.site.id}/prompts/status HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.writeKey}\r\nContent-Type: application/json\r\n${rest}Connection: close\r\n\r\n`
  const body = '{"prompt_ids":["a"],"status":"active","dry_run":true}'

  it('are read in chunks', async () => {
    const chunks = body.replaceAll(/./g, '1\r\n$&\r\n')
    const answer = await service.sendRaw(`${head('Transfer-Encoding: chunked\r\n')}${chunks}0\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  it('over a megabyte in chunks are refused before they end', async () => {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    const answer = await service.sendRaw(`${head('Transfer-Encoding: chunked\r\n')}${chunk.repeat(17)}`, {
      until: /payload_too_large/,
    })
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  it('announced to be over a megabyte are refused before they are sent', async () => {
    const answer = await service.sendRaw(head('Content-Length: 1048577\r\n'), { until: /payload_too_large/ })
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  it('with a chunk that has no length are refused', async () => {
    const answer = await service.sendRaw(`${head('Transfer-Encoding: chunked\r\n')}zz\r\n{}\r\n0\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toMatch(/"code":"invalid_request"/)
  })

  it('are asked for where the client waits, but only when everything before them is right', async () => {
    const expects = `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`
    expect(await service.sendRaw(`${head(expects)}${body}`)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /)
    const refused = await service.sendRaw(head(expects).replace(world.writeKey, world.readKey), {
      until: /insufficient_permission/,
    })
    expect(refused).toMatch(/^HTTP\/1.1 403 /)
  })

  it('that end early leave a line in the log and nothing else', async () => {
    const before = service.log.length
    const answer = await service.sendRaw(`${head('Content-Length: 100\r\n')}{`, { thenEnd: true })
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(service.log.slice(before).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ status: 400, msg: 'request', request_id: /req_[0-9a-z]{26}/.exec(answer)?.[0] }),
    ])
    expect((await service.send({ path: '/v1/me', key: world.readKey })).status).toBe(200)
  })
})
