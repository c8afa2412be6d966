import { describe, expect, it, test } from 'vitest'
import { findLinkOrigin, findServedOrigin, isLoopback, type LinkSettings } from '../../cli/link-origin.ts'
import { parseConfig } from '../../src/config.ts'

it('only addresses that other machines reach are warned of', () => {
  const hosts = ['127.0.0.1', '127.1.2.3', '[::1]', '0.0.0.0', '[::]', '10.0.0.1', '127.0.0.1.example']
  expect(hosts.filter((host) => !isLoopback(host))).toEqual(['0.0.0.0', '[::]', '10.0.0.1', '127.0.0.1.example'])
})

test.each([
  ['http://127.0.0.1:9000', {}, 'http://127.0.0.1:9000'],
  ['http://[::1]:9000', {}, 'http://[::1]:9000'],
  ['http://0.0.0.0:9000', {}, 'http://127.0.0.1:9000'],
  ['http://[::]:9000', {}, 'http://127.0.0.1:9000'],
  ['http://127.0.0.1:80', {}, 'http://127.0.0.1'],
  // Nobody can use a dashboard there: it is clear text, and no loopback address.
  ['http://192.0.2.7:9000', {}, undefined],
  ['http://192.0.2.7:9000', { public_url: 'https://lake.acme.com' }, 'https://lake.acme.com'],
  ['http://127.0.0.1:9000', { public_url: 'https://lake.acme.com' }, 'https://lake.acme.com'],
  ['http://127.0.0.1:9000', { dashboard: false }, undefined],
])('a server at %s with the settings %j shows the dashboard at %s', (url, settings, origin) => {
  const config = parseConfig({ dataDir: '/data', environment: {} }, settings, 'config.json')
  expect(findServedOrigin(url, config)).toBe(origin)
})

describe('a link begins', () => {
  const SETTINGS: LinkSettings = { publicUrl: '', host: '127.0.0.1', port: 8080, isGiven: false }
  const begin = (served: readonly string[], settings: Partial<LinkSettings>) =>
    findLinkOrigin(
      { servedOrigins: { enter: () => ({ leave: () => {} }), list: () => [...served] } },
      {
        ...SETTINGS,
        ...settings,
      },
    )
  const LOCAL = ['http://127.0.0.1:9000', 'http://127.0.0.1:9001']
  const SHOWN = 'https://shown.acme.com'
  const SET = 'https://set.acme.com'

  test.each([
    ['with what was given, whatever is served', [SHOWN, ...LOCAL], { publicUrl: SET, isGiven: true }, SET],
    ['where a server shows it', LOCAL, {}, LOCAL[0]],
    ['where a server shows it to others, before this machine alone', [...LOCAL, SHOWN], {}, SHOWN],
    ['where a server shows it, before the settings of now', [SHOWN], { publicUrl: SET }, SHOWN],
    ['at the public address of the settings, before this machine', LOCAL, { publicUrl: SET }, SET],
  ] as const)('%s', (_, served, settings, origin) => {
    expect(begin(served, settings)).toEqual({ origin, isGuessed: false })
  })

  test.each([
    [{}, 'http://127.0.0.1:8080'],
    [{ port: 9000 }, 'http://127.0.0.1:9000'],
    [{ host: '0.0.0.0' }, 'http://127.0.0.1:8080'],
    [{ host: '::1' }, 'http://[::1]:8080'],
    [{ host: '127.0.0.2' }, 'http://127.0.0.2:8080'],
  ])('where one with the settings %j would show it, when none does', (settings, origin) => {
    expect(begin([], settings)).toEqual({ origin, isGuessed: true })
  })
})
