import { LineSplitter } from '../lines.ts'
import { BatchCount } from './batch-count.ts'
import type { CountOptions, CountStart, LogCount } from './count-log.ts'
import type { Log } from './open-log.ts'
import { OrderedCount } from './ordered-count.ts'

/** What lines mean may depend on those before; then they are counted in one thread, in order. */
export function startCount(log: Log, start: CountStart, options: CountOptions): LogCount {
  return log.splitter instanceof LineSplitter && !isStateful(log)
    ? new BatchCount(log, start, options)
    : new OrderedCount(log, start, options)
}

/** Whether the reader must see all lines: their columns are in a header, or their request ids are remembered. */
export function isStateful({ format }: Log): boolean {
  return format === 'w3c' || format === 'cloudfront' || format === 'vercel'
}
