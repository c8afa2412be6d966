import { describe, expect, it } from 'vitest'
import { LOG_REQUEST_IDS_MAX } from '../../src/log-limits.ts'
import { UsageError } from '../../src/errors.ts'
import { findClientAddress } from '../../src/import-logs/client-address.ts'
import type { Parsed } from '../../src/import-logs/formats/log-line.ts'
import { createLogFormatReader, createLogReader, type LogReader } from '../../src/import-logs/reader.ts'

function parse(reader: LogReader, line: string): Parsed {
  return reader.parse(line, 0, line.length)
}

function addressOf(parsed: Parsed): string | undefined {
  return parsed !== undefined && 'address' in parsed ? parsed.address : undefined
}

describe('the address behind proxies', () => {
  it.each([
    ['192.0.2.66, 203.0.113.7', 1, '203.0.113.7'],
    ['192.0.2.66, 203.0.113.7', 2, '192.0.2.66'],
    ['192.0.2.66, 203.0.113.7', 3, '192.0.2.66'],
    ['203.0.113.7', 0, '10.0.0.1'],
    ['', 1, '10.0.0.1'],
    [' , 203.0.113.7:4711 ,', 1, '203.0.113.7'],
    ['[2001:db8::7]:4711', 1, '2001:db8::7'],
    ['2001:db8::7', 1, '2001:db8::7'],
  ])('of %j with %i trusted is %s', (forwardedFor, trustedProxies, address) => {
    expect(findClientAddress(forwardedFor, '10.0.0.1', trustedProxies)).toBe(address)
  })

  const line = '10.0.0.1 - - [21/Nov/2026:10:57:03 +0000] "GET / HTTP/1.1" 200 5 "-" "x" "192.0.2.66, 203.0.113.7"'

  it('is taken from X-Forwarded-For only when the operator says how many proxies to trust', () => {
    expect(addressOf(parse(createLogReader('combined'), line))).toBe('10.0.0.1')
    expect(addressOf(parse(createLogReader('combined', { trustedProxies: 1 }), line))).toBe('203.0.113.7')
  })

  it('is refused for logs that have no such header', () => {
    for (const format of ['common', 'alb', 'elb', 's3', 'gcp-lb', 'vercel', 'azure', 'bunnycdn'] as const) {
      expect(() => createLogReader(format, { trustedProxies: 1 })).toThrow(
        new UsageError(`--trusted-proxies: ${format} logs have no X-Forwarded-For.`),
      )
    }
    expect(() => createLogFormatReader('$msec "$request" $status "$http_user_agent"', { trustedProxies: 1 })).toThrow(
      new UsageError('--trusted-proxies: the --log-format has no $http_x_forwarded_for.'),
    )
  })
})

describe('an address field', () => {
  it('is refused for logs that name no fields', () => {
    for (const format of ['combined', 'common', 'vhost-combined', 'alb', 'elb', 's3'] as const) {
      expect(() => createLogReader(format, { addressField: 'x' })).toThrow(
        new UsageError(`--address-field: ${format} logs don't name their fields. Use --log-format to name them.`),
      )
    }
  })

  it('is a column of W3C logs, and its absence is said of every line', () => {
    const reader = createLogReader('w3c', { addressField: 'True-Client-IP' })
    expect(parse(reader, '#Fields: date time c-ip cs-method cs-uri-stem sc-status true-client-ip')).toBeUndefined()
    expect(addressOf(parse(reader, '2026-11-21 10:57:03 10.0.0.1 GET / 200 203.0.113.7'))).toBe('203.0.113.7')
    expect(parse(reader, '#Fields: date time c-ip cs-method cs-uri-stem sc-status')).toBeUndefined()
    expect(parse(reader, '2026-11-21 10:57:03 10.0.0.1 GET / 200')).toEqual({
      reject: '#Fields names no True-Client-IP',
    })
  })
})

describe('a W3C log', () => {
  const fields = '#Fields: date time c-ip cs-method cs-uri-stem sc-status'
  const line = '2026-11-21 10:57:03 203.0.113.7 GET /a 200'

  it('can be read on from the middle with the header that was in force', () => {
    const first = createLogReader('w3c')
    expect(first.state).toBeUndefined()
    expect(parse(first, line)).toEqual({ reject: 'no #Fields line before it' })
    parse(first, fields)
    expect(first.state).toBe(fields)
    const second = createLogReader('w3c', { state: first.state })
    expect(parse(second, line)).toEqual(parse(first, line))
    expect(parse(second, line)).toHaveProperty('path', '/a')
  })
})

describe('a Vercel log', () => {
  const record = (id: number): string =>
    JSON.stringify({
      requestId: `r${id}`,
      proxy: { timestamp: 1_795_258_623_000, method: 'GET', path: '/', statusCode: 200 },
    })

  it('remembers a bounded number of requests', () => {
    const reader = createLogReader('vercel')
    expect(parse(reader, record(0))).toBeDefined()
    for (let id = 1; id < LOG_REQUEST_IDS_MAX; id++) parse(reader, record(id))
    expect(parse(reader, record(0))).toBeUndefined()
    expect(parse(reader, record(LOG_REQUEST_IDS_MAX))).toBeDefined()
    expect(parse(reader, record(0))).toBeDefined()
  })
})

