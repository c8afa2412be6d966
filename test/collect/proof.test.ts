import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { TEST_SECRETS } from './engines/secrets.ts'
import { listLeaks, listMispurchased, listMisstored, listUnfinished, listUntidy, readCalls } from './support/proof.ts'
import { runScanProgram } from './support/scan-program.ts'
import { ALL_TARGETS, siteIdOf } from './support/scan-data.ts'
import { setUpScan } from './support/scan-stage.ts'

test('what a scan could do wrong is found out', async () => {
  const setup = { prompts: 9, targets: ALL_TARGETS.slice(0, 1), samples: 1, concurrency: 4, usdDay: 100 }
  await using stage = await setUpScan(setup)
  const { data, engines } = stage
  const { entries } = engines.ledger
  const site = siteIdOf(0)
  const ending = await runScanProgram(['scan', 'run', '--site', site, '--data-dir', data])
  expect(ending.status, ending.stderr).toBe(0)
  const calls = readCalls(data)
  const sound = [listMispurchased(calls, entries), listUnfinished(calls, false), await listMisstored(data, calls, site)]
  expect([...sound, await listUntidy(data), await listLeaks(data, {})]).toEqual([[], [], [], [], []])

  expect(listMispurchased(calls, [...entries, entries[0]!])).toEqual([
    expect.stringContaining('bought 2 times, planned 1 times'),
    expect.stringContaining('bought 2 times, and 1 stand as sent'),
  ])
  expect(listMispurchased(calls, entries.slice(1))).toEqual([expect.stringContaining('1 answers of 0 purchases')])
  const answered = calls.find(({ status }) => status === 'answered')!
  const others = calls.filter((call) => call !== answered)
  const replanned = [...others, { ...answered, status: 'planned', asked_ms: null }]
  expect(listMispurchased(replanned, entries)).toEqual([expect.stringContaining('0 stand as sent')])
  expect(listUnfinished(replanned, false)).toHaveLength(1)
  expect(await listMisstored(data, others, site)).toEqual([expect.stringContaining("no answered call's")])
  const moved = [...others, { ...answered, question: 'Another one?' }]
  expect(await listMisstored(data, moved, site)).toEqual([expect.stringContaining('the words of another')])

  const [day = ''] = readdirSync(join(data, 'scans'))
  writeFileSync(join(data, 'scans', day, 'run_left-1.ndjson'), '')
  expect(await listUntidy(data)).toEqual([expect.stringContaining('run_left-1.ndjson')])
  const db = new Database(join(data, 'catalog.sqlite'))
  db.prepare('UPDATE calls SET reason = ?').run(`Incorrect API key: ${encodeURIComponent(TEST_SECRETS.openai)}`)
  db.close()
  const basic = Buffer.from(TEST_SECRETS.dataforseo).toString('base64')
  expect(await listLeaks(data, { 'standard error': `Basic ${basic}` })).toEqual([
    'the secret of dataforseo stands in standard error',
    expect.stringContaining('the secret of openai stands in catalog.sqlite'),
  ])
})
