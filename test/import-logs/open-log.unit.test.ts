import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CommandError, UsageError } from '../../src/errors.ts'
import { openInput } from '../../src/input/open.ts'
import { LOG_FORMATS } from '../../src/import-logs/formats.ts'
import { type LogOptions, openLog } from '../../src/import-logs/open-log.ts'
import { LOG_LINE_BYTES_MAX, LOG_SAMPLE_BYTES_MAX } from '../../src/log-limits.ts'

const LINE = '203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5 "-" "agent"\n'

async function read(
  content: string | Buffer,
  options: Partial<LogOptions> = {},
): Promise<{ format: string | undefined; found: unknown[] }> {
  await using input = await openInput('-', { stdin: Readable.from([Buffer.from(content)]) })
  const log = await openLog(input, { format: 'auto', ...options })
  const found: unknown[] = []
  if (!log) return { format: undefined, found }
  const { format, splitter, reader } = log
  const visitor = {
    line(text: string, start: number, end: number) {
      const parsed = reader.parse(text, start, end)
      if (parsed !== undefined) found.push([splitter.number, 'reject' in parsed ? parsed.reject : parsed.path])
    },
    fault: (reason: string) => void found.push([splitter.number, reason]),
  }
  for await (const chunk of input) splitter.push(chunk, visitor)
  splitter.end(visitor)
  return { format, found }
}

describe('the format of a log', () => {
  it('is recognised although some of its first lines are no records', async () => {
    expect(await read(`\n\ngarbage\n${LINE}${LINE}`)).toEqual({
      format: 'combined',
      found: [
        [3, 'no time like [17/May/2015:10:05:03 +0000] before the request'],
        [4, '/a'],
        [5, '/a'],
      ],
    })
  })

  it('is any format when the log is empty', async () => {
    expect(await read('')).toEqual({ format: 'combined', found: [] })
    expect(await read('\n \n')).toMatchObject({ format: 'combined' })
    expect(await read('#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status\n')).toEqual({
      format: 'w3c',
      found: [],
    })
    expect(await read('[]')).toMatchObject({ found: [] })
  })

  it('is told by whole lines, and not yet by half a first line or half a header', async () => {
    expect(await read(`${LINE}${LINE.slice(0, 60)}`)).toMatchObject({ format: 'combined' })
    expect(await read(LINE.trimEnd())).toEqual({ format: 'combined', found: [[1, '/a']] })
    for (const head of ['#Software: IIS\n', '#Version: 1.0\n#Fie'])
      expect(await read(head)).toMatchObject({ format: undefined })
    for (let cut = 1; cut < LINE.length - 2; cut++) {
      expect(await read(LINE.slice(0, cut))).toEqual({ format: undefined, found: [] })
    }
  })

  it.each([
    ['text', 'hello\nworld\n', '"hello"'],
    ['JSON of something else', '{"a":1}\n', '"{\\"a\\":1}"'],
    ['an array of something else', '[{"a":1}]', '"{\\"a\\":1}"'],
    ['mostly broken lines', `x\ny\n${LINE}`, '"x"'],
    ['one endless line', 'z'.repeat(LOG_SAMPLE_BYTES_MAX + 10), `"${'z'.repeat(120)}…"`],
    [
      'a time in another form',
      '203.0.113.7 - - [2026-11-21T10:57:03Z] "GET / HTTP/1.1" 200 5 "-" "x"\n',
      '"203.0.113.7 - - [2026-11-21T10:57:03Z] \\"GET / HTTP/1.1\\" 200 5 \\"-\\" \\"x\\""',
    ],
  ])('is refused for %s, with what was looked for and what to do', async (_, content, excerpt) => {
    await expect(read(content)).rejects.toThrow(
      new CommandError(
        `standard input: its first lines are in none of the known formats (${LOG_FORMATS.join(', ')}). ` +
          `Name the format with --format, or give nginx's log_format with --log-format. It begins: ${excerpt}`,
      ),
    )
  })

  it('is refused for UTF-16, which some tools of Windows write', async () => {
    await expect(read(Buffer.from(`\uFEFF${LINE}`, 'utf16le'))).rejects.toThrow(
      new CommandError('standard input: is UTF-16. Convert it first, for example: iconv -f UTF-16 -t UTF-8'),
    )
  })

  it('is believed when it is named, and its lines are then read or rejected', async () => {
    expect(await read(LINE, { format: 'common' })).toEqual({
      format: 'common',
      found: [[1, 'more fields than the common format has']],
    })
    expect(await read(LINE, { format: 'vhost-combined' })).toEqual({
      format: 'vhost-combined',
      found: [[1, 'no virtual host before the address']],
    })
  })

  it('is an nginx log_format when one is given', async () => {
    const logFormat =
      '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"'
    expect(await read(LINE, { logFormat })).toEqual({ format: 'log-format', found: [[1, '/a']] })
    await expect(read(LINE, { logFormat: '$request' })).rejects.toBeInstanceOf(UsageError)
  })
})

describe('a log of several kinds of lines', () => {
  const common = LINE.replace(' "-" "agent"', '').replace('/a', '/common')

  it('is recognised behind comments and what a server said when it started', async () => {
    const before = [
      '# made by a tool',
      '# of ours',
      '/docker-entrypoint.sh: Configuration complete',
      '2026/11/21 10:57:03 [notice] 1#1: start',
    ]
    expect(await read(`${before.join('\n')}\n${LINE}`)).toEqual({ format: 'combined', found: [[5, '/a']] })
  })

  it('has a line of the common format read among combined ones, and a log of nothing else is common', async () => {
    for (const lines of [common + LINE, LINE + common, common + common + common + LINE])
      expect(await read(lines)).toMatchObject({
        format: 'combined',
        found: expect.arrayContaining([[expect.anything(), '/common']]),
      })
    expect((await read(common + LINE)).found).toEqual([
      [1, '/common'],
      [2, '/a'],
    ])
    expect(await read(common + common)).toMatchObject({ format: 'common' })
    expect(await read(`www.example.com ${LINE}www.example.com ${common}`)).toMatchObject({ format: 'vhost-combined' })
  })
})

describe('a log', () => {
  it('has too long lines rejected one by one', async () => {
    const long = LINE.replace('agent', 'x'.repeat(LOG_LINE_BYTES_MAX))
    expect(await read(gzipSync(LINE + long + LINE))).toEqual({
      format: 'combined',
      found: [
        [1, '/a'],
        [2, 'too long: over 1048576 bytes'],
        [3, '/a'],
      ],
    })
  })

  it('takes user agent, referer and path of 64 KB, even with every byte escaped', async () => {
    const long = '\\x22'.repeat(65_536)
    const { found } = await read(
      `${LINE}203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /${long} HTTP/1.1" 200 5 "${long}" "${long}"\n`,
    )
    expect(found).toEqual([
      [1, '/a'],
      [2, `/${'"'.repeat(65_536)}`],
    ])
  })

  it('that is a JSON array in one line longer than what is looked at is read record by record', async () => {
    const record = {
      timestamp: '2026-11-21T10:57:03Z',
      httpRequest: { requestMethod: 'GET', requestUrl: 'https://example.com/a', status: 200 },
    }
    const { format, found } = await read(JSON.stringify(Array.from({ length: 5_000 }, () => record)))
    expect(format).toBe('gcp-lb')
    expect(found).toHaveLength(5_000)
    expect(new Set(found.map((each) => JSON.stringify(each)))).toEqual(new Set(['[1,"/a"]']))
  })
})
