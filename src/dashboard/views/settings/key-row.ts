/** A key as the list shows it: never its value. */
export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly permission: 'read' | 'write'
  readonly creator: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly status: string
}

/** Those that work first, then by age, the newest first. */
export const sortKeys = (keys: readonly KeyRow[]): readonly KeyRow[] =>
  keys.toSorted(
    (a, b) => Number(b.status === 'active') - Number(a.status === 'active') || (a.created_at < b.created_at ? 1 : -1),
  )

/** A line for a shell that tries a key. */
export const toTryLine = (value: string, origin: string): string =>
  `curl -s -H 'X-API-Key: ${value}' ${origin}/v1/sites`
