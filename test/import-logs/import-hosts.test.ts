import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LOG_OTHER_HOSTS_LISTED_MAX } from '../../src/log-limits.ts'
import { hits, line, openLogSite } from './support/log-site.ts'

const ofHosts = (...hosts: string[]): string =>
  hosts.map((host, no) => `${host} ${line({ request: `GET /${no} HTTP/1.1` })}\n`).join('')

describe('a line that names a host', () => {
  it("counts when that is the site's domain or under it, however it is written; others are ignored and named", async () => {
    await using site = await openLogSite()
    const log = ofHosts(
      'example.com',
      'EXAMPLE.com:443',
      'shop.example.com:80',
      'badexample.com:80',
      'example.com.evil.net:80',
      'other.org:443',
      'Other.org:80',
    )
    const result = await site.import(site.write('a.log', log), { format: 'vhost-combined' })
    expect(result).toMatchObject({ lines: 7, bot_hits: 3, ignored: 4, rejected: 0 })
    expect(result.other_hosts).toEqual([
      { host: 'other.org', lines: 2 },
      { host: 'badexample.com', lines: 1 },
      { host: 'example.com.evil.net', lines: 1 },
    ])
    expect(await site.bots({ group_by: ['path'] })).toEqual([
      { path: '/0', hits: 1 },
      { path: '/1', hits: 1 },
      { path: '/2', hits: 1 },
    ])
  })

  it('counts when the host, or one above it, is given, or all are', async () => {
    await using site = await openLogSite()
    const path = site.write('a.log', ofHosts('example.com', 'www.other.org', 'third.net', 'xn--bcher-kva.example'))
    const importDry = (hosts: readonly string[] | 'any') =>
      site.import(path, { format: 'vhost-combined', hosts, dryRun: true })
    expect(await importDry(['Other.org'])).toMatchObject({ bot_hits: 2, ignored: 2 })
    expect(await importDry(['bücher.example', 'third.net'])).toMatchObject({
      bot_hits: 3,
      other_hosts: [{ host: 'www.other.org', lines: 1 }],
    })
    expect(await importDry('any')).toMatchObject({ bot_hits: 4, ignored: 0, other_hosts: [] })
  })

  it('is told of by its absolute target too, and counts where the log names no host', async () => {
    await using site = await openLogSite()
    const lines = [
      line(),
      line({ request: 'GET http://other.org/a HTTP/1.1' }),
      line({ request: 'GET https://www.example.com/b HTTP/1.1' }),
    ]
    expect(await site.import(site.write('a.log', `${lines.join('\n')}\n`))).toMatchObject({
      bot_hits: 2,
      ignored: 1,
      other_hosts: [{ host: 'other.org', lines: 1 }],
    })
  })

  it('names the most frequent hosts, also when several threads counted them', async () => {
    await using site = await openLogSite()
    const hosts = Array.from({ length: 30 }, (_, no) => Array.from({ length: 30 - no }, () => `host${no}.org`)).flat()
    const log = ofHosts(...hosts, 'example.com').repeat(500)
    const result = await site.import(site.write('a.log.gz', gzipSync(log)), { format: 'vhost-combined' })
    expect(result).toMatchObject({ bot_hits: 500, ignored: hosts.length * 500 })
    expect(result.other_hosts).toHaveLength(LOG_OTHER_HOSTS_LISTED_MAX)
    expect(result.other_hosts[0]).toEqual({ host: 'host0.org', lines: 15_000 })
    expect(result.other_hosts.at(-1)).toEqual({ host: 'host19.org', lines: 5_500 })
  })
})

it('the format found is named for each file', async () => {
  await using site = await openLogSite()
  const logFormat = '$remote_addr [$time_local] "$request" $status "$http_user_agent"'
  const result = await site.import([
    site.write('a.log', hits(1, 2)),
    site.write('b.log', ofHosts('example.com')),
    site.write('c.log', line().slice(0, 40)),
  ])
  expect(result.files.map(({ format }) => format)).toEqual(['combined', 'vhost-combined', null])
  const custom = site.write('d.log', '192.0.2.7 [20/Nov/2026:10:05:03 +0000] "GET / HTTP/1.1" 200 "GPTBot/1.3"\n')
  expect((await site.import(custom, { logFormat })).files).toMatchObject([{ format: 'log-format', bot_hits: 1 }])
})

it('lines dated in the future are imported and told of', async () => {
  await using site = await openLogSite()
  const log = [
    line(),
    line({ time: '21/Nov/2026:23:59:59 +0000' }),
    line({ time: '22/Nov/2026:00:00:00 +0000' }),
    line({ time: '03/Jan/2031:10:05:03 +0000' }),
  ]
  const { bot_hits, warnings } = await site.import(site.write('a.log', `${log.join('\n')}\n`))
  expect(bot_hits).toBe(4)
  expect(warnings).toContain(
    '2 bot hits and visits are dated in the future, up to 2031-01-03. Reports count them on that day; check the clock of the server.',
  )
  expect((await site.import(site.write('b.log', `${line()}\n`))).warnings.join()).not.toContain('future')
})
