import { join } from 'node:path'
import { unpack } from './unpack.mts'

/** Stands in for `src/imports/logs/tally-worker-file.ts`: the thread's code is inside the executable. */
export function getTallyWorkerFile(): string {
  return join(unpack('workers'), 'tally-worker.cjs')
}
