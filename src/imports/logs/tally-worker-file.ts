/**
 * Where the thread's code is: beside this file, in the sources and in the package alike. The executable has its own
 * `bin/executable/tally-worker-file.mts`.
 */
export function getTallyWorkerFile(): URL | string {
  const name = import.meta.url.endsWith('.ts') ? './tally-worker.ts' : './tally-worker.js'
  return new URL(name, import.meta.url)
}
