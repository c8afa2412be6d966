import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { line, openLogSite } from './support/log-site.ts'

const AT = '2026-11-20T10:05:03.1Z'
const hit = (path: string): string => line({ request: `GET ${path} HTTP/1.1` })

describe('a log as a collector wrote it', () => {
  it('has its bots verified by the address in the line, not by what stands before it', async () => {
    await using site = await openLogSite()
    const lines = [
      `<190>Nov 20 10:05:03 web-01 nginx: ${hit('/1')}`,
      `Nov 20 10:05:03 web-01 nginx[12]: ${hit('/2')}`,
      `web-1  | ${hit('/3')}`,
      `${AT} stdout F ${hit('/4')}`,
      JSON.stringify({ log: `${hit('/5')}\n`, stream: 'stdout', time: AT }),
      JSON.stringify({ MESSAGE: hit('/6'), __REALTIME_TIMESTAMP: '1' }),
    ]
    // Addresses of a documentation network, which are public and unmasked.
    const { bot_hits, rejected, warnings } = await site.import(site.write('all.log', `${lines.join('\n')}\n`))
    expect({ bot_hits, rejected }).toEqual({ bot_hits: 6, rejected: 0 })
    expect(warnings.filter((warning) => /address or none|private network/.test(warning))).toEqual([])
  })

  it('has a line in parts counted once, wherever an import ended', async () => {
    const half = hit('/long').length >> 1
    const rows = [
      `${AT} stdout F ${hit('/1')}\n`,
      `${AT} stdout P ${hit('/long').slice(0, half)}\n`,
      `${AT} stderr F trouble\n`,
      `${AT} stdout F ${hit('/long').slice(half)}\n`,
      `${AT} stdout F ${hit('/2')}\n`,
    ]
    for (let cut = 1; cut < rows.length; cut++) {
      await using site = await openLogSite()
      const path = site.write('pod.log', rows.slice(0, cut).join(''))
      const before = await site.import(path)
      appendFileSync(path, rows.slice(cut).join(''))
      const after = await site.import(path)
      expect([cut, before.bot_hits + after.bot_hits, before.rejected + after.rejected]).toEqual([cut, 3, 0])
      const paths = await site.bots({ group_by: ['path'] })
      expect(paths.map((row) => row.path).toSorted()).toEqual(['/1', '/2', '/long'])
    }
  })

  it('is read by the names that were given, from objects in a list too', async () => {
    await using site = await openLogSite()
    const record = (page: string) => ({ page, agent: { name: 'GPTBot/1.3' }, at: AT, from: '192.0.2.7' })
    const options = {
      format: 'nginx-json',
      fields: { path: 'page', ua: 'agent.name', time: 'at', address: 'from' },
    } as const
    const list = JSON.stringify({ records: [record('/1'), record('/2')] })
    expect(await site.import(site.write('list.json', `${list}\n`), options)).toMatchObject({ bot_hits: 2, rejected: 0 })
    const lines = [record('/3'), record('/4')].map((each) => JSON.stringify(each)).join('\n')
    expect(await site.import(site.write('lines.ndjson', `${lines}\n`), { ...options, format: 'auto' })).toMatchObject({
      bot_hits: 2,
      rejected: 0,
    })
  })
})
