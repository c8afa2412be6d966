import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportLogsResult } from '../../src/import-logs/import-options.ts'
import { type LogSite, openLogSite } from './support/log-site.ts'

/** A public log of May 2015; see samples/NOTICE. */
const LOG = join(import.meta.dirname, 'samples/apache-2015.log.gz')

/** A count that a command prints which reads the log's lines from its standard input. */
function count(command: string): number {
  const env = { ...process.env, LC_ALL: 'C' }
  return Number(execFileSync('sh', ['-c', `gzip -dc '${LOG}' | ${command} || true`], { encoding: 'utf8', env }))
}

describe('a real log of 10,000 lines, imported', () => {
  let site: LogSite
  let result: ImportLogsResult
  beforeAll(async () => {
    site = await openLogSite()
    result = await site.import(LOG)
  })
  afterAll(() => site[Symbol.asyncDispose]())
  const ask = async (request: Parameters<LogSite['bots']>[0]) =>
    site.bots({ start_date: '2015-05-01', end_date: '2015-05-31', ...request })

  it('has the lines, rejected lines and bot hits that grep counts', () => {
    expect(result).toMatchObject({
      lines: count(`wc -l`),
      rejected: count(`grep -vc '"$'`),
      already_imported: 0,
      visits: 0,
    })
    expect(result.bot_hits + result.ignored + result.rejected).toBe(result.lines)
  })

  it.each([
    ['archive.org_bot', `grep -cF 'archive.org_bot'`],
    ['msnbot', `grep -cF 'msnbot'`],
    ['Slurp', `grep -cF 'Yahoo! Slurp'`],
    ['YandexBot', `grep -cF 'YandexBot/'`],
    ['Baiduspider', `grep -ciE 'Baiduspider'`],
    ['bingbot', `grep -cF 'bingbot/'`],
    ['Googlebot', `grep -v 'Googlebot-Image' | grep -cE 'Googlebot(-Mobile)?/'`],
    ['Googlebot-Image', `grep -cF 'Googlebot-Image'`],
    ['Sogou', `grep -ciE 'Sogou [a-z]* ?spider'`],
  ])('has as many hits of %s as %s counts', async (bot, command) => {
    const rows = await ask({ group_by: ['bot_name'], metrics: ['hits'] })
    expect(rows.find(({ bot_name }) => bot_name === bot)?.hits).toBe(count(`grep '"$' | cut -d'"' -f6- | ${command}`))
  })

  it('has the days and the errors that grep counts', async () => {
    const filter = { field: 'bot_name', op: 'is', value: 'bingbot' } as const
    for (const row of await ask({ group_by: ['date'], metrics: ['hits', 'error_hits'], filter })) {
      const day = `grep -F '[${row.date?.slice(8)}/May/2015:' | grep -F 'bingbot/'`
      expect([row.hits, row.error_hits]).toEqual([
        count(`${day} | wc -l`),
        count(`${day} | grep -cE '" [45][0-9][0-9] '`),
      ])
    }
  })
})
