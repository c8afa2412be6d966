import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { listOrigins } from '../../../src/http/dashboard/origins.ts'

const PUBLIC = 'https://lake.acme.com'

interface Given {
  readonly peer?: string
  readonly local?: string
  readonly host?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

function list({ peer = '127.0.0.1', local = peer, host = '127.0.0.1:8080', headers = {} }: Given, publicUrl = '') {
  const request = { socket: { remoteAddress: peer, localAddress: local }, headers: { host, ...headers } }
  return listOrigins(request as unknown as IncomingMessage, publicUrl)
}

describe('on the machine itself', () => {
  test.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['LocalHost', 'http://localhost'],
    ['lake.localhost:80', 'http://lake.localhost:80'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['127.8.9.1', 'http://127.8.9.1'],
  ])('Host %s is its own origin', (host, origin) => {
    expect(list({ host })).toEqual([origin])
  })

  test.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'xlocalhost',
    '127.0.0.1.evil.example',
    '192.168.1.5:8080',
    '0.0.0.0:8080',
    '',
  ])('Host %s is nobody’s, though DNS may lead it here', (host) => {
    expect(list({ host })).toEqual([])
  })

  test('an address of IPv4 in IPv6 is a loopback address, too', () => {
    expect(list({ peer: '::ffff:127.0.0.1' })).toHaveLength(1)
    expect(list({ peer: '::1', host: 'localhost' })).toHaveLength(1)
  })
})

test.each(['192.0.2.7', '10.0.0.1', '::ffff:192.0.2.7', '2001:db8::1', ''])(
  'from %s nobody may, without TLS',
  (peer) => {
    expect(list({ peer })).toEqual([])
    expect(list({ peer, host: 'localhost:8080' })).toEqual([])
  },
)

test.each(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'])(
  '%s says that a proxy on this machine handed it on',
  (name) => {
    expect(list({ headers: { [name]: 'https' } })).toEqual([])
    expect(list({ headers: { [name]: 'https' } }, PUBLIC)).toEqual([PUBLIC])
  },
)

test('the public address comes first, and the machine itself beside it', () => {
  expect(list({ peer: '192.0.2.7', host: 'lake.acme.com' }, PUBLIC)).toEqual([PUBLIC])
  expect(list({}, PUBLIC)).toEqual([PUBLIC, 'http://127.0.0.1:8080'])
})
