import { ApiError } from '../errors.ts'
import type { Row } from '../lake/cells.ts'
import type { RowBatches } from '../lake/read/row-batches.ts'
import { WHOLE_BATCH_ROWS, WHOLE_ROWS_MAX } from '../limits.ts'
import type { ReportDefinition, SiteState } from './run.ts'

/** What `info` says of a whole result. */
export function toWholeInfo(total: number) {
  return { count: Math.min(total, WHOLE_ROWS_MAX), total_results: total, next_cursor: null }
}

/** Rows of the answer, from those of the SELECT, of which `first` were read already. */
export async function* completeBatches<R>(
  state: SiteState,
  report: Pick<ReportDefinition<R>, 'complete' | 'toRow'>,
  first: readonly Row[],
  found: RowBatches,
): AsyncGenerator<readonly R[], void> {
  const toRow = report.toRow(state)
  let left = first
  // The first rows come soon, the others in few steps: each step of stored answers reads the texts of whole days.
  for (let size: number = WHOLE_BATCH_ROWS.first; ; size = Math.min(2 * size, WHOLE_BATCH_ROWS.most)) {
    while (left.length < size) {
      const more = await found.next()
      if (more.length === 0) break
      left = left.concat(more)
    }
    if (left.length === 0) return
    const taken = left.slice(0, size)
    let done = 0
    for (const slice of (await report.complete?.(state, taken)) ?? sliced(taken)) {
      done += slice.length
      yield slice.map(toRow)
    }
    left = left.slice(done)
  }
}

/** In small steps: what dies young is never moved to where only a full collection finds it. */
function* sliced(rows: readonly Row[]): Generator<readonly Row[], void> {
  for (let at = 0; at < rows.length; at += WHOLE_BATCH_ROWS.first) yield rows.slice(at, at + WHOLE_BATCH_ROWS.first)
}

/** The same batches; behind them ApiError `too_many_rows` where a whole result has no room for `total` rows. */
export async function* endRightly<R>(
  total: number,
  batches: AsyncIterable<readonly R[]> | Iterable<readonly R[]>,
): AsyncGenerator<readonly R[], void> {
  let given = 0
  for await (const rows of batches) {
    given += rows.length
    if (rows.length > 0) yield rows
  }
  if (total > WHOLE_ROWS_MAX) {
    throw new ApiError(
      'too_many_rows',
      `The result has ${total} rows, and these are the first ${WHOLE_ROWS_MAX}. Ask for fewer days, filter more, or page with limit and cursor.`,
    )
  }
  if (given !== total) throw new Error(`a whole result has ${given} rows where ${total} were counted`)
}
