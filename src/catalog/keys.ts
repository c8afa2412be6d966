import { DAY_MS } from '../domain/day.ts'
import { timingSafeEqual } from 'node:crypto'
import { toTimestamp } from '../clock.ts'
import {
  keyStatus,
  newApiKey,
  parseApiKey,
  toKeyHash,
  type ApiKey,
  type KeyExpiryDays,
  type KeyHolder,
} from '../domain/api-key.ts'
import type { KeyPermission } from '../domain/enums.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { KEY_CACHE_ENTRIES_MAX } from '../limits.ts'
import { keepHolders } from './holder-cache.ts'
import { openLastUses } from './last-uses.ts'
import { toName } from './operator-input.ts'
import { ORGANIZATION_COLUMNS, toOrganization, type OrganizationRow, type Organizations } from './organizations.ts'
import type { Store } from './store.ts'

export interface NewKey {
  readonly name: string
  readonly expiresInDays: KeyExpiryDays
  /** Default `read`. */
  readonly permission?: KeyPermission | undefined
  /** May be left out while there is exactly one organization. */
  readonly organizationId?: string | undefined
  readonly creator: string
  /** What the key begins with behind its prefix (domain/api-key.ts). */
  readonly cell?: string | undefined
}

export interface Keys {
  /** A new key. `value` is returned here and never again; only its SHA-256 is stored. */
  create(given: NewKey): { key: ApiKey; value: string }
  /** In the order of creation, of one organization or of all. */
  list(organizationId?: string): ApiKey[]
  /** Takes effect on the very next request of every running server. Revoking twice changes nothing. */
  revoke(id: string): ApiKey
  /**
   * The key with its organization when the value is a key that exists, isn't revoked and hasn't expired; undefined for
   * every other cause alike. Served from memory while the catalog stays unchanged.
   */
  authenticate(value: string): KeyHolder | undefined
  /** Notes in memory that the key was used now. */
  touch(id: string): void
  /** Writes the noted uses in one transaction. Keeps them for later when the disk is full or another process is writing. */
  flushLastUsed(): void
}

interface KeyRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly permission: KeyPermission
  readonly sha256: Buffer
  readonly creator: string
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
  readonly last_used_at: string | null
}

const COLUMNS = `api_keys.id, api_keys.organization_id, api_keys.name, permission, sha256, creator,
  api_keys.created_at, expires_at, revoked_at, last_used_at`

export function openKeys(store: Store, organizations: Organizations): Keys {
  const { db } = store
  const insert = db.prepare<[KeyRow]>(`
    INSERT INTO api_keys
      (id, organization_id, name, permission, sha256, creator, created_at, expires_at, revoked_at, last_used_at)
    VALUES
      (@id, @organization_id, @name, @permission, @sha256, @creator, @created_at, @expires_at, @revoked_at, @last_used_at)`)
  const selectAll = db.prepare<[], KeyRow>(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`)
  const selectOf = db.prepare<[string], KeyRow>(
    `SELECT ${COLUMNS} FROM api_keys WHERE organization_id = ? ORDER BY created_at, id`,
  )
  const selectById = db.prepare<[string], KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE id = ?`)
  const selectHolder = db.prepare<[Buffer], KeyRow & OrganizationRow>(`
    SELECT ${COLUMNS}, ${ORGANIZATION_COLUMNS}
    FROM api_keys JOIN organizations ON organizations.id = api_keys.organization_id
    WHERE sha256 = ?`)
  const setRevoked = db.prepare<[string, string]>(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const uses = openLastUses(store, 'api_keys')
  const findHolder = keepHolders(store, KEY_CACHE_ENTRIES_MAX, (hash): KeyHolder | undefined => {
    const row = store.read(() => selectHolder.get(hash))
    if (!row || !timingSafeEqual(row.sha256, hash)) return undefined
    return { key: toKey(row), organization: toOrganization(row) }
  })

  return {
    create: (given) =>
      store.write(() => {
        const value = newApiKey(store.random, given.cell)
        const nowMs = store.clock.now()
        const row: KeyRow = {
          id: newId('key', nowMs, store.random),
          organization_id: organizations.getOnly(given.organizationId).id,
          name: toName(given.name),
          permission: given.permission ?? 'read',
          sha256: toKeyHash(value),
          creator: given.creator,
          created_at: toTimestamp(nowMs),
          expires_at: toTimestamp(nowMs + given.expiresInDays * DAY_MS),
          revoked_at: null,
          last_used_at: null,
        }
        insert.run(row)
        return { key: toKey(row), value }
      }),
    list: (organizationId) =>
      store.read(() => (organizationId === undefined ? selectAll.all() : selectOf.all(organizationId))).map(toKey),
    revoke: (id) =>
      store.write(() => {
        setRevoked.run(toTimestamp(store.clock.now()), id)
        const row = selectById.get(id)
        if (!row) throw new CommandError(`There is no key "${id}". \`answerlake keys list\` shows them.`)
        return toKey(row)
      }),
    authenticate(text) {
      const value = parseApiKey(text)
      if (value === undefined) return undefined
      const holder = findHolder(toKeyHash(value))
      return holder && keyStatus(holder.key, store.clock.now()) === 'active' ? holder : undefined
    },
    touch: (id) => uses.touch(id),
    flushLastUsed: () => uses.flush(),
  }
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    permission: row.permission,
    creator: row.creator,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}
