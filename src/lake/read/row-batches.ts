import type { Row } from '../cells.ts'

/** The rows of a SELECT that is done, given bit by bit, so that nobody holds all of them as objects. */
export interface RowBatches extends AsyncDisposable {
  /** The next rows, some two thousand; none when all were given. One at a time. */
  next(): Promise<readonly Row[]>
}

/**
 * Batches that call `release` once, when they are disposed of and no reading of theirs is under way any more. What was
 * disposed of gives nothing.
 */
export function releaseAfter(batches: Pick<RowBatches, 'next'>, release: () => Promise<void>): RowBatches {
  let reading: Promise<unknown> = Promise.resolve()
  let released: Promise<void> | undefined
  return {
    async next() {
      if (released !== undefined) throw new Error('rows were asked for after they were let go of')
      const next = batches.next()
      reading = next.catch(() => undefined)
      return next
    },
    [Symbol.asyncDispose]: () => (released ??= reading.then(release)),
  }
}

/** Rows that are there already. */
export function toBatches(rows: readonly Row[]): RowBatches {
  let left = rows
  return {
    async next() {
      const next = left
      left = []
      return next
    },
    async [Symbol.asyncDispose]() {},
  }
}
