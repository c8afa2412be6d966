import type { KeyRow } from '../../../http/dashboard/operations/keys.ts'
/** Those that work first, then by age, the newest first. */
export const sortKeys = (keys: readonly KeyRow[]): readonly KeyRow[] =>
  keys.toSorted(
    (a, b) => Number(b.status === 'active') - Number(a.status === 'active') || (a.created_at < b.created_at ? 1 : -1),
  )

/** A line for a shell that tries a key. */
export const toTryLine = (value: string, origin: string): string =>
  `curl -s -H 'X-API-Key: ${value}' ${origin}/v1/sites`
