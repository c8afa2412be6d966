import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOG_FORMATS, type LogFormat } from '../../src/import-logs/formats.ts'
import type { LogLine, Parsed } from '../../src/import-logs/formats/log-line.ts'
import { createLogFormatReader, createLogReader, type LogReader } from '../../src/import-logs/reader.ts'
import { apacheEscape, hostileText, nginxEscape, percentEscape } from './encoders.ts'

const NGINX = '$remote_addr [$time_local] "$request" $status "$http_referer" "$http_user_agent" $host'
const PIPES = '$time_iso8601|$remote_addr|$request_method|$request_uri|$status|$http_referer|$http_user_agent'
const W3C = '#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs(Referer)'

function parse(reader: LogReader, line: string): Parsed {
  return reader.parse(line, 0, line.length)
}

/** How each format writes a request with these two headers; what the rest of the line says never changes. */
const WRITERS: readonly (readonly [string, () => LogReader, (agent: string, referer: string) => string])[] = [
  [
    'alb',
    () => createLogReader('alb'),
    (agent) =>
      `https 2026-11-21T10:57:03.186641Z app/lb/50dc 203.0.113.7:2817 10.0.0.1:80 0.0 0.0 0.0 200 200 34 366 "GET https://example.com:443/a HTTP/2.0" "${nginxEscape(agent)}" ECDHE TLSv1.2 arn "Root=1" "example.com" "-" 0 - "forward"`,
  ],
  [
    'elb',
    () => createLogReader('elb'),
    (agent) =>
      `2026-11-21T10:57:03.945958Z lb 203.0.113.7:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 29 "GET http://example.com:80/a HTTP/1.1" "${apacheEscape(agent)}" - -`,
  ],
  [
    'nginx-json',
    () => createLogReader('nginx-json'),
    (ua, referer) =>
      JSON.stringify({
        time: '2026-11-21T10:57:03Z',
        ip: '203.0.113.7',
        host: 'example.com',
        method: 'GET',
        uri: '/a',
        status: 200,
        referer,
        ua,
      }),
  ],
  [
    'caddy',
    () => createLogReader('caddy'),
    (agent, referer) =>
      JSON.stringify({
        ts: 1795258623.5,
        logger: 'http.log.access',
        request: {
          client_ip: '203.0.113.7',
          method: 'GET',
          host: 'example.com',
          uri: '/a',
          headers: { 'User-Agent': [agent], Referer: [referer] },
        },
        status: 200,
      }),
  ],
  [
    'log_format, default escaping',
    () => createLogFormatReader(NGINX),
    (agent, referer) =>
      `203.0.113.7 [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 "${nginxEscape(referer)}" "${nginxEscape(agent)}" example.com`,
  ],
  [
    'log_format, escape=json',
    () => createLogFormatReader(`escape=json ${NGINX}`),
    (agent, referer) =>
      `203.0.113.7 [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 ${JSON.stringify(referer)} ${JSON.stringify(agent)} example.com`,
  ],
]

const known: LogLine = {
  timeSeconds: 1_795_258_623,
  method: 'GET',
  path: '/a',
  query: '',
  status: 200,
  userAgent: '',
  referer: '',
  address: '203.0.113.7',
  forwardedFor: '',
  host: 'example.com',
}

