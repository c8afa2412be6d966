import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openInput } from '../../src/input/open.ts'
import type { ImportLogsOptions } from '../../src/import-logs/import-options.ts'
import { isRejected, type Parsed } from '../../src/import-logs/formats/log-line.ts'
import { type LogOptions, openLog } from '../../src/import-logs/open-log.ts'
import { createLogFormatReader, createLogReader } from '../../src/import-logs/reader.ts'
import { hits, line, openLogSite } from './support/log-site.ts'

const CASES = join(import.meta.dirname, 'cases')
const W3C = '#Software: Microsoft Internet Information Services 10.0\n'
const w3c = (fields: string, ...rows: string[]): string => `${W3C}#Fields: ${fields}\n${rows.join('')}`

/** Logs of four hits of GPTBot on paths of their own; cut anywhere in the last line, all must be there in the end. */
const LOGS: readonly (readonly [string, string, Partial<ImportLogsOptions>])[] = [
  ['combined', hits(1, 4), {}],
  [
    'combined behind a proxy',
    hits(1, 4).replaceAll('"GPTBot/1.3"', '"GPTBot/1.3" "192.0.2.7, 10.0.0.1"'),
    { trustedProxies: 1 },
  ],
  [
    'W3C with the user agent last',
    w3c(
      'date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)',
      ...[1, 2, 3, 4].map(
        (path) => `2026-11-20 10:05:03 192.0.2.7 GET /${path} 200 Mozilla/5.0+(compatible;+GPTBot/1.3)\n`,
      ),
    ),
    {},
  ],
  [
    'W3C with the path last',
    w3c(
      'date time c-ip cs-method sc-status cs(User-Agent) cs-uri-stem',
      ...[1, 2, 3, 4].map((path) => `2026-11-20 10:05:03 192.0.2.7 GET 200 GPTBot/1.3 /section/${path}\n`),
    ),
    {},
  ],
  [
    'W3C with quotes',
    w3c(
      'date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) time-taken',
      ...[1, 2, 3, 4].map(
        (path) => `2026-11-20 10:05:03 192.0.2.7 GET /${path} 200 "Mozilla/5.0 (compatible; GPTBot/1.3)" 12\n`,
      ),
    ),
    {},
  ],
  [
    'an nginx format with the user agent last',
    [1, 2, 3, 4]
      .map((path) => `192.0.2.7 [20/Nov/2026:10:05:03 +0000] "GET /${path} HTTP/1.1" 200 Mozilla/5.0 (GPTBot/1.3)\n`)
      .join(''),
    { logFormat: '$remote_addr [$time_local] "$request" $status $http_user_agent' },
  ],
  [
    'an nginx format with a user agent without quotes in its midst',
    [1, 2, 3, 4]
      .map((path) => `[20/Nov/2026:10:05:03 +0000] "GET /${path} HTTP/1.1" 200 Mozilla/5.0 (x; y; GPTBot/1.3) 1 2\n`)
      .join(''),
    { logFormat: '[$time_local] "$request" $status $http_user_agent $connection $connection_requests' },
  ],
  [
    'JSON lines',
    [1, 2, 3, 4]
      .map((path) =>
        JSON.stringify({ time: '2026-11-20T10:05:03Z', method: 'GET', uri: `/${path}`, status: 200, ua: 'GPTBot/1.3' }),
      )
      .map((record) => `${record}\n`)
      .join(''),
    {},
  ],
  [
    'fastly',
    hits(1, 4)
      .replaceAll(/^/gm, '<134>2026-11-20T10:05:03Z cache-fra1 logs[1]: ')
      .replace(/<134>[^<]*$/, ''),
    { format: 'fastly' },
  ],
]

