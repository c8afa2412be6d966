import { availableParallelism } from 'node:os'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { ClassifyOptions } from '../../src/import-logs/classify.ts'
import { WorkerPool } from '../../src/import-logs/worker-pool.ts'
import { LOG_BLOCK_BYTES, LOG_PARALLEL_BYTES_MIN } from '../../src/log-limits.ts'
import { expectBots, expectReferrals } from '../support/oracle/log-reports.ts'
import { makeLogWorld } from '../support/oracle/log-world.ts'
import { line, openLogSite } from './support/log-site.ts'

const world = makeLogWorld('threads', { hits: 20_000, visits: 8_000 })
const lines = world.imports.flat(2)
const text = `${lines.join('\n')}\n`
/** Enough that threads are started, and have several batches each. */
const TIMES = Math.ceil((2 * LOG_PARALLEL_BYTES_MIN) / text.length)

const OPTIONS: ClassifyOptions = { ranges: [], pageTypeRules: [], hosts: undefined, keepsRejected: true }
const KIND = { format: 'combined', options: { format: 'combined' } } as const

// One processor starts no threads, and there would be nothing that could fail.
describe.skipIf(availableParallelism() < 2)('a log that several threads read', () => {
  it('comes to what one thread makes of it', { timeout: 120_000 }, async () => {
    await using site = await openLogSite()
    for (const { document, prefix } of world.ranges) {
      site.app.catalog.botRanges.replaceDocument(document, [prefix], Date.parse('2026-01-05T00:00:00Z'))
    }
    const long = line({ request: `GET /${'x'.repeat(1_500_000)} HTTP/1.1` })
    // Longer than all that is held of a line at a time.
    const longer = line({ request: `GET /${'x'.repeat(5_500_000)} HTTP/1.1` })
    const parts = [
      ...Array.from({ length: TIMES - 1 }, () => text),
      `rubbish\n${long}\nrubbish\n${longer}\n`,
      text.slice(0, -1),
    ]
    const path = site.write('access.log.gz', gzipSync(parts.join(''), { level: 1 }))
    const result = await site.import(path, { format: 'combined' })
    expect(result).toMatchObject({
      lines: lines.length * TIMES + 4,
      bot_hits: world.hits.length * TIMES,
      visits: world.visits.length * TIMES,
      rejected: 4,
    })
    const rejectedAt = lines.length * (TIMES - 1) + 1
    expect(result.rejections.map((rejection) => rejection.line)).toEqual([0, 1, 2, 3].map((no) => rejectedAt + no))
    expect(await site.import(path, { format: 'combined' })).toMatchObject({
      already_imported: result.lines,
      bot_hits: 0,
    })

    const base = { site_id: 'site', start_date: '2026-01-01', end_date: '2027-02-01', timezone: 'UTC', limit: 100_000 }
    const bots = {
      ...base,
      group_by: ['date', 'path', 'bot_name'],
      metrics: ['hits', 'error_hits', 'last_visit'],
    } as const
    const referrals = {
      ...base,
      group_by: ['date', 'path', 'referral_source'],
      metrics: ['visits', 'last_visit'],
    } as const
    expect(await site.bots(bots)).toEqual(
      expectBots({ ...world, hits: Array.from({ length: TIMES }, () => world.hits).flat() }, bots),
    )
    expect(await site.referrals(referrals)).toEqual(
      expectReferrals({ ...world, visits: Array.from({ length: TIMES }, () => world.visits).flat() }, referrals),
    )
  })

  it('has its blocks classified as this thread classifies them', async () => {
    const lines = Buffer.from(`${text.slice(0, 400_000)}\nrubbish\n`)
    const classify = async (pool: WorkerPool) => {
      const memory = pool.takeMemory()
      lines.copy(Buffer.from(memory))
      const answer = await pool.classify({ kind: KIND, memory, bytes: lines.length, offset: 0 })
      expect(answer.memory.byteLength).toBe(LOG_BLOCK_BYTES)
      return answer.batch
    }
    await using alone = new WorkerPool(OPTIONS)
    const expected = await classify(alone)
    expect(expected.hits.path.length).toBeGreaterThan(500)
    expect(expected.rejections).toHaveLength(2)
    await using pool = new WorkerPool(OPTIONS)
    pool.start()
    await vi.waitFor(() => expect(pool.blocksMax).toBeGreaterThan(0), 20_000)
    const batches = await Promise.all(Array.from({ length: pool.blocksMax }, () => classify(pool)))
    for (const batch of batches) expect(batch).toEqual(expected)
  })

  it('falls back to this thread where none can be started', async () => {
    // Options that can't be sent to a thread stand for a system that gives none.
    const pool = new WorkerPool({ ...OPTIONS, pageTypeRules: Object.assign([], { not: () => 'sendable' }) })
    pool.start()
    await pool[Symbol.asyncDispose]()
    expect(pool.blocksMax).toBe(0)
    const answer = await pool.classify({ kind: KIND, memory: pool.takeMemory(), bytes: 0, offset: 0 })
    expect(answer.batch.lines).toBe(0)
  })
})