describe('the host of a line', () => {
  it.each([
    [
      'vhost-combined',
      'WWW.Example.com.:443 203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET / HTTP/1.1" 200 5 "-" "x"',
    ],
    [
      'combined',
      '203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET http://WWW.example.com:80/ HTTP/1.1" 200 5 "-" "x"',
    ],
    ['nginx-json', '{"time":1795258623,"method":"GET","uri":"/","status":200,"host":"WWW.Example.com:8443"}'],
    [
      'cloudflare',
      '{"EdgeStartTimestamp":1795258623,"ClientRequestMethod":"GET","ClientRequestURI":"/","EdgeResponseStatus":200,"ClientRequestHost":"www.EXAMPLE.com"}',
    ],
  ] as const)('is lower-case and has no port: %s', (format, line) => {
    expect(parse(createLogReader(format), line)).toHaveProperty('host', 'www.example.com')
  })

  it('is not what servers write where the client named none', () => {
    const record = { time: 1_795_258_623, method: 'GET', uri: '/', status: 200, hostname: 'web-01' }
    for (const host of ['_', '-', '']) {
      expect(parse(createLogReader('nginx-json'), JSON.stringify({ ...record, host }))).toHaveProperty('host', '')
    }
  })

  it("is not the distribution's own in CloudFront's logs", () => {
    const fields = '#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status'
    const line = '2026-11-21 10:57:03 203.0.113.7 GET d111.cloudfront.net / 200'
    expect(parse(createLogReader('cloudfront', { state: fields }), line)).toHaveProperty('host', '')
    expect(parse(createLogReader('w3c', { state: fields }), line)).toHaveProperty('host', 'd111.cloudfront.net')
  })
})

describe('names of fields', () => {
  const record = { page: '/a?b=c', meta: { 'user agent': 'GPTBot/1.3', at: '2026-11-21T10:57:03Z' } }
  const fields = { path: 'page', ua: 'meta.user agent', time: 'meta.at' }

  it('can be given one by one, for JSON and logfmt', () => {
    const expected = {
      path: '/a',
      query: 'b=c',
      userAgent: 'GPTBot/1.3',
      method: 'GET',
      status: 0,
      timeSeconds: 1_795_258_623,
    }
    expect(parse(createLogReader('nginx-json', { fields }), JSON.stringify(record))).toMatchObject(expected)
    const named = createLogReader('logfmt', { fields: { path: 'page', ua: 'browser', time: 'at' } })
    expect(parse(named, 'at=2026-11-21T10:57:03Z page="/a?b=c" browser=GPTBot/1.3')).toMatchObject(expected)
  })

  it('are refused for logs that have none', () => {
    for (const format of ['combined', 'w3c', 'alb'] as const) {
      expect(() => createLogReader(format, { fields })).toThrow(
        new UsageError(`--field: ${format} logs aren't read by the names of fields, only JSON and logfmt are.`),
      )
    }
    expect(() => createLogFormatReader('$msec "$request" $status "$http_user_agent"', { fields })).toThrow(
      new UsageError('--field: --log-format names its fields itself.'),
    )
  })
})

describe('an address field within what a collector wrote', () => {
  it('is found in the record, however it is wrapped', () => {
    const reader = createLogReader('nginx-json', { addressField: 'real.ip' })
    const record = JSON.stringify({
      time: 1_795_258_623,
      method: 'GET',
      uri: '/',
      status: 200,
      real: { ip: '203.0.113.7' },
    })
    for (const line of [
      record,
      `web-1  | ${record}`,
      `2026-11-21T10:57:03.1Z stdout F ${record}`,
      JSON.stringify({ log: `${record}\n`, stream: 'stdout', time: '2026-11-21T10:57:03Z' }),
    ]) {
      expect(addressOf(parse(reader, line))).toBe('203.0.113.7')
    }
    expect(
      addressOf(
        parse(
          createLogReader('logfmt', { addressField: 'from' }),
          'time=1795258623 method=GET path=/ status=200 from=203.0.113.7',
        ),
      ),
    ).toBe('203.0.113.7')
  })
})

describe('a line in parts', () => {
  const whole = '203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.3"'
  const at = '2026-11-21T10:57:03.1Z'

  it('is one line, though the other stream writes between', () => {
    const reader = createLogReader('combined')
    expect(parse(reader, `${at} stdout P ${whole.slice(0, 30)}`)).toBeUndefined()
    expect(parse(reader, `${at} stderr F something`)).toBeUndefined()
    expect(parse(reader, `${at} stdout P ${whole.slice(30, 60)}`)).toBeUndefined()
    expect(parse(reader, `${at} stdout F ${whole.slice(60)}`)).toEqual(parse(createLogReader('combined'), whole))
    expect(parse(reader, `${at} stdout F ${whole}`)).toEqual(parse(createLogReader('combined'), whole))
  })

  it("is one line in Docker's files too, where it is as long as Docker cuts", () => {
    const long = whole.replace('/a', `/${'a'.repeat(20_000)}`)
    const reader = createLogReader('combined')
    const wrap = (log: string): string => JSON.stringify({ log, stream: 'stdout', time: at })
    expect(parse(reader, wrap(long.slice(0, 16_384)))).toBeUndefined()
    expect(parse(reader, wrap(`${long.slice(16_384)}\n`))).toHaveProperty('path', `/${'a'.repeat(20_000)}`)
  })
})
