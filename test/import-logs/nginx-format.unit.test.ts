import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { compileLogFormat } from '../../src/import-logs/formats/nginx-format.ts'

const MAIN =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for"'

describe('a log_format is refused', () => {
  it.each([
    [
      '',
      '--log-format lacks $time_local, $time_iso8601 or $msec; $request, or $request_method and $request_uri; $status; $http_user_agent. Give the log_format that the file was written with.',
    ],
    [
      'combined',
      '--log-format lacks $time_local, $time_iso8601 or $msec; $request, or $request_method and $request_uri; $status; $http_user_agent. Give the log_format that the file was written with.',
    ],
    [
      '$remote_addr [$time_local] "$request" $status $body_bytes_sent',
      '--log-format lacks $http_user_agent. Give the log_format that the file was written with.',
    ],
    [
      '[$time_local] $request_method $status "$http_user_agent"',
      '--log-format lacks $request, or $request_method and $request_uri. Give the log_format that the file was written with.',
    ],
    [
      '$remote_addr "$request" $status "$http_user_agent"',
      '--log-format lacks $time_local, $time_iso8601 or $msec. Give the log_format that the file was written with.',
    ],
  ])('when the variables it needs are missing: %j', (format, message) => {
    expect(() => compileLogFormat(format)).toThrow(new UsageError(message))
  })

  it('when the variable named as the address is not in it', () => {
    expect(() => compileLogFormat(MAIN, '$http_cf_connecting_ip')).toThrow(
      new UsageError(
        '--log-format lacks $http_cf_connecting_ip, named as the address. Give the log_format that the file was written with.',
      ),
    )
  })

  it('when two variables touch, or two that hold spaces stand bare', () => {
    expect(() => compileLogFormat('$msec $status$request_time "$request" "$http_user_agent"')).toThrow(
      new UsageError('--log-format: nothing stands between $status and the next variable.'),
    )
    expect(() => compileLogFormat('$msec $status $request $http_user_agent')).toThrow(
      new UsageError(
        "--log-format: $request and $http_user_agent can hold spaces and stand without quotes; such lines can't be split.",
      ),
    )
  })
})

describe('a log_format is taken', () => {
  const line =
    '203.0.113.7 - bob smith [21/Nov/2026:10:57:03 +0000] "GET /a?b=c HTTP/1.1" 200 5 "https://example.org/" "agent \\x22x\\x22" "198.51.100.1"'
  const expected = {
    timeSeconds: 1_795_258_623,
    method: 'GET',
    path: '/a',
    query: 'b=c',
    status: 200,
    userAgent: 'agent "x"',
    referer: 'https://example.org/',
    address: '203.0.113.7',
    forwardedFor: '198.51.100.1',
    host: '',
  }

  it.each([
    ['alone', MAIN],
    ['with braces', MAIN.replace('$status', '${status}')],
    ['in quotes', `'${MAIN}'`],
    ['in several quotes, over several lines', `'${MAIN.slice(0, 60)}'\n    '${MAIN.slice(60)}'`],
    ['as the directive of the configuration', `log_format  main  '${MAIN.slice(0, 60)}'\n    '${MAIN.slice(60)}';`],
    ['as a directive in double quotes', `log_format main "${MAIN.replaceAll('"', '\\"')}";`],
    ['with its escaping', `escape=default '${MAIN}'`],
  ])('%s', (_, format) => {
    expect(compileLogFormat(format)(line)).toEqual(expected)
  })

  it('and its lines are rejected where a second reading is possible', () => {
    const parse = compileLogFormat(
      '$remote_addr|$time_iso8601|$request_method|$request_uri|$status|$http_referer|$http_user_agent',
    )
    const reject = { reject: 'does not fit the log format, or fits it in more than one way' }
    const head = '203.0.113.7|2026-11-21T10:57:03+00:00|GET|/a|200'
    expect(parse(`${head}|-|agent`)).toEqual({
      ...expected,
      query: '',
      referer: '',
      userAgent: 'agent',
      forwardedFor: '',
    })
    expect(parse(`${head}|-|agent|200`)).toEqual(reject)
    expect(parse(`${head}|x|y|agent`)).toEqual(reject)
    expect(parse(`${head}|-`)).toEqual(reject)
    expect(parse('')).toBeUndefined()
    expect(parse(head.replace('2026-11-21', '2026-11-31') + '|-|agent')).toEqual({ reject: 'no readable time' })
    expect(parse(head.replace('|200', '|2000') + '|-|agent')).toEqual({ reject: 'no readable status' })
  })

  it('with the address in another variable', () => {
    const parse = compileLogFormat(MAIN, 'http_x_forwarded_for')
    expect(parse(line)).toEqual({ ...expected, address: '198.51.100.1' })
  })

  it('with method, path and query in variables of their own', () => {
    const parse = compileLogFormat('$msec $request_method "$uri" "$query_string" $status "$http_user_agent"')
    expect(parse('1795258623.001 GET "/a b" "x=1" 200 "agent"')).toEqual({
      ...expected,
      path: '/a b',
      query: 'x=1',
      userAgent: 'agent',
      referer: '',
      address: '',
      forwardedFor: '',
    })
  })
})

describe('a variable ends where nginx documents it, in brackets at its bracket', () => {
  const start = '[21/Nov/2026:10:57:03 +0000]'

  it("in Nginx Proxy Manager's format", () => {
    const parse = compileLogFormat(
      '[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" ' +
        '[Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $server] "$http_user_agent" "$http_referer"',
    )
    const line = `${start} - 502, 200 200 - GET https Example.com "/a?b=c" [Client 203.0.113.7] [Length 5] [Gzip -] [Sent-to my server] "agent" "-"`
    expect(parse(line)).toMatchObject({
      path: '/a',
      status: 200,
      address: '203.0.113.7',
      userAgent: 'agent',
      host: 'example.com',
    })
  })

  it('unless a client writes the value, which then must be found in one way only', () => {
    const parse = compileLogFormat(
      '$time_iso8601 $remote_addr "$request" $status [$http_user_agent] [$http_referer] $request_time',
    )
    const head = '2026-11-21T10:57:03+00:00 203.0.113.7 "GET /a HTTP/1.1" 200'
    expect(parse(`${head} [agent [1] x] [-] 0.1`)).toMatchObject({ userAgent: 'agent [1] x', referer: '' })
    expect(parse(`${head} [agent] [https://chatgpt.com/] [-] 0.1`)).toHaveProperty('reject')
  })

  it('and lists of upstreams may have any number of members', () => {
    const parse = compileLogFormat(
      '$msec $remote_user "$request" $status $upstream_addr $upstream_status "$http_user_agent"',
    )
    for (const lists of [
      '- -',
      '10.0.0.1:80 200',
      '10.0.0.1:80, 10.0.0.2:80 502, 200',
      '10.0.0.1:80 : unix:/a.sock 404 : 200',
    ]) {
      expect(parse(`1795258623.001 bob smith "GET /a HTTP/1.1" 200 ${lists} "agent"`)).toMatchObject({
        path: '/a',
        status: 200,
        userAgent: 'agent',
      })
    }
    expect(parse('1795258623.001 - "GET /a HTTP/1.1" 200 10.0.0.1:80 10.0.0.2:80 200 "agent"')).toHaveProperty('reject')
  })
})