describe.each(LOGS)('a growing log, %s', (_, whole, options) => {
  const lastStart = whole.lastIndexOf('\n', whole.length - 2) + 1

  it('has each line counted once, wherever it was cut', async () => {
    await using site = await openLogSite()
    // At most of these places the line could be read, though its last text isn't whole.
    const cuts = [lastStart + 30, whole.length - 12, whole.length - 3, whole.length - 1]
    for (const cut of cuts) {
      const other = site.app.catalog.sites.create({ name: 'Other', domain: `cut-${cut}.example` })
      const path = site.write(`${cut}.log`, whole.slice(0, cut))
      const before = await site.import(path, { ...options, site: other })
      writeFileSync(path, whole)
      const after = await site.import(path, { ...options, site: other })
      expect([cut, before.bot_hits + after.bot_hits, before.rejected + after.rejected]).toEqual([cut, 4, 0])
    }
  })

  it('has nothing taken of half a line but what the whole line says', async () => {
    await expectHalvesToSayTheSame(Buffer.from(whole), options)
  })
})

describe.each(readdirSync(CASES))('a growing log, %s', (format) => {
  it.each(readdirSync(join(CASES, format)))(
    '%s, has nothing taken of half a line but what the whole line says',
    async (name) => {
      const directory = join(CASES, format, name)
      const input = readdirSync(directory).find((file) => file.startsWith('input.')) ?? ''
      const optionsPath = join(directory, 'options.json')
      const options = existsSync(optionsPath) ? JSON.parse(readFileSync(optionsPath, 'utf8')) : {}
      await expectHalvesToSayTheSame(readFileSync(join(directory, input)), options)
    },
  )
})

/** Reads each line up to every place within it, as it would be if the file ended there, and then all of it. */
async function expectHalvesToSayTheSame(content: Buffer, options: Partial<LogOptions>): Promise<void> {
  await using input = await openInput('-', { stdin: Readable.from([content]) })
  const { splitter, reader } = (await openLog(input, { format: 'auto', ...options }))!
  // Without trusted proxies it isn't believed, and may be missing.
  const toSaid = (parsed: Parsed): unknown => parsed && { ...parsed, forwardedFor: '' }
  const visitor = {
    line(text: string, start: number, end: number) {
      const whole = text.slice(start, end)
      const halves = Array.from({ length: end - start }, (_, cut) => whole.slice(0, cut))
      const taken = halves
        .filter((half) => half.trim() !== '' && reader.isEnded(half))
        .map((half) => reader.parse(half, 0, half.length))
        .filter((parsed) => parsed === undefined || !isRejected(parsed))
      const said = reader.parse(text, start, end)
      // A line that is rejected has nothing to lose.
      if (said && isRejected(said)) return
      for (const parsed of taken) expect(toSaid(parsed)).toEqual(toSaid(said))
    },
    fault: () => undefined,
  }
  for await (const chunk of input) splitter.push(chunk, visitor)
}

