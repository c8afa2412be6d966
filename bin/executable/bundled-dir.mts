import { unpack } from './unpack.mts'

/** Stands in for `cli/bundled-dir.ts`: directories of `data/` are inside the executable. */
export function getBundledDir(name: string): string {
  return unpack(`data/${name}`)
}
