import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ImportLogsResult } from '../../src/import-logs/import-options.ts'
import { hits, line, type LogSite, openLogSite } from './support/log-site.ts'

const counted = ({ lines, bot_hits, already_imported, rejected }: ImportLogsResult) => ({
  lines,
  bot_hits,
  already_imported,
  rejected,
})
const first = (bot_hits: number) => ({ lines: bot_hits, bot_hits, already_imported: 0, rejected: 0 })
const again = (already_imported: number, bot_hits = 0) => ({
  lines: already_imported + bot_hits,
  bot_hits,
  already_imported,
  rejected: 0,
})

/** Hits and distinct paths that the site has: a line that was lost or counted twice shows in one of them. */
async function expectStored(site: LogSite, count: number): Promise<void> {
  expect(await site.bots({ metrics: ['hits', 'pages'] })).toEqual(count === 0 ? [] : [{ hits: count, pages: count }])
}

describe('a file that is imported again', () => {
  it('adds nothing', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 30))
    expect(counted(await site.import(path))).toEqual(first(30))
    const { snapshot } = await site.import(path)
    expect(counted(await site.import(path))).toEqual(again(30))
    expect((await site.import(path)).snapshot).toBe(snapshot)
    await expectStored(site, 30)
  })

  it('is read from where the last import stopped when it has grown, however often', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 10))
    await site.import(path)
    for (let size = 10; size < 60; size += 10) {
      appendFileSync(path, hits(size + 1, size + 10))
      expect(counted(await site.import(path))).toEqual(again(size, 10))
    }
    await expectStored(site, 60)
  })

  it('is known from a beginning longer than the one it is looked up by', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 2_000))
    await site.import(path)
    appendFileSync(path, hits(2_001, 2_100))
    expect(counted(await site.import(path))).toEqual(again(2_000, 100))
    await expectStored(site, 2_100)
  })

  it('is known by a copy made when an earlier import ended, in whatever order they come', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 20))
    await site.import(path)
    for (const size of [40, 60]) {
      writeFileSync(path, hits(1, size))
      await site.import(path)
    }
    for (const size of [40, 20, 60]) {
      expect(counted(await site.import(site.write(`copy-${size}.log`, hits(1, size))))).toEqual(again(size))
    }
    await expectStored(site, 60)
  })

  it('is known when it was tiny, or empty, at first', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', '')
    expect(counted(await site.import(path))).toEqual(first(0))
    appendFileSync(path, hits(1, 1))
    expect(counted(await site.import(path))).toEqual(first(1))
    appendFileSync(path, hits(2, 1_500))
    expect(counted(await site.import(path))).toEqual(again(1, 1_499))
    appendFileSync(path, hits(1_501, 1_600))
    expect(counted(await site.import(path))).toEqual(again(1_500, 100))
    await expectStored(site, 1_600)
  })

  it('is read anew when a dry run, or a refused call, went before', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', `${hits(1, 5)}rubbish\n`)
    expect(counted(await site.import(path, { dryRun: true }))).toEqual({ ...first(5), lines: 6, rejected: 1 })
    expect((await site.import(path, { strict: true })).snapshot).toBeNull()
    await expectStored(site, 0)
    expect(counted(await site.import(path))).toEqual({ ...first(5), lines: 6, rejected: 1 })
    expect(counted(await site.import(path))).toEqual(again(6))
    await expectStored(site, 5)
  })

  it('counts for each site on its own', async () => {
    await using site = await openLogSite()
    const other = site.app.catalog.sites.create({ name: 'Other', domain: 'other.example' })
    const path = site.write('access.log', hits(1, 5))
    await site.import(path)
    expect(counted(await site.import(path, { site: other }))).toEqual(first(5))
  })
})

describe('a copy', () => {
  it('is recognised by its content, whatever its name and compression', async () => {
    await using site = await openLogSite()
    await site.import(site.write('access.log', hits(1, 3_000)))
    const copies = [
      site.write('elsewhere.txt', hits(1, 3_000)),
      site.write('access.log.1.gz', gzipSync(hits(1, 3_000))),
      site.write('access.log.1.zst', zstdCompressSync(Buffer.from(hits(1, 3_000)))),
      site.write('two-members.gz', Buffer.concat([gzipSync(hits(1, 1_000)), gzipSync(hits(1_001, 3_000))])),
    ]
    for (const copy of copies) expect(counted(await site.import(copy))).toEqual(again(3_000))
    await expectStored(site, 3_000)
  })

  it('that was compressed after more lines came adds only these', async () => {
    await using site = await openLogSite()
    await site.import(site.write('access.log', hits(1, 50)))
    expect(counted(await site.import(site.write('access.log.1.gz', gzipSync(hits(1, 70)))))).toEqual(again(50, 20))
    expect(counted(await site.import(site.write('old.zst', zstdCompressSync(Buffer.from(hits(1, 70))))))).toEqual(
      again(70),
    )
    await expectStored(site, 70)
  })

  it('made at an earlier end of a log is recognised after the log has grown', async () => {
    await using site = await openLogSite()
    for (const end of [400, 700, 1_100]) await site.import(site.write('access.log', hits(1, end)))
    const backup = site.write('backup.log', hits(1, 700))
    expect(counted(await site.import(backup))).toEqual(again(700))
    appendFileSync(backup, hits(701, 1_100))
    expect(counted(await site.import(backup))).toEqual(again(1_100))
    await expectStored(site, 1_100)
  })

  it('named twice in one call counts once, also when it stands there compressed', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 40))
    const packed = site.write('access.log.gz', gzipSync(hits(1, 60)))
    const result = await site.import([path, path, packed, packed])
    expect(result.files.map(({ bot_hits, already_imported }) => [bot_hits, already_imported])).toEqual([
      [40, 0],
      [0, 40],
      [20, 40],
      [0, 60],
    ])
    await expectStored(site, 60)
    expect(counted(await site.import([packed, path]))).toMatchObject({ bot_hits: 0 })
  })
})

