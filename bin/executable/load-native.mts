import { join } from 'node:path'
import { unpack } from './unpack.mts'

/** Loads a native module that the executable carries; `folder` has it with the libraries it is linked to. */
export function loadNative(folder: string, name: string): unknown {
  const path = join(unpack(folder), name)
  const loaded = { exports: {} }
  process.dlopen(loaded, path)
  return loaded.exports
}
