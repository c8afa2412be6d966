import type { Store } from './store.ts'

/** Finds whose a secret is by the secret's SHA-256. */
export type FindHolder<Holder> = (sha256: Buffer) => Holder | undefined

/**
 * The same as `find`, which is asked once for each holder while the catalog stays unchanged: a change by any process drops all
 * that is kept, and so does having kept `entriesMax`. What isn't found isn't kept: strangers could fill the memory.
 */
export function keepHolders<Holder>(
  store: Pick<Store, 'version'>,
  entriesMax: number,
  find: FindHolder<Holder>,
): FindHolder<Holder> {
  const holders = new Map<string, Holder>()
  let keptVersion = -1
  return (sha256) => {
    const version = store.version()
    if (version !== keptVersion || holders.size >= entriesMax) holders.clear()
    keptVersion = version
    const name = sha256.toString('latin1')
    const kept = holders.get(name)
    if (kept !== undefined) return kept
    const found = find(sha256)
    if (found !== undefined) holders.set(name, found)
    return found
  }
}
