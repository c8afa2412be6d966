import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Dataset } from '../../src/domain/manifest.ts'
import { type Cell, toCell } from '../../src/lake/cells.ts'
import { openLogWriter } from '../../src/lake/write/log-writer.ts'
import { openStaging } from '../../src/lake/write/staging.ts'

/** Two are the same path once they are UTF-8. */
const PATHS = ['/a', "/b'\\", '/\ud800', '/\udfff', '/c']
const SOURCES = ['chatgpt', 'claude']
const NEW_YEAR = Date.UTC(2026, 0, 1) / 1_000

const path = fc.constantFrom(...PATHS)
const time = fc.integer({ min: NEW_YEAR - 3_000, max: NEW_YEAR + 3_000 })
const hit = fc.record({ path, time, bot: fc.nat(2), verification: fc.nat(2), error: fc.nat(1) })
const visit = fc.record({ path, time, source: fc.nat(1) })
const chunk = fc.record({
  hits: fc.array(hit, { maxLength: 30 }),
  visits: fc.array(visit, { maxLength: 5 }),
})
type Chunk = typeof chunk extends fc.Arbitrary<infer T> ? T : never

test('every data set holds all hits and visits, however they are cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 4 }), async (chunks) => {
      const hits = chunks.flatMap((one) => one.hits)
      const visits = chunks.flatMap((one) => one.visits)
      expect(await store(chunks)).toEqual({
        bot_hits: sum(hits, (one) => [
          toDay(one.time),
          toText(one.path),
          one.bot,
          one.verification,
          toQuarter(one.time),
        ]),
        bot_page_types: sum(hits, (one) => [
          toDay(one.time),
          toType(one.path),
          one.bot,
          one.verification,
          toQuarter(one.time),
        ]),
        bot_rollup: sum(hits, (one) => [toDay(one.time), one.bot, one.verification, toQuarter(one.time)]),
        bot_months: sum(
          hits,
          (one) => [`${toDay(one.time).slice(0, 7)}-01`, toText(one.path), one.bot, one.verification],
          (seconds) => seconds,
        ),
        visits: sum(visits, (one) => [toDay(one.time), toText(one.path), SOURCES[one.source]!, toQuarter(one.time)]),
      })
    }),
    { numRuns: 20 },
  )
}, 60_000)

async function store(chunks: readonly Chunk[]): Promise<Record<string, unknown>> {
  const dir = mkdtempSync(join(tmpdir(), 'log-writer-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const staging = await openStaging(dir, 'site', 'change')
    const writer = await openLogWriter({
      staging,
      lakeDir: dir,
      liveFiles: [],
      counters: { path_no: 5 },
      importNo: 7,
      toPageTypeNo: toType,
    })
    for (const { hits, visits } of chunks) {
      const toSeq = (one: { path: string }): number => PATHS.indexOf(one.path)
      await writer.write({
        paths: PATHS,
        sources: SOURCES,
        hits: {
          path: Uint32Array.from(hits, toSeq),
          time: Uint32Array.from(hits, (one) => one.time),
          bot: Uint32Array.from(hits, (one) => one.bot),
          verification: Uint32Array.from(hits, (one) => one.verification),
          error: Uint32Array.from(hits, (one) => one.error),
        },
        visits: {
          path: Uint32Array.from(visits, toSeq),
          time: Uint32Array.from(visits, (one) => one.time),
          source: Uint32Array.from(visits, (one) => one.source),
        },
      })
    }
    await writer.finish()
    await writer.close()
    const read = async (dataset: Dataset, keys: string, sums: string): Promise<readonly Cell[][]> => {
      const where = (wanted: Dataset): string[] =>
        staging.files
          .filter((file) => file.dataset === wanted)
          .map((file) => `'${join(dir, staging.where(file).path)}'`)
      if (where(dataset).length === 0) return []
      const names = `(SELECT path_no AS no, path FROM read_parquet([${where('paths').join()}]))`
      const rows = `read_parquet([${where(dataset).join()}])`
      const relation = keys.includes('path,') ? `${rows} JOIN ${names} ON path_no = no` : rows
      const reader = await connection.runAndReadAll(`SELECT ${keys}, ${sums} FROM ${relation} GROUP BY ALL`)
      return reader.getRowsJS().map((row) => row.map(toCell))
    }
    const counts = 'sum(hits)::BIGINT, sum(error_hits)::BIGINT'
    return {
      bot_hits: toSorted(
        await read('bot_hits', 'day::VARCHAR, path, bot_no, verification_no, quarter', `${counts}, max(last_second)`),
      ),
      bot_page_types: toSorted(
        await read(
          'bot_page_types',
          'day::VARCHAR, page_type_no, bot_no, verification_no, quarter',
          `${counts}, max(last_second)`,
        ),
      ),
      bot_rollup: toSorted(
        await read('bot_rollup', 'day::VARCHAR, bot_no, verification_no, quarter', `${counts}, max(last_second)`),
      ),
      bot_months: toSorted(
        await read('bot_months', 'day::VARCHAR, path, bot_no, verification_no', `${counts}, max(last_epoch)`),
      ),
      visits: toSorted(
        await read('visits', 'day::VARCHAR, path, source, quarter', 'sum(visits)::BIGINT, max(last_second)'),
      ),
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
    rmSync(dir, { recursive: true })
  }
}

/** Keys, counts and the greatest time of each group. */
function sum<T extends { readonly time: number; readonly error?: number }>(
  rows: readonly T[],
  toKey: (row: T) => readonly (string | number)[],
  toLast = (seconds: number): number => seconds % 900,
): readonly Cell[][] {
  const groups = new Map<string, { key: readonly (string | number)[]; counts: number[]; last: number }>()
  for (const row of rows) {
    const key = toKey(row)
    const known = groups.get(JSON.stringify(key)) ?? { key, counts: row.error === undefined ? [0] : [0, 0], last: 0 }
    const added = row.error === undefined ? [1] : [1, row.error]
    groups.set(JSON.stringify(key), {
      key,
      counts: known.counts.map((count, no) => count + added[no]!),
      last: Math.max(known.last, toLast(row.time)),
    })
  }
  return toSorted(Array.from(groups.values(), ({ key, counts, last }) => [...key, ...counts, last]))
}

function toSorted(rows: readonly Cell[][]): readonly Cell[][] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

const toText = (text: string): string => text.toWellFormed()
const toType = (text: string): number => PATHS.map(toText).indexOf(toText(text)) + 1
const toDay = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)
const toQuarter = (seconds: number): number => Math.floor(seconds / 900) % 96
