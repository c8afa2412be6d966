/**
 * Where the code of worker threads is: beside this file, in the sources and in the package alike. The executable has its
 * own `bin/executable/worker-file.mts`.
 */
export function getWorkerFile(): URL | string {
  return import.meta.url.endsWith('.ts')
    ? new URL('./worker.ts', import.meta.url)
    : new URL('./log-worker.js', import.meta.url)
}