describe('rotation', () => {
  it('by renaming: the old file goes on where it was, the new one is new', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 10))
    await site.import(path)
    appendFileSync(path, hits(11, 15))
    renameSync(path, `${path}.1`)
    writeFileSync(path, hits(16, 20))
    const result = await site.import([path, `${path}.1`])
    expect(result.files.map(({ bot_hits, already_imported }) => [bot_hits, already_imported])).toEqual([
      [5, 0],
      [5, 10],
    ])
    await expectStored(site, 20)
  })

  it('by copying and truncating', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 2_000))
    await site.import(path)
    site.write('access.log.1', hits(1, 2_000))
    truncateSync(path)
    appendFileSync(path, hits(2_001, 2_003))
    expect(counted(await site.import([`${path}.1`, path]))).toEqual({ ...again(2_000, 3) })
    appendFileSync(path, hits(2_004, 4_100))
    expect(counted(await site.import(path))).toEqual(again(3, 2_097))
    await expectStored(site, 4_100)
  })
})

describe('standard input', () => {
  it('is recognised as any file is', async () => {
    await using site = await openLogSite()
    expect(counted(await site.importStdin(hits(1, 20)))).toEqual(first(20))
    expect(counted(await site.importStdin(hits(1, 20)))).toEqual(again(20))
    expect(counted(await site.importStdin(gzipSync(hits(1, 25))))).toEqual(again(20, 5))
    expect(counted(await site.import(site.write('access.log', hits(1, 30))))).toEqual(again(25, 5))
    await expectStored(site, 30)
  })

  it('that begins as a known log does and then differs is read whole', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 1_000))
    await site.import(path)
    const other = `${hits(1, 900)}${hits(2_001, 2_200)}`
    expect(counted(await site.importStdin(other))).toEqual(first(1_100))
  })
})

describe('files that begin equally', () => {
  it('are different logs when they differ later', async () => {
    await using site = await openLogSite()
    const one = site.write('one.log', `${hits(1, 800)}${hits(1_001, 1_200)}`)
    const other = site.write('other.log', `${hits(1, 800)}${hits(2_001, 2_200)}`)
    expect(counted(await site.import(one))).toEqual(first(1_000))
    expect(counted(await site.import(other))).toEqual(first(1_000))
    expect(counted(await site.import([one, other]))).toEqual(again(2_000))
    expect(
      counted(await site.import(site.write('third.log.gz', gzipSync(`${hits(1, 800)}${hits(3_001, 3_200)}`)))),
    ).toEqual(first(1_000))
  })

  it('are different logs where one is shorter than what is known of the other', async () => {
    await using site = await openLogSite()
    await site.import(site.write('long.log', hits(1, 1_000)))
    expect(counted(await site.import(site.write('short.log', `${hits(1, 5)}${hits(5_001, 5_005)}`)))).toEqual(first(10))
  })

  it('because of their header alone share nothing', async () => {
    await using site = await openLogSite()
    const header =
      '#Software: Microsoft Internet Information Services 10.0\n#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status\n'
    const row = (path: number): string => `2026-11-20 10:00:00 GET /${path} 192.0.2.7 GPTBot/1.3 200\n`
    const empty = site.write('empty.log', header)
    expect(counted(await site.import(empty))).toEqual({ lines: 2, bot_hits: 0, already_imported: 0, rejected: 0 })
    const one = site.write('one.log', header + row(1) + row(2))
    const other = site.write('other.log', header + row(3) + row(4))
    for (const path of [one, other]) {
      expect(counted(await site.import(path))).toEqual({ lines: 4, bot_hits: 2, already_imported: 0, rejected: 0 })
    }
    appendFileSync(one, row(5))
    appendFileSync(empty, row(6))
    expect(counted(await site.import([one, other, empty]))).toEqual({
      lines: 12,
      bot_hits: 2,
      already_imported: 8,
      rejected: 0,
    })
    await expectStored(site, 6)
  })
})

