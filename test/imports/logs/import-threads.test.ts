import { availableParallelism } from 'node:os'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { TallyOptions } from '../../../src/imports/logs/log-tally.ts'
import { createLogReader } from '../../../src/imports/logs/reader.ts'
import { startTallyPool } from '../../../src/imports/logs/tally-pool.ts'
import { BatchJudge } from '../../../src/imports/logs/batch-judge.ts'
import { openLineMemory } from '../../../src/imports/logs/line-memory.ts'
import { expectBots, expectReferrals } from '../../support/oracle/log-reports.ts'
import { makeLogWorld } from '../../support/oracle/log-world.ts'
import { line, openLogSite } from './support/log-site.ts'

const world = makeLogWorld('threads', { hits: 20_000, visits: 8_000 })
const lines = world.imports.flat(2)
const text = `${lines.join('\n')}\n`
/** Enough that threads are started, and have several batches each. */
const TIMES = 5
const OPTIONS: TallyOptions = { tallyNo: 0, ranges: [], pageTypeRules: [], keepsRejected: true }

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

  it('has its batches judged as this thread judges them', async () => {
    const pool = await startTallyPool({ format: 'combined', reader: {}, tally: OPTIONS })
    if (!pool) throw new Error('no thread could be started')
    await using threads = pool
    const bytes = Buffer.from(`${text.slice(0, 400_000)}\nrubbish\n`)
    const here = openLineMemory(1)
    bytes.copy(here.slots[0]!)
    const judge = new BatchJudge(createLogReader('combined'), OPTIONS, here)
    const expected = judge.judge({ slot: 0, bytes: bytes.length, offset: 0 })
    expect(expected.hits.path.length).toBeGreaterThan(500)
    for (const slot of threads.slots) bytes.copy(slot)
    const answers = await Promise.all(
      threads.slots.map((_, slot) => threads.tally({ slot, bytes: bytes.length, offset: 0 })),
    )
    const numbers = answers.map(({ tallyNo }) => tallyNo)
    expect(new Set(numbers).size).toBeGreaterThan(1)
    for (const [index, answer] of answers.entries()) {
      const isFirst = numbers.indexOf(answer.tallyNo) === index
      expect(answer).toEqual({
        ...expected,
        tallyNo: answer.tallyNo,
        // A thread names each path once.
        paths: isFirst ? expected.paths : { count: 0, json: '{"path":[],"page_type_no":[]}' },
        pathsBefore: isFirst ? 0 : expected.paths.count,
      })
    }
  })

  it('falls back to one thread where none can be started', async () => {
    // A reader that can't be made in the threads stands for a program without their file.
    expect(await startTallyPool({ format: { logFormat: '$' }, reader: {}, tally: OPTIONS })).toBeUndefined()
  })
})
