import { join } from 'node:path'
import type { WorkerName } from '../../src/imports/logs/worker-file.ts'
import { unpack } from './unpack.mts'

/** Stands in for `src/imports/logs/worker-file.ts`: the threads' code is inside the executable. */
export function getWorkerFile(name: WorkerName): string {
  return join(unpack('workers'), `${name}.cjs`)
}
