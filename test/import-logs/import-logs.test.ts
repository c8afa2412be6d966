import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { detachString } from '../../src/derive/detach-string.ts'
import { toStrictError } from '../../src/input/rejections.ts'
import { BROWSER, hits, line, type LogSite, NOW, openLogSite } from './support/log-site.ts'

const DAY_MS = 86_400_000
const GPTBOT_RANGES = 'https://openai.com/gptbot.json'

function loadRanges({ app }: LogSite, prefix: string, seenAtMs = NOW - DAY_MS): void {
  app.catalog.botRanges.replaceDocument(GPTBOT_RANGES, [prefix], seenAtMs)
}

describe('the result', () => {
  it('counts every line as one thing, for each file and in total', async () => {
    await using site = await openLogSite()
    loadRanges(site, '192.0.2.0/24')
    const visit = line({ agent: BROWSER, referer: 'https://chatgpt.com/', request: 'GET /pricing HTTP/2.0' })
    const one = site.write(
      'one.log',
      [line(), line({ status: 404 }), visit, line({ agent: BROWSER }), '', 'rubbish'].join('\n') + '\n',
    )
    const other = site.write('other.log', `${line({ agent: 'AhrefsBot/7.0' })}\n`)
    const result = await site.import([one, other, one])
    const none = { format: 'combined', lines: 0, bot_hits: 0, visits: 0, ignored: 0, already_imported: 0, rejected: 0 }
    expect(result).toEqual({
      site_id: 'site',
      files: [
        {
          file: one,
          format: 'combined',
          lines: 6,
          bot_hits: 2,
          visits: 1,
          ignored: 2,
          already_imported: 0,
          rejected: 1,
        },
        { ...none, file: other, lines: 1, ignored: 1 },
        { ...none, file: one, lines: 6, already_imported: 6 },
      ],
      lines: 13,
      bot_hits: 2,
      visits: 1,
      ignored: 3,
      already_imported: 6,
      rejected: 1,
      other_hosts: [],
      rejections: [{ file: one, line: 6, reason: 'no time like [17/May/2015:10:05:03 +0000] before the request' }],
      warnings: [],
      snapshot: 1,
    })
    expect(
      site.app.catalog.recordedChanges.list({ siteId: 'site' }).map(({ kind, snapshot }) => ({ kind, snapshot })),
    ).toEqual([{ kind: 'import_logs', snapshot: 1 }])
  })

  it('names the line of a rejection as the file has it, also behind what an earlier import read', async () => {
    await using site = await openLogSite()
    const text = `${hits(1, 3)}bad one\n\n${hits(4, 4)}`
    const path = site.write('access.log', text)
    const first = await site.import(path)
    site.write('access.log', `${text}bad two\n`)
    const second = await site.import(path)
    expect([first, second].map(({ rejections }) => rejections.map((rejection) => rejection.line))).toEqual([[4], [7]])
  })

  it('lists twenty rejections and writes all of them where it is told to', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', `${line()}\n${'no line "of" a log\n'.repeat(45)}`)
    const rejectsFile = join(site.dir, 'rejects.ndjson')
    const result = await site.import(path, { rejectsFile, format: 'combined' })
    expect({ rejected: result.rejected, listed: result.rejections.length }).toEqual({ rejected: 45, listed: 20 })
    const written = readFileSync(rejectsFile, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as unknown)
    expect(written).toHaveLength(45)
    expect(written[44]).toEqual({
      file: path,
      line: 46,
      reason: 'no time like [17/May/2015:10:05:03 +0000] before the request',
      record: 'no line "of" a log',
    })
  })

  it('has no snapshot when strict refuses the call, or when it was a dry run, and nothing is kept', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', `${line()}\n${line({ status: 500 })}\nrubbish\n`)
    for (const options of [{ strict: true }, { dryRun: true }]) {
      const result = await site.import(path, options)
      expect(result).toMatchObject({ bot_hits: 2, rejected: 1, snapshot: null })
    }
    expect(site.app.catalog.manifest.currentSnapshot('site')).toBe(0)
    expect(existsSync(join(site.dir, 'data/lake/bot_hits'))).toBe(false)
    const { rejected } = await site.import(path, { strict: true })
    expect(toStrictError(rejected, 'line').message).toMatch(/^1 line was rejected/)
  })

  it('fails as a whole when one file of several cannot be read', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 3))
    await expect(site.import([path, join(site.dir, 'missing.log')])).rejects.toThrow(/there is no such file/)
    expect(await site.bots()).toEqual([])
    expect((await site.import(path)).bot_hits).toBe(3)
  })
})

