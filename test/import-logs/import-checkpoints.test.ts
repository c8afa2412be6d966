import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { LOG_CHECKPOINT_REQUEST_IDS_MAX } from '../../src/log-limits.ts'
import { hits, type LogSite, openLogSite } from './support/log-site.ts'

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Notes a log as 1.0 did: by a hash of its beginning and a hash of everything up to `bytes`. */
function noteAsBefore(
  { app }: LogSite,
  content: Buffer,
  { bytes, lines, headBytes = 2_048 }: { bytes: number; lines: number; headBytes?: number },
): void {
  using database = openDatabase(app.catalog.path)
  const head = content.subarray(0, Math.min(headBytes, bytes))
  database.db
    .prepare(
      `INSERT INTO log_progress (site_id, head_sha256, head_bytes, bytes, prefix_sha256, lines, updated_at)
       VALUES ('site', ?, ?, ?, ?, ?, '2026-11-01T00:00:00.000Z')`,
    )
    .run(sha256(head), head.length, bytes, sha256(content.subarray(0, bytes)), lines)
}

function openDatabase(path: string) {
  const db = new Database(path)
  return { db, [Symbol.dispose]: () => void db.close() }
}

const w3cRow = (path: number): string => `10:00:00 GET /${path} 192.0.2.7 200 GPTBot/1.3\n`
const W3C = '#Date: 2026-11-20 00:00:00\n#Fields: time cs-method cs-uri-stem c-ip sc-status cs(User-Agent)\n'

const record = (path: number) => ({
  timestamp: Date.parse('2026-11-20T10:00:00Z'),
  requestId: `r${path}`,
  proxy: {
    timestamp: Date.parse('2026-11-20T10:00:00Z'),
    method: 'GET',
    path: `/${path}`,
    host: 'example.com',
    statusCode: 200,
    userAgent: ['GPTBot/1.3'],
    clientIp: '192.0.2.7',
  },
})
const vercelRow = (path: number): string => `${JSON.stringify(record(path))}\n`
const jsonRow = (path: number): string => `${JSON.stringify(record(path), null, 1)}\n`
const rows = (toRow: (path: number) => string, from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, no) => toRow(from + no)).join('')

/** Logs of which a first part has been imported: that part, how many lines it has, and what came later. */
const LOGS: readonly (readonly [string, string, number, string])[] = [
  ['combined', hits(1, 900), 900, hits(901, 1_000)],
  ['combined that ends within a counted line', hits(1, 900).slice(0, -1), 900, `\n${hits(901, 1_000)}`],
  ['W3C with its date in a directive', W3C + rows(w3cRow, 1, 900), 902, rows(w3cRow, 901, 1_000)],
  ['Vercel', rows(vercelRow, 1, 900), 900, vercelRow(900) + rows(vercelRow, 901, 1_000)],
  ['JSON over several lines', rows(jsonRow, 1, 900), 900, jsonRow(900) + rows(jsonRow, 901, 1_000)],
]

describe.each(LOGS)('a growing log, %s', (_, before, lines, after) => {
  it.each([
    ['plain', (text: string) => text],
    ['gzip', (text: string) => gzipSync(text)],
    ['zstd', (text: string) => zstdCompressSync(text)],
  ])('goes on at its checkpoint, %s', async (_form, pack) => {
    await using site = await openLogSite()
    const path = site.write('a.log', pack(before))
    expect(await site.import(path)).toMatchObject({ lines, bot_hits: 900, already_imported: 0, rejected: 0 })
    writeFileSync(path, pack(before + after))
    expect(await site.import(path)).toMatchObject({ bot_hits: 100, already_imported: lines, rejected: 0 })
    expect(await site.import(path)).toMatchObject({ bot_hits: 0, rejected: 0 })
    expect(await site.bots({ metrics: ['hits', 'pages'] })).toEqual([{ hits: 1_000, pages: 1_000 }])
  })

  it('goes on where an older version noted its end, which a checkpoint then takes the place of', async () => {
    await using site = await openLogSite()
    const content = Buffer.from(before)
    noteAsBefore(site, content, { bytes: content.length, lines })
    const path = site.write('a.log', gzipSync(before + after))
    expect(await site.import(path)).toMatchObject({ bot_hits: 100, already_imported: lines, rejected: 0 })
    expect(site.app.catalog.imports.listLogProgress('site')).toEqual([])
    const copy = site.write('copy.log', before)
    expect(await site.import(copy)).toMatchObject({ bot_hits: 0, already_imported: lines })
  })
})