describe('user agents and referers come back as the client sent them', () => {
  it.each(WRITERS)('%s', (name, open, write) => {
    const reader = open()
    fc.assert(
      fc.property(hostileText, hostileText, (agent, sent) => {
        const referer = name === 'alb' || name === 'elb' ? '' : sent
        expect(parse(reader, write(agent, referer))).toEqual({ ...known, userAgent: agent, referer })
      }),
      { numRuns: 1_000 },
    )
  })

  it('cloudfront', () => {
    const reader = createLogReader('cloudfront')
    parse(reader, W3C)
    // Without a space of its own a user agent can't be told from one that was encoded twice.
    const agents = hostileText.map((text) => `agent ${text}`)
    fc.assert(
      fc.property(agents, hostileText, (userAgent, referer) => {
        const values = [
          '2026-11-21',
          '10:57:03',
          '203.0.113.7',
          'GET',
          '/a',
          '200',
          percentEscape(userAgent),
          percentEscape(referer),
        ]
        const line = values.map((value) => (value === '' ? '-' : value)).join('\t')
        expect(parse(reader, line)).toEqual({ ...known, userAgent, referer, host: '' })
      }),
      { numRuns: 1_000 },
    )
  })

  it('w3c, but for pluses and for quotes around the whole', () => {
    const reader = createLogReader('w3c')
    parse(reader, W3C)
    const sendable = hostileText
      .map((text) => text.replace(/[\s+]+/g, ' ').trim())
      .filter((text) => !/^"|^-?$/.test(text))
    fc.assert(
      fc.property(sendable, (userAgent) => {
        const line = `2026-11-21 10:57:03 203.0.113.7 GET /a 200 ${userAgent.replaceAll(' ', '+')} -`
        expect(parse(reader, line)).toEqual({ ...known, userAgent, host: '' })
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('where the writer escapes nothing, a line is read right or rejected', () => {
  it.each([
    [
      'traefik',
      () => createLogReader('traefik'),
      (agent: string, referer: string) =>
        `203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5 "${referer || '-'}" "${agent || '-'}" 12 "web@docker" "http://10.0.0.5:80" 3ms`,
    ],
    [
      's3',
      () => createLogReader('s3'),
      (agent: string, referer: string) =>
        `owner bucket [21/Nov/2026:10:57:03 +0000] 203.0.113.7 - 3E57 REST.GET.OBJECT key "GET /a HTTP/1.1" 200 - 113 113 7 6 "${referer || '-'}" "${agent || '-'}" - hostid= SigV4 ECDHE AuthHeader example.com TLSv1.2 - -`,
    ],
    [
      'log_format with pipes',
      () => createLogFormatReader(PIPES),
      (agent: string, referer: string) =>
        `2026-11-21T10:57:03+00:00|203.0.113.7|GET|/a|200|${nginxEscape(referer) || '-'}|${nginxEscape(agent) || '-'}`,
    ],
  ] as const)('%s', (_, open, write) => {
    const reader = open()
    let read = 0
    fc.assert(
      fc.property(hostileText, hostileText, (userAgent, referer) => {
        const parsed = parse(reader, write(userAgent, referer))
        if (parsed === undefined || 'reject' in parsed) return
        read += 1
        expect(parsed).toEqual({ ...known, userAgent, referer, host: '' })
      }),
      { numRuns: 3_000 },
    )
    expect(read).toBeGreaterThan(1_000)
  })
})

describe('where the writer escapes nothing and names the host, a line is read right or rejected', () => {
  it.each([
    [
      'envoy',
      (agent: string) =>
        `[2026-11-21T10:57:03.310Z] "GET /a HTTP/2" 200 - 0 154 226 100 "198.51.100.4" "${agent || '-'}" "cc21" "example.com" "10.0.2.1:80" cluster 10.0.0.1:1 10.0.0.2:443 203.0.113.7:5678 - default`,
      '198.51.100.4',
    ],
    [
      'bunnycdn',
      (agent: string) =>
        `HIT|200|1795258623421|412|390|203.0.113.7|-|https://example.com/a|WA|${agent || '-'}|322b688b|DE`,
      '',
    ],
  ] as const)('%s', (format, write, forwardedFor) => {
    const reader = createLogReader(format)
    let read = 0
    fc.assert(
      fc.property(hostileText, (agent) => {
        const userAgent = agent.trim() === '-' ? '' : agent.trim()
        const parsed = parse(reader, write(userAgent))
        if (parsed === undefined || 'reject' in parsed) return
        read += 1
        expect(parsed).toEqual({ ...known, userAgent, forwardedFor })
      }),
      { numRuns: 2_000 },
    )
    expect(read).toBeGreaterThan(500)
  })
})

describe('any line at all', () => {
  const readers = (): readonly LogReader[] => [
    ...LOG_FORMATS.map((format: LogFormat) => createLogReader(format)),
    createLogReader('w3c', { state: W3C }),
    createLogReader('combined', { trustedProxies: 2 }),
    createLogFormatReader(NGINX),
    createLogFormatReader(`escape=none ${PIPES}`),
    createLogFormatReader('$msec $remote_addr $status $request_method $request_uri "$http_referer" $http_user_agent'),
  ]

  it('is read, rejected or no record, and never an exception', () => {
    const all = readers()
    const piece = fc.oneof(
      hostileText,
      fc.constantFrom(
        '#Fields: ',
        '{"',
        '[21/Nov/2026:10:57:03 +0000]',
        'GET / HTTP/1.1',
        ' 200 5 ',
        '2026-11-21T10:57:03Z',
        '{}',
        '[]',
        'null',
        '{"proxy":{}}',
      ),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        for (const reader of all) {
          const parsed = parse(reader, pieces.join(' '))
          if (parsed !== undefined && !('reject' in parsed)) expect(Number.isInteger(parsed.timeSeconds)).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes time in proportion to its length', () => {
    const fields = [
      '"',
      '\\',
      '\\"',
      ' "',
      '" "',
      '"" ',
      ' ',
      '[',
      '] "',
      ' - - [',
      '%',
      '%2',
      '\\x',
      '\\x2',
      '{"',
      '",',
      ' 1 "a"',
      ' HTTP/1.1',
      '|',
      '+',
      '\t',
      ', ',
      '-',
      'a',
    ]
    const all = readers()
    for (const field of fields) {
      const long = field.repeat(250_000 / field.length)
      const lines = [
        long,
        `203.0.113.7 - ${long} [21/Nov/2026:10:57:03 +0000] "GET / HTTP/1.1" 200 5 "-" "-"`,
        `203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /${long} HTTP/1.1" 200 5 "-" "-"`,
        `203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET / HTTP/1.1" 200 5 "-" "${long}" 12 "web@docker" "http://10.0.0.5:80" 3ms`,
        `owner bucket [21/Nov/2026:10:57:03 +0000] 203.0.113.7 - 3E57 REST.GET.OBJECT key "GET /${long} HTTP/1.1" 200 - 113 113 7 6 "-" "-" - hostid=`,
        `2026-11-21 10:57:03 203.0.113.7 GET /a 200 ${long} -`,
        `1795258623.5 203.0.113.7 200 GET /a "${long}" agent`,
        `2026-11-21T10:57:03+00:00|203.0.113.7|GET|/a|200|${long}|x`,
        `{"time":"2026-11-21T10:57:03Z","method":"GET","uri":"/","status":200,"ua":"${long}"}`,
        `<134>${long}`,
      ]
      for (const reader of all) {
        for (const line of lines) {
          const before = performance.now()
          parse(reader, line)
          // A quarter of a megabyte takes milliseconds; what grows with the square would take minutes.
          expect(performance.now() - before, `${reader.state ?? ''} ${line.slice(0, 60)}`).toBeLessThan(2_000)
        }
      }
    }
  }, 240_000)
})