describe('what is kept', () => {
  it('is a hit of any known bot that can be reported, whatever it asked for and was answered', async () => {
    await using site = await openLogSite()
    const lines = [
      line({ request: 'HEAD /a HTTP/1.1', status: 404 }),
      line({ request: 'POST /a HTTP/1.1', status: 500 }),
      line({ request: 'GET /a?b=1 HTTP/1.1', status: 304, agent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0)' }),
      line({ request: 'GET /robots.txt HTTP/1.1', status: 499 }),
      line({ agent: 'AdsBot-Google (+http://www.google.com/adsbot.html)' }),
      line({ agent: 'SomethingBot/1.0' }),
    ]
    const { bot_hits, ignored } = await site.importStdin(`${lines.join('\n')}\n`)
    expect({ bot_hits, ignored }).toEqual({ bot_hits: 4, ignored: 2 })
    expect(await site.bots({ group_by: ['bot_name', 'path'], metrics: ['hits', 'error_hits'] })).toEqual([
      { bot_name: 'GPTBot', path: '/a', hits: 2, error_hits: 2 },
      { bot_name: 'ClaudeBot', path: '/a', hits: 1, error_hits: 0 },
      { bot_name: 'GPTBot', path: '/robots.txt', hits: 1, error_hits: 1 },
    ])
  })

  it('is a visit when an engine sent a person to a page: no asset, no error, no robot, by GET', async () => {
    await using site = await openLogSite()
    const arrival = { agent: BROWSER, referer: 'https://chatgpt.com/' }
    const lines = [
      line({ ...arrival, request: 'GET /pricing HTTP/1.1' }),
      line({ ...arrival, request: 'GET /blog/x?utm_source=perplexity HTTP/1.1', status: 304 }),
      line({ ...arrival, request: 'GET /blog/x?utm_source=perplexity HTTP/1.1', referer: '-' }),
      line({ ...arrival, request: 'POST /pricing HTTP/1.1' }),
      line({ ...arrival, request: 'HEAD /pricing HTTP/1.1' }),
      line({ ...arrival, status: 301 }),
      line({ ...arrival, status: 404 }),
      line({ ...arrival, request: 'GET /app.css HTTP/1.1' }),
      line({ ...arrival, request: 'GET /robots.txt HTTP/1.1' }),
      line({ ...arrival, agent: 'curl/8.5.0' }),
      line({ ...arrival, referer: 'https://www.google.com/' }),
    ]
    const { visits, bot_hits } = await site.importStdin(`${lines.join('\n')}\n`)
    expect({ visits, bot_hits }).toEqual({ visits: 3, bot_hits: 0 })
    expect(await site.referrals({ group_by: ['referral_source', 'path'], metrics: ['visits'] })).toEqual([
      { referral_source: 'chatgpt', path: '/blog/x', visits: 1 },
      { referral_source: 'chatgpt', path: '/pricing', visits: 1 },
      { referral_source: 'perplexity', path: '/blog/x', visits: 1 },
    ])
  })

  it('holds no address, no user agent and no query, in any file', async () => {
    await using site = await openLogSite()
    loadRanges(site, '192.0.2.0/24')
    const secrets = {
      address: '198.51.100.73',
      request: 'GET /page?token=SECRETQUERY HTTP/1.1',
      agent: `GPTBot/1.3 SECRETAGENT`,
    }
    const visit = { ...secrets, agent: `${BROWSER} SECRETAGENT`, referer: 'https://chatgpt.com/SECRETREFERER' }
    await site.importStdin(`${line(secrets)}\n${line(visit)}\n${line({ ...secrets, address: '2001:db8::73' })}\n`)
    expect(await site.bots()).toEqual([])
    expect(await site.bots({ filter: { field: 'verified', op: 'is', value: false } })).toEqual([{ hits: 2 }])

    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const files = readdirSync(join(site.dir, 'data'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeGreaterThan(6)
    for (const file of files) {
      const path = join(file.parentPath, file.name)
      const isTable = path.endsWith('.parquet')
      const shown = isTable
        ? JSON.stringify((await connection.runAndReadAll(`SELECT * FROM '${path}'`)).getRowsJson())
        : readFileSync(path, 'latin1')
      expect(shown).not.toMatch(/198\.51\.100|2001:db8|SECRET|GPTBot\/1\.3|Chrome\/141/)
    }
    connection.closeSync()
    instance.closeSync()
  })

  it('gives a path one number for good, whichever import brings it', async () => {
    await using site = await openLogSite()
    for (const call of [hits(1, 300), hits(200, 500), hits(2, 502)]) await site.importStdin(call)
    expect(await site.bots({ metrics: ['pages', 'hits'] })).toEqual([{ pages: 502, hits: 300 + 301 + 501 }])
    expect(site.app.catalog.sites.counter('site', 'path_no')).toBe(503)
  })

  it('keeps paths as they came: any character, any length', async () => {
    await using site = await openLogSite()
    const paths = ['/größe', '/💶', '/a b', `/${'x'.repeat(70_000)}`, '/%00%0a', '/a\u0001b', "/'); DROP TABLE x; --"]
    const record = (path: string) =>
      JSON.stringify({
        time: '2026-11-20T10:00:00Z',
        method: 'GET',
        uri: path,
        status: 200,
        ua: 'GPTBot/1.3',
        ip: '192.0.2.7',
      })
    const odd = ['/nul\u0000', '/half\ud83d', '/half\ud83e']
    await site.importStdin(`${paths.map((path) => line({ request: `GET ${path} HTTP/1.1` })).join('\n')}\n`)
    await site.importStdin(`${odd.map(record).join('\n')}\n`, { format: 'nginx-json' })
    const stored = await site.bots({ group_by: ['path'], metrics: ['hits'] })
    const expected = [...paths, ...odd].map(detachString)
    expect(stored.reduce((sum, { hits: count = 0 }) => sum + count, 0)).toBe(expected.length)
    expect(stored.map(({ path }) => path).sort()).toEqual([...new Set(expected)].sort())
  })

  it('rejects times that no log can have', async () => {
    await using site = await openLogSite()
    const lines = [
      line({ time: '01/Jan/1970:00:00:00 +0100' }),
      line({ time: '07/Feb/2106:06:28:15 +0000' }),
      line({ time: '07/Feb/2106:06:28:16 +0000' }),
    ]
    const { bot_hits, rejections } = await site.importStdin(`${lines.join('\n')}\n`)
    expect({ bot_hits, reasons: rejections.map(({ reason }) => reason) }).toEqual({
      bot_hits: 1,
      reasons: ['its time lies before 1970 or after 2105', 'its time lies before 1970 or after 2105'],
    })
  })
})

describe('page types', () => {
  it("are the site's rules when a path first comes, and stay until they are derived again", async () => {
    await using site = await openLogSite()
    await site.importStdin(`${line({ request: 'GET /shop/a HTTP/1.1' })}\n`)
    site.app.catalog.sites.set('site', { pageTypeRules: [{ pattern: '/shop/*', page_type: 'landing_page' }] })
    await site.importStdin(
      ['/shop/a', '/shop/b'].map((path) => `${line({ request: `GET ${path} HTTP/1.1`, status: 404 })}\n`).join(''),
    )
    expect(await site.bots({ group_by: ['page_type'], metrics: ['hits'] })).toEqual([
      { page_type: 'product_page', hits: 2 },
      { page_type: 'landing_page', hits: 1 },
    ])
    expect(await site.bots({ group_by: ['page_type'], metrics: ['hits', 'pages'] })).toEqual([
      { page_type: 'product_page', hits: 2, pages: 1 },
      { page_type: 'landing_page', hits: 1, pages: 1 },
    ])
  })
})

describe('verification', () => {
  const verified = { field: 'verified', op: 'is', value: true } as const
  const states = async (site: LogSite) => ({
    verified: (await site.bots({ filter: verified }))[0]?.hits ?? 0,
    unverifiable: ((await site.bots())[0]?.hits ?? 0) - ((await site.bots({ filter: verified }))[0]?.hits ?? 0),
    all: (await site.bots({ filter: { or: [verified, { not: verified }] } }))[0]?.hits ?? 0,
  })

  it('is by the address of the line', async () => {
    await using site = await openLogSite()
    loadRanges(site, '192.0.2.0/25')
    const addresses = ['192.0.2.7', '192.0.2.200', 'crawler.example.net', '-']
    await site.importStdin(addresses.map((address) => `${line({ address })}\n`).join(''))
    expect(await states(site)).toEqual({ verified: 1, unverifiable: 2, all: 4 })
  })

  it('is judged when a hit is imported', async () => {
    await using site = await openLogSite()
    await site.importStdin(hits(1, 2))
    loadRanges(site, '192.0.2.0/25')
    await site.importStdin(hits(3, 5))
    expect(await states(site)).toEqual({ verified: 3, unverifiable: 2, all: 5 })
  })

  it('looks behind as many proxies as are trusted, and at a field that the operator names', async () => {
    const behind = (forwarded: string): string => `${line({ address: '10.0.0.1' })} "${forwarded}"\n`
    const log = behind('192.0.2.7') + behind('198.51.100.1, 192.0.2.8') + behind('192.0.2.9, 198.51.100.1')
    const count = async (options: object): Promise<unknown> => {
      await using site = await openLogSite()
      loadRanges(site, '192.0.2.0/25')
      await site.importStdin(log, options)
      return await states(site)
    }
    expect(await count({})).toEqual({ verified: 0, unverifiable: 0, all: 3 })
    expect(await count({ trustedProxies: 1 })).toEqual({ verified: 2, unverifiable: 0, all: 3 })

    await using site = await openLogSite()
    loadRanges(site, '192.0.2.0/25')
    const record = {
      time: '2026-11-20T10:00:00Z',
      method: 'GET',
      uri: '/',
      status: 200,
      ua: 'GPTBot/1.3',
      ip: '10.0.0.1',
      real: { ip: '192.0.2.7' },
    }
    await site.importStdin(`${JSON.stringify(record)}\n`, { addressField: 'real.ip' })
    expect(await states(site)).toEqual({ verified: 1, unverifiable: 0, all: 1 })
  })
})

describe('warnings', () => {
  const warnings = async (
    log: string,
    prepare: (site: LogSite) => void = () => undefined,
  ): Promise<readonly string[]> => {
    await using site = await openLogSite()
    prepare(site)
    return (await site.importStdin(log)).warnings
  }

  it('name bots whose address ranges were never loaded, or not for a month', async () => {
    expect(await warnings(hits(1, 1))).toEqual([
      'No address ranges are loaded for GPTBot: their hits stay unverifiable. Run `answerlake bots update` before importing logs.',
    ])
    expect(await warnings(hits(1, 1), (site) => loadRanges(site, '192.0.2.0/24', NOW - 31 * DAY_MS))).toEqual([
      'The address ranges of GPTBot are older than 30 days: genuine hits may count as spoofed. Run `answerlake bots update` before importing logs.',
    ])
    expect(await warnings(hits(1, 1), (site) => loadRanges(site, '192.0.2.0/24', NOW - 29 * DAY_MS))).toEqual([])
    expect(await warnings(`${line({ agent: 'Bytespider' })}\n${line({ agent: BROWSER })}\n`)).toEqual([])
  })

  it('say that the log shows a proxy instead of clients, or masked addresses', async () => {
    const log = (...addresses: string[]): string => addresses.map((address) => `${line({ address })}\n`).join('')
    const load = (site: LogSite): void => loadRanges(site, '192.0.2.0/24')
    expect(await warnings(log('10.0.0.3', '10.0.0.4', 'fd00::1', '192.0.2.7'), load)).toEqual([
      'Most bot hits come from a private network, a proxy by all signs: bots count as spoofed then. Say where the client address stands with --trusted-proxies or --address-field.',
    ])
    expect(await warnings(log('192.0.2.0', '198.51.100.0', '2001:db8:1:2::', '192.0.2.7'), load)).toEqual([
      'Most bot hits have a masked address or none: bots cannot be told from impostors in this log.',
    ])
    expect(await warnings(log('192.0.2.0', '192.0.2.7'), load)).toEqual([])
  })
})
