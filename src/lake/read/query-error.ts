import { ApiError } from '../../errors.ts'
import type { Sql } from '../sql.ts'

// Only the beginning of a message is DuckDB's own: the rest may repeat a value.

/** Whether a query met a fault of DuckDB's own, which makes that DuckDB refuse all that follows. */
export function hasBroken(error: unknown): boolean {
  return error instanceof Error && /^(INTERNAL|FATAL) Error/.test(error.message) && !metBroken(error)
}

/** Whether DuckDB refused a query because another one had broken it. */
export function metBroken(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('FATAL Error: Failed: database has been invalidated')
}

/** What a query's error means to a caller; DuckDB's own where it means nothing to them. */
export function toApiError(error: unknown, query: Sql): unknown {
  if (!(error instanceof Error)) return error
  if (/^Out of Memory/i.test(error.message)) {
    return new ApiError(
      'overloaded',
      'The report needs more memory than it may use. Ask for fewer days, or filter more.',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    )
  }
  // Messages repeat values, such as a pattern, and a value may hold any of these words.
  const readsFiles = query.texts.some((part) => part.includes('read_parquet('))
  if (
    readsFiles &&
    /^(IO Error|Invalid Error|Serialization Error|TProtocolException)|snappy|zstd|thrift|parquet/i.test(error.message)
  ) {
    return new ApiError(
      'data_unavailable',
      'A file that this report needs is missing or damaged. Ask the operator to run `answerlake lake verify`.',
      {
        retryAfterSeconds: 60,
        cause: error,
      },
    )
  }
  return error
}
