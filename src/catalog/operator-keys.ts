import { timingSafeEqual } from 'node:crypto'
import { toTimestamp } from '../clock.ts'
import { type KeyExpiryDays, keyStatus, newOperatorKey, parseOperatorKey, toKeyHash } from '../domain/api-key.ts'
import { DAY_MS } from '../domain/day.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { toName } from './operator-input.ts'
import type { Store } from './store.ts'

/** A key of the operator, who sees all organizations; the value itself is shown once and never kept. */
export interface OperatorKey {
  readonly id: string
  readonly name: string
  readonly creator: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly revokedAt: string | null
}

export interface OperatorKeys {
  /** A new key. `value` is returned here and never again; only its SHA-256 is stored. */
  create(given: { readonly name: string; readonly expiresInDays: KeyExpiryDays; readonly creator: string }): {
    readonly key: OperatorKey
    readonly value: string
  }
  /** In the order of creation. */
  list(): OperatorKey[]
  /** Takes effect on the very next request. Revoking twice changes nothing. */
  revoke(id: string): OperatorKey
  /** The key when the value is one that exists, isn't revoked and hasn't expired; undefined for every other cause alike. */
  authenticate(value: string): OperatorKey | undefined
}

interface OperatorKeyRow {
  readonly id: string
  readonly name: string
  readonly sha256: Buffer
  readonly creator: string
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

export function openOperatorKeys(store: Store): OperatorKeys {
  const { db } = store
  const insert = db.prepare<[OperatorKeyRow]>(`
    INSERT INTO operator_keys (id, name, sha256, creator, created_at, expires_at, revoked_at)
    VALUES (@id, @name, @sha256, @creator, @created_at, @expires_at, @revoked_at)`)
  const selectAll = db.prepare<[], OperatorKeyRow>('SELECT * FROM operator_keys ORDER BY created_at, id')
  const selectById = db.prepare<[string], OperatorKeyRow>('SELECT * FROM operator_keys WHERE id = ?')
  const selectByHash = db.prepare<[Buffer], OperatorKeyRow>('SELECT * FROM operator_keys WHERE sha256 = ?')
  const setRevoked = db.prepare<[string, string]>(
    'UPDATE operator_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  return {
    create: ({ name, expiresInDays, creator }) =>
      store.write(() => {
        const value = newOperatorKey(store.random)
        const nowMs = store.clock.now()
        const row: OperatorKeyRow = {
          id: newId('key', nowMs, store.random),
          name: toName(name),
          sha256: toKeyHash(value),
          creator,
          created_at: toTimestamp(nowMs),
          expires_at: toTimestamp(nowMs + expiresInDays * DAY_MS),
          revoked_at: null,
        }
        insert.run(row)
        return { key: toKey(row), value }
      }),
    list: () => store.read(() => selectAll.all()).map(toKey),
    revoke: (id) =>
      store.write(() => {
        setRevoked.run(toTimestamp(store.clock.now()), id)
        const row = selectById.get(id)
        if (!row) {
          throw new CommandError(`There is no operator's key "${id}". \`answerlake operator-keys list\` shows them.`)
        }
        return toKey(row)
      }),
    authenticate(text) {
      const value = parseOperatorKey(text)
      if (value === undefined) return undefined
      const hash = toKeyHash(value)
      const row = store.read(() => selectByHash.get(hash))
      if (!row || !timingSafeEqual(row.sha256, hash)) return undefined
      const key = toKey(row)
      return keyStatus(key, store.clock.now()) === 'active' ? key : undefined
    },
  }
}

function toKey(row: OperatorKeyRow): OperatorKey {
  return {
    id: row.id,
    name: row.name,
    creator: row.creator,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}
