import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { openLogSite } from './support/log-site.ts'

/** Names and types as CloudFront's standard logging writes them: texts throughout. */
const COLUMNS = `date, time, x_edge_location, c_ip, cs_method, cs_host, cs_uri_stem, sc_status, cs_referer, cs_user_agent,
  cs_uri_query, x_host_header, x_forwarded_for`

async function writeParquet(path: string, rows: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (FROM (VALUES ${rows.join(', ')}) AS t(${COLUMNS})) TO '${path}' (FORMAT parquet)`)
  connection.closeSync()
  instance.closeSync()
}

const row = (time: string, path: string, agent: string, referer = '-', host = 'example.com'): string =>
  `('2026-11-21', '${time}', 'FRA56-P4', '203.0.113.7', 'GET', 'd111.cloudfront.net', '${path}', '200', '${referer}', '${agent}', '-', '${host}', '-')`

it("reads CloudFront's Parquet files row by row, each once", async () => {
  await using logs = await openLogSite()
  const path = join(logs.dir, 'cloudfront.parquet')
  await writeParquet(path, [
    row('10:57:03', '/pricing', 'Mozilla/5.0%20GPTBot/1.3'),
    row('10:57:04', '/blog/a', 'Mozilla/5.0%20(X11)%20Firefox/130.0', 'https://chatgpt.com/'),
    row('10:57:05', '/b', 'Mozilla/5.0%20GPTBot/1.3', '-', 'other.net'),
  ])
  const first = await logs.import(path)
  expect(first.files).toEqual([
    {
      file: path,
      format: 'cloudfront',
      lines: 3,
      bot_hits: 1,
      visits: 1,
      ignored: 1,
      already_imported: 0,
      rejected: 0,
    },
  ])
  expect(await logs.bots({ group_by: ['path'] })).toMatchObject([{ path: '/pricing', hits: 1 }])
  const copy = logs.write('copy.parquet', readFileSync(path))
  expect(await logs.import([path, copy])).toMatchObject({ lines: 6, already_imported: 6, bot_hits: 0 })
})

it('names a Parquet file that is cut off, and one that is no log', async () => {
  await using logs = await openLogSite()
  const path = join(logs.dir, 'cloudfront.parquet')
  await writeParquet(path, [row('10:57:03', '/pricing', 'Mozilla/5.0%20GPTBot/1.3')])
  const cut = logs.write('cut.parquet', readFileSync(path).subarray(0, -20))
  await expect(logs.import(cut)).rejects.toThrow(`${cut}: is a Parquet file that can't be read`)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const other = join(logs.dir, 'other.parquet')
  await connection.run(`COPY (SELECT 1 AS price, 'a' AS product) TO '${other}' (FORMAT parquet)`)
  connection.closeSync()
  instance.closeSync()
  await expect(logs.import(other)).rejects.toThrow(other)
})