describe('the last line', () => {
  it('counts without its end when it can be read, and not again when the end has come', async () => {
    await using site = await openLogSite()
    const whole = hits(1, 3)
    const path = site.write('access.log', whole.slice(0, -1))
    expect(counted(await site.import(path))).toEqual(first(3))
    expect(counted(await site.import(path))).toEqual(again(3))
    appendFileSync(path, '\n')
    expect(counted(await site.import(path))).toEqual(again(3))
    appendFileSync(path, hits(4, 5))
    expect(counted(await site.import(path))).toEqual(again(3, 2))
    await expectStored(site, 5)
  })

  it('is left alone while it is being written', async () => {
    await using site = await openLogSite()
    const whole = hits(1, 4)
    for (let cut = whole.length - 60; cut < whole.length; cut += 7) {
      await using fresh = await openLogSite()
      const path = fresh.write('access.log', whole.slice(0, cut))
      const before = await fresh.import(path)
      expect(before.rejected).toBe(0)
      writeFileSync(path, whole + hits(5, 5))
      const after = await fresh.import(path)
      expect(before.bot_hits + after.bot_hits).toBe(5)
      await expectStored(fresh, 5)
    }
    const path = site.write('access.log', whole.slice(0, -30))
    expect(counted(await site.import(path))).toEqual(first(3))
    appendFileSync(path, whole.slice(-30))
    expect(counted(await site.import(path))).toEqual(again(3, 1))
  })

  it('that grew after it was counted is not counted twice', async () => {
    await using site = await openLogSite()
    // The common format can be read up to any digit of its last field.
    const common = (path: number): string => `192.0.2.7 - - [20/Nov/2026:10:05:03 +0000] "GET /${path} HTTP/1.1" 200 51`
    const path = site.write('access.log', `${common(1)}\n${common(2)}`)
    const before = await site.import(path)
    appendFileSync(path, `23\n${common(3)}\n`)
    const after = await site.import(path)
    expect([before.lines, before.ignored]).toEqual([2, 2])
    expect([after.lines, after.already_imported, after.ignored]).toEqual([3, 2, 1])
  })

  it('ends with a carriage return too', async () => {
    await using site = await openLogSite()
    const dos = (text: string): string => text.replaceAll('\n', '\r\n')
    const path = site.write('access.log', dos(hits(1, 3)).slice(0, -1))
    expect(counted(await site.import(path))).toEqual(first(3))
    appendFileSync(path, `\n${dos(hits(4, 6))}`)
    expect(counted(await site.import(path))).toEqual(again(3, 3))
  })
})

describe('logs whose lines depend on others', () => {
  it('go on with the header that holds where the last import stopped', async () => {
    await using site = await openLogSite()
    const path = site.write(
      'u_ex.log',
      '#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status\n2026-11-20 10:00:00 GET /1 192.0.2.7 GPTBot/1.3 200\n#Fields: date time sc-status cs(User-Agent) cs-uri-stem cs-method\n2026-11-20 10:00:01 200 GPTBot/1.3 /2 GET\n',
    )
    expect((await site.import(path)).bot_hits).toBe(2)
    appendFileSync(path, '2026-11-20 10:00:02 404 GPTBot/1.3 /3 GET\n')
    expect(counted(await site.import(path))).toEqual({ lines: 5, bot_hits: 1, already_imported: 4, rejected: 0 })
    expect(await site.bots({ group_by: ['path'], metrics: ['hits', 'error_hits'] })).toEqual([
      { path: '/1', hits: 1, error_hits: 0 },
      { path: '/2', hits: 1, error_hits: 0 },
      { path: '/3', hits: 1, error_hits: 1 },
    ])
  })

  it('count the records of JSON arrays once', async () => {
    await using site = await openLogSite()
    const record = (path: number) => ({
      time: '2026-11-20T10:00:00Z',
      method: 'GET',
      uri: `/${path}`,
      status: 200,
      ua: 'GPTBot/1.3',
      ip: '192.0.2.7',
    })
    const array = (...paths: number[]): string => `${JSON.stringify(paths.map(record), null, 1)}\n`
    const path = site.write('log.json', array(1, 2))
    expect((await site.import(path)).bot_hits).toBe(2)
    expect((await site.import(path)).bot_hits).toBe(0)
    appendFileSync(path, array(3))
    expect((await site.import(path)).bot_hits).toBe(1)
    const cut = array(4, 5)
    appendFileSync(path, cut.slice(0, -20))
    expect(await site.import(path)).toMatchObject({ bot_hits: 1, rejected: 0 })
    appendFileSync(path, cut.slice(-20))
    expect(await site.import(path)).toMatchObject({ bot_hits: 1, rejected: 0 })
    await expectStored(site, 5)
  })
})

it('lines longer than any may be are rejected once, also when they go on', async () => {
  await using site = await openLogSite()
  const long = line({ request: `GET /${'x'.repeat(1_200_000)} HTTP/1.1` })
  const path = site.write('access.log', `${hits(1, 2)}${long}\n${hits(3, 3)}${long.slice(0, 1_100_000)}`)
  expect(counted(await site.import(path))).toEqual({ lines: 5, bot_hits: 3, already_imported: 0, rejected: 2 })
  appendFileSync(path, `${long.slice(1_100_000)}\n${hits(4, 4)}`)
  expect(counted(await site.import(path))).toEqual(again(5, 1))
})
