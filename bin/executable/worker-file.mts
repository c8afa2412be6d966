import { join } from 'node:path'
import { unpack } from './unpack.mts'

/** Stands in for `src/import-logs/worker-file.ts`: the worker threads' code is inside the executable. */
export function getWorkerFile(): string {
  return join(unpack('workers'), 'log-worker.cjs')
}