describe('what an older version noted', () => {
  it('holds at each of its ends, by a longer beginning too', async () => {
    await using site = await openLogSite()
    const content = Buffer.from(hits(1, 2_000))
    const end = (line: number): number => hits(1, line).length
    for (const line of [700, 1_000, 1_500])
      noteAsBefore(site, content, { bytes: end(line), lines: line, headBytes: 65_536 })
    const path = site.write('a.log', content.subarray(0, end(1_200)))
    expect(await site.import(path)).toMatchObject({ bot_hits: 200, already_imported: 1_000 })
    expect(site.app.catalog.imports.listLogProgress('site').map(({ lines }) => lines)).toEqual([1_500])
    const checkpoints = site.app.catalog.imports.listLogCheckpoints('site').map(({ lines }) => lines)
    expect(checkpoints).toEqual([700, 1_000, 1_200])
    writeFileSync(path, content)
    expect(await site.import(path)).toMatchObject({ bot_hits: 500, already_imported: 1_500 })
  })

  it('stays when a dry run reads it', async () => {
    await using site = await openLogSite()
    const content = Buffer.from(hits(1, 100))
    noteAsBefore(site, content, { bytes: content.length, lines: 100 })
    expect(await site.import(site.write('a.log', content), { dryRun: true })).toMatchObject({ already_imported: 100 })
    expect(site.app.catalog.imports.listLogProgress('site')).toHaveLength(1)
  })
})

describe('a checkpoint', () => {
  it('is told by the beginning and the end: an edit between them goes unnoticed, one in either does not', async () => {
    await using site = await openLogSite()
    const whole = hits(1, 1_000)
    const path = site.write('a.log', whole)
    await site.import(path)
    const edit = (at: number): string => `${whole.slice(0, at)}X${whole.slice(at + 1)}`
    writeFileSync(path, edit(40_000))
    expect(await site.import(path)).toMatchObject({ already_imported: 1_000, bot_hits: 0 })
    for (const at of [100, whole.length - 200]) {
      writeFileSync(path, edit(at))
      expect(await site.import(path, { dryRun: true })).toMatchObject({ already_imported: 0 })
    }
  })

  it('spares reading what is behind it: a file that grows by a hundredth', async () => {
    await using site = await openLogSite()
    const path = site.write('a.log', hits(1, 20_000))
    await site.import(path)
    appendFileSync(path, hits(20_001, 20_200))
    const { length } = readFileSync(path)
    const read: number[] = []
    const result = await site.import(path, { onProgress: ({ readBytes }) => void read.push(readBytes) })
    expect(result).toMatchObject({ bot_hits: 200, already_imported: 20_000 })
    expect(read[0]).toBe(length)
    expect(read).toHaveLength(1)
  })

  it('keeps the ids of the newest requests alone', async () => {
    await using site = await openLogSite()
    const path = site.write('a.log', rows(vercelRow, 1, LOG_CHECKPOINT_REQUEST_IDS_MAX + 500))
    await site.import(path)
    const [{ state } = { state: null }] = site.app.catalog.imports.listLogCheckpoints('site')
    const { reader } = JSON.parse(state ?? '') as { reader: string }
    expect(JSON.parse(reader)).toHaveLength(LOG_CHECKPOINT_REQUEST_IDS_MAX)
  })
})
