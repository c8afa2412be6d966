import type { DuckDBConnection } from '@duckdb/node-api'
import { allDone } from './all-done.ts'
import { DATASET } from './datasets.ts'
import { findMonth, type HitRows, type SummedHits, sumHits, toMonthKeys, toQuarterKeys } from './hit-keys.ts'
import type { HitSum } from './hit-sums.ts'
import { makeNumberTable } from './number-table.ts'
import type { NumberedPaths, PathOrder } from './path-numbers.ts'
import type { Staging } from './staging.ts'

/** Visits, one place of each column a visit. */
export interface VisitRows {
  /** Place of the path in its list. */
  readonly path: Uint32Array
  /** Seconds since 1970, UTC. */
  readonly time: Uint32Array
  /** Place of the engine among `sources`. */
  readonly source: Uint32Array
}

export interface LogRows {
  readonly hits: HitRows
  readonly visits: VisitRows
}

/**
 * Stages a chunk month by month: hits and visits by quarters of an hour, and the sums over hits but for `bot_months`.
 * DuckDB is handed rows in the order of their file. The second connection is to the same instance; both work beside each
 * other.
 */
export async function stageChunk(
  [first, second]: readonly [DuckDBConnection, DuckDBConnection],
  staging: Staging,
  { hits, visits }: LogRows,
  { pathNos, pageTypeNos, places, inOrder }: NumberedPaths & PathOrder,
): Promise<void> {
  const writeHits = async (): Promise<void> => {
    const { high, low, ...sums } = sumHits(toQuarterKeys(hits, places))
    const path_no = high.map((half, row) => inOrder[((half & 0xffff) << 2) | ((low[row] ?? 0) >>> 30)] ?? 0)
    await writeQuarters(first, staging, 'bot_hits', { high, low, path_no, ...sums })
    await writeVisits(first, staging, { ...visits, path_no: visits.path.map((seq) => pathNos[seq] ?? 0) })
  }
  const writeSums = async (): Promise<void> => {
    await writeQuarters(second, staging, 'bot_page_types', sumHits(toQuarterKeys(hits, pageTypeNos)))
    await writeQuarters(second, staging, 'bot_rollup', sumHits(toQuarterKeys(hits, new Uint32Array(places.length))))
  }
  await allDone([writeHits(), writeSums()])
}

/** Stages `bot_months` of hits. */
export async function stageHitMonths(
  connection: DuckDBConnection,
  staging: Staging,
  hits: readonly HitRows[],
  { places, inOrder }: PathOrder,
): Promise<void> {
  const { high, low, ...sums } = sumHits(toMonthKeys(hits, places))
  const path_no = high.map((half) => inOrder[(half >>> 3) & 0x3ffff] ?? 0)
  await makeNumberTable(connection, 'months', { high, low, path_no, ...sums })
  for (const { name, no, start } of listMonths(high, (half) => Date.UTC(1970, half >>> 21) / 86_400_000)) {
    await staging.write(
      connection,
      'bot_months',
      name,
      `
      SELECT
        DATE '${name}-01' AS day, path_no, ((high & 7) << 7) | (low >> 25) AS bot_no, (low >> 23) & 3 AS verification_no,
        hits, error_hits, ${start * 86_400} + ((low >> 1) & 4194303) AS last_epoch
      FROM months
      WHERE high >> 21 = ${no}`,
    )
  }
}

async function writeQuarters(
  connection: DuckDBConnection,
  staging: Staging,
  dataset: 'bot_hits' | Exclude<HitSum, 'bot_months'>,
  sums: SummedHits & { readonly path_no?: Uint32Array },
): Promise<void> {
  const table = `${dataset}_rows`
  await makeNumberTable(connection, table, { ...sums })
  const ofPath = sums.path_no ? 'path_no' : '((high & 65535) << 2) | (low >> 30) AS page_type_no'
  for (const { name, start, end } of listMonths(sums.high, (half) => half >>> 16)) {
    await staging.write(
      connection,
      dataset,
      name,
      `
      SELECT
        ${toDay('high >> 16')} AS day, ${ofPath},
        (low >> 20) & 1023 AS bot_no, (low >> 18) & 3 AS verification_no, (low >> 11) & 127 AS quarter,
        hits, error_hits, (low >> 1) & 1023 AS last_second
      FROM ${table}
      WHERE high >> 16 BETWEEN ${start} AND ${end}`,
    )
  }
}

async function writeVisits(
  connection: DuckDBConnection,
  staging: Staging,
  { path_no, time, source }: VisitRows & { readonly path_no: Uint32Array },
): Promise<void> {
  await makeNumberTable(connection, 'visits', { path_no, time, source_no: source })
  for (const { name, start, end } of listMonths(time, (seconds) => Math.floor(seconds / 86_400))) {
    await staging.write(
      connection,
      'visits',
      name,
      `
      SELECT
        ${toDay('time // 86400')} AS day, path_no, source, time // 900 % 96 AS quarter,
        count(*) AS visits, max(time % 900) AS last_second
      FROM visits JOIN sources USING (source_no)
      WHERE time // 86400 BETWEEN ${start} AND ${end}
      GROUP BY ALL
      ORDER BY ${DATASET.visits.sortedBy}`,
    )
  }
}

const toDay = (sql: string): string => `DATE '1970-01-01' + (${sql})::INTEGER`

interface Month {
  /** `YYYY-MM`. */
  readonly name: string
  /** Since 1970, from 0. */
  readonly no: number
  /** First and last day, since 1970. */
  readonly start: number
  readonly end: number
}

/** Months of the days that `dayOf` makes of values, of which many in a row make the same. */
function listMonths(values: Uint32Array, dayOf: (value: number) => number): readonly Month[] {
  const nos = new Set<number>()
  let last = -1
  for (const value of values) {
    const day = dayOf(value)
    if (day !== last) nos.add(findMonth(day * 86_400).no)
    last = day
  }
  return Array.from(nos)
    .sort((a, b) => a - b)
    .map((no) => ({
      name: new Date(Date.UTC(1970, no)).toISOString().slice(0, 7),
      no,
      start: Date.UTC(1970, no) / 86_400_000,
      end: Date.UTC(1970, no + 1) / 86_400_000 - 1,
    }))
}
