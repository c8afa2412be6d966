import type { DuckDBConnection } from '@duckdb/node-api'
import { allDone } from './all-done.ts'
import { readCells } from './cells.ts'
import { DATASET } from './datasets.ts'
import { type HitSum, isHitSum, selectHitSum } from './hit-sums.ts'
import { numberPaths } from './path-numbers.ts'
import type { Staging } from './staging.ts'

/**
 * Stages the chunk in `chunk_hits`, `chunk_visits`, `chunk_sources` and `chunk_paths`: its sums by quarters of an hour,
 * and those over them, month by month. The second connection is to the same instance; both work beside each other.
 */
export async function stageChunk(
  connections: readonly [DuckDBConnection, DuckDBConnection],
  staging: Staging,
): Promise<void> {
  const [first, second] = connections
  await numberPaths(first)
  await first.run(PLACE_HITS)
  await first.run(PLACE_VISITS)
  const months = await readCells(
    first,
    `SELECT strftime(day, '%Y-%m') AS month FROM placed_hits UNION SELECT strftime(day, '%Y-%m') FROM placed_visits ORDER BY month`,
  )
  const writeAll = async (connection: DuckDBConnection, datasets: readonly LogDataset[]): Promise<void> => {
    for (const [value] of months) {
      const month = String(value)
      const days = `day BETWEEN DATE '${month}-01' AND last_day(DATE '${month}-01')`
      for (const dataset of datasets) {
        await staging.write(connection, dataset, month, toSelect(dataset, days))
      }
    }
  }
  await allDone([
    writeAll(first, ['bot_hits']),
    writeAll(second, ['bot_months', 'bot_page_types', 'bot_rollup', 'visits']),
  ])
}

type LogDataset = HitSum | 'bot_hits' | 'visits'

/** `time` counts seconds since 1970; a quarter of an hour has 900 of them, a day 96 quarters. */
const TO_PLACE = `
  DATE '1970-01-01' + (slot // 96)::INTEGER AS day,
  slot % 96 AS quarter,
  path_no`

const PLACE_HITS = `
  CREATE OR REPLACE TABLE placed_hits AS
  SELECT ${TO_PLACE}, page_type_no, bot_no, verification_no, hits, error_hits, last_second
  FROM (
    SELECT
      path AS path_seq, time // 900 AS slot, bot AS bot_no, verification AS verification_no,
      count(*) AS hits, sum(error) AS error_hits, max(time % 900) AS last_second
    FROM chunk_hits GROUP BY ALL
  ) JOIN numbered_paths USING (path_seq)`

const PLACE_VISITS = `
  CREATE OR REPLACE TABLE placed_visits AS
  SELECT ${TO_PLACE}, chunk_sources.source, visits, last_second
  FROM (
    SELECT path AS path_seq, time // 900 AS slot, source AS source_no, count(*) AS visits, max(time % 900) AS last_second
    FROM chunk_visits GROUP BY ALL
  ) JOIN numbered_paths USING (path_seq) JOIN chunk_sources USING (source_no)`

/** How each data set is made of the chunk's placed hits or visits. */
function toSelect(dataset: LogDataset, days: string): string {
  const placed = `SELECT * FROM ${dataset === 'visits' ? 'placed_visits' : 'placed_hits'} WHERE ${days}`
  return isHitSum(dataset) ? selectHitSum(dataset, `(${placed})`) : `${placed} ORDER BY ${DATASET[dataset].sortedBy}`
}
