/** The code of threads. */
export type WorkerName = 'tally-worker'

/**
 * Where a thread's code is: beside this file, in the sources and in the package alike. The executable has its own
 * `bin/executable/worker-file.mts`.
 */
export function getWorkerFile(name: WorkerName): URL | string {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, import.meta.url)
}
