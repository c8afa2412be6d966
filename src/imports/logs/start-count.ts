import { BatchCount } from './batch-count.ts'
import type { CountOptions, CountStart, LogCount } from './count-log.ts'
import type { Log } from './open-log.ts'
import { OrderedCount } from './ordered-count.ts'

/** What lines mean may depend on those before; then they are counted in one thread, in order. */
export function startCount(log: Log, start: CountStart, options: CountOptions): LogCount {
  return log.isStateful ? new OrderedCount(log, start, options) : new BatchCount(log, start, options)
}
