import type { Dataset } from '../../domain/manifest.ts'
import { DATASET } from '../datasets.ts'
import { type Sql, sql } from '../sql.ts'

/** Sums over `bot_hits` for reports that need no path, or no day: what each groups by. */
const KEYS = {
  bot_rollup: sql`day, bot_no, verification_no, quarter`,
  bot_page_types: sql`day, page_type_no, bot_no, verification_no, quarter`,
  bot_months: sql`date_trunc('month', hit.day)::DATE AS day, path_no, bot_no, verification_no`,
} as const

export type HitSum = keyof typeof KEYS

export const HIT_SUMS = Object.keys(KEYS) as readonly HitSum[]

export const isHitSum = (dataset: Dataset): dataset is HitSum => Object.hasOwn(KEYS, dataset)

/**
 * SQL of a sum's rows in the order of its files. `hits` is a relation, or a SELECT in brackets, with the columns of
 * `bot_hits`, and those of `paths` where the sum groups by page type.
 */
export function selectHitSum(dataset: HitSum, hits: Sql): Sql {
  const last =
    dataset === 'bot_months'
      ? sql`max(epoch(hit.day)::BIGINT + quarter::INTEGER * 900 + last_second) AS last_epoch`
      : sql`max(last_second) AS last_second`
  return sql`
    SELECT ${KEYS[dataset]}, sum(hits) AS hits, sum(error_hits) AS error_hits, ${last}
    FROM ${hits} AS hit
    GROUP BY ALL
    ORDER BY ${DATASET[dataset].sortedBy}`
}