describe('a last line without its end', () => {
  it('is whole where nothing that may come changes what is read of it', () => {
    const isEnded = (format: string, text: string): boolean => createLogFormatReader(format).isEnded(text)
    expect(createLogReader('combined').isEnded(line())).toBe(true)
    expect(createLogReader('combined', { trustedProxies: 1 }).isEnded(line())).toBe(false)
    expect(createLogReader('combined', { trustedProxies: 1 }).isEnded(`${line()} "-" 12`)).toBe(true)
    expect(createLogReader('s3').isEnded('anything "a"')).toBe(false)
    const start = '$time_local $request_method "$request_uri" $status '
    expect(isEnded(`${start}"$http_user_agent"`, '')).toBe(true)
    expect(isEnded(`escape=none '${start}"$http_user_agent"'`, '')).toBe(false)
    expect(isEnded(`${start}$http_user_agent`, '')).toBe(false)
    expect(isEnded(`${start}"$http_user_agent" $request_time`, '')).toBe(true)
    expect(isEnded(`${start}$http_user_agent $request_time`, '')).toBe(false)
    expect(isEnded(`{"t":"$time_iso8601","r":"$request","ua":"$http_user_agent","s":$status}`, '')).toBe(true)
    expect(isEnded('$time_iso8601 "$http_user_agent" $status $request_method [$request_uri]', '')).toBe(false)
    expect(isEnded('"$request" "$http_user_agent" $status $time_iso8601', '')).toBe(true)
  })

  it('is whole in W3C logs when its last column is not read, or quoted; half a header never is', () => {
    const fields = '#Fields: time cs-method cs-uri-stem sc-status cs(User-Agent)'
    const taken = createLogReader('w3c', { state: `${fields} time-taken` })
    const agent = createLogReader('w3c', { state: fields })
    expect(taken.isEnded('10:00:00 GET / 200 GPTBot/1.3 1')).toBe(true)
    expect(taken.isEnded('10:00:00 GET / 200 "GPTBot 1.3')).toBe(false)
    expect(taken.isEnded('10:00:00 GET / 200 "GPTBot 1.3"')).toBe(false)
    expect(taken.isEnded('10:00:00 GET / 200 "GPTBot 1.3" 1')).toBe(true)
    expect(agent.isEnded('10:00:00 GET / 200 GPTBot')).toBe(false)
    expect(agent.isEnded('10:00:00 GET / 200 "GPTBot 1.3"')).toBe(true)
    expect(agent.isEnded('#Fields: time cs-me')).toBe(false)
  })

  it('is told of when it is left out and no more can come, and only then', async () => {
    await using site = await openLogSite()
    const half = hits(1, 3).slice(0, -20)
    const cutOff = (name: string): string =>
      `The last line has no end and was left out: ${name}. If the line is whole, put a line break behind it and import again; the other lines don't count twice.`
    const path = site.write('access.log.gz', gzipSync(half))
    for (const dryRun of [true, false, false]) {
      expect((await site.import(path, { dryRun })).warnings[0]).toBe(cutOff(path))
    }
    expect((await site.importStdin(half)).warnings).toEqual([cutOff('standard input')])
    for (const log of [hits(1, 3), hits(1, 4).trimEnd()]) {
      const { warnings } = await site.import(site.write('whole.log.gz', gzipSync(log)))
      expect(warnings.filter((warning) => warning.includes('left out'))).toEqual([])
    }
    const { warnings } = await site.import(site.write('access.log', half))
    expect(warnings.filter((warning) => warning.includes('left out'))).toEqual([])
  })
})

describe('a young log', () => {
  const row = '2026-11-20 10:00:00 GET /1 192.0.2.7 200 GPTBot/1.3\n'
  const header = w3c('date time cs-method cs-uri-stem c-ip sc-status cs(User-Agent)')

  it.each([
    ['one whole line and a half', hits(1, 2), hits(1, 1).length + 20],
    ['a header and half a line', header + row, header.length + 20],
    ['half a header', header + row, header.length - 20],
    ['half the first directive', header + row, W3C.length + 3],
    [
      'half of a JSON line',
      `{"time":"2026-11-20T10:05:03Z","method":"GET","uri":"/1","status":200,"ua":"GPTBot"}\n`,
      30,
    ],
    ['half a line that looks like one of the common format', hits(1, 2), hits(1, 1).indexOf('512') + 2],
  ])('of %s is no failure, and each of its lines counts once', async (_, whole, cut) => {
    await using site = await openLogSite()
    const path = site.write('access.log', whole.slice(0, cut))
    const before = await site.import([path, site.write('access.log.gz', gzipSync(whole.slice(0, cut)))])
    appendFileSync(path, whole.slice(cut))
    const after = await site.import(path)
    expect(before.rejected + after.rejected).toBe(0)
    expect(before.bot_hits + after.bot_hits).toBe(whole.split('GPTBot').length - 1)
  })

  it('of half a line waits, which is said', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', line().slice(0, 40))
    expect(await site.import([path, site.write('other.log', hits(1, 2))])).toMatchObject({
      lines: 2,
      files: [{ file: path, lines: 0, rejected: 0 }, { bot_hits: 2 }],
      warnings: [
        `Nothing was read, for there is no whole line yet that tells the format: ${path}. Import again when there is more, or name the format with --format.`,
        expect.stringContaining('No address ranges'),
      ],
    })
  })
})
