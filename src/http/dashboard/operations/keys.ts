import * as v from 'valibot'
import { type ApiKey, KEY_EXPIRY_DAYS, keyStatus } from '../../../domain/api-key.ts'
import { KEY_PERMISSIONS } from '../../../domain/enums.ts'
import { ApiError } from '../../../errors.ts'
import { NAME_CHARACTERS_MAX } from '../../../limits.ts'
import { maxCharacters } from '../../../schemas/max-characters.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Text, Timestamp } from '../../../schemas/values.ts'
import { list, single } from '../../schemas/resources.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'

const KeyRow = v.object({
  id: Text,
  name: Text,
  permission: v.picklist(KEY_PERMISSIONS),
  creator: Text,
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: v.nullable(Timestamp),
  last_used_at: v.nullable(Timestamp),
  status: v.picklist(['active', 'expired', 'revoked']),
})
export type KeyRow = v.InferOutput<typeof KeyRow>

const KEY = {
  id: 'key_0k7q4zj0m3v8c1n5t9x2b6d4gh',
  name: 'reporting',
  permission: 'read',
  creator: 'ana@acme.com',
  created_at: '2026-11-20T10:00:00.000Z',
  expires_at: '2027-02-18T10:00:00.000Z',
  revoked_at: null,
  last_used_at: null,
  status: 'active',
} as const

function presentKey(key: ApiKey, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    permission: key.permission,
    creator: key.creator,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    status: keyStatus(key, nowMs),
  }
}

export const listKeys = defineUiEndpoint({
  operation: 'listKeys',
  method: 'GET',
  path: '/ui/v1/keys',
  access: 'owner',
  summary: 'The keys of the organization, without their values',
  response: list(KeyRow),
  example: { response: { data: [KEY] } },
  handle: ({ app: { catalog, clock }, caller: { organization } }) => ({
    data: catalog.keys.list(organization.id).map((key) => presentKey(key, clock.now())),
  }),
})

const MadeKey = v.object({ key: KeyRow, value: Text })
export type MadeKey = v.InferOutput<typeof MadeKey>

export const createKey = defineUiEndpoint({
  operation: 'createKey',
  method: 'POST',
  path: '/ui/v1/keys',
  access: 'owner',
  confirmsPassword: true,
  summary: 'Make a key and show it, this once',
  body: strictObject({
    name: v.pipe(v.string(), v.trim(), v.minLength(1), maxCharacters(NAME_CHARACTERS_MAX)),
    permission: v.picklist(KEY_PERMISSIONS),
    expires_in_days: v.picklist(KEY_EXPIRY_DAYS),
  }),
  response: single(MadeKey),
  example: {
    body: { name: 'reporting', permission: 'read', expires_in_days: 90 },
    response: { data: { key: KEY, value: 'alk_…' } },
  },
  handle: async ({ app: { catalog, clock }, caller, change }, { body: { name, permission, expires_in_days } }) => {
    const { key, value } = await change(
      () =>
        catalog.keys.create({
          name,
          permission,
          expiresInDays: expires_in_days,
          organizationId: caller.organization.id,
          creator: caller.user.mail,
        }),
      (made) => ({ action: 'key.create', subject: made.key.id, detail: { name, permission, expires_in_days } }),
    )
    return { data: { key: presentKey(key, clock.now()), value } }
  },
})

export const revokeKey = defineUiEndpoint({
  operation: 'revokeKey',
  method: 'POST',
  path: '/ui/v1/keys/{key_id}/revoke',
  access: 'owner',
  confirmsPassword: true,
  summary: 'Refuse a key from the very next request on',
  params: v.object({ key_id: Text }),
  body: strictObject({}),
  response: single(KeyRow),
  example: {
    body: {},
    response: { data: { ...KEY, revoked_at: '2026-11-20T11:00:00.000Z', status: 'revoked' } },
  },
  handle: async ({ app: { catalog, clock }, caller, change }, { params: { key_id: id } }) => {
    const find = () => catalog.keys.list(caller.organization.id).find((key) => key.id === id)
    const before = find()
    if (before === undefined) throw new ApiError('not_found', 'There is no such key.')
    const key = await change(
      () => ({ wasRevoked: find()?.revokedAt !== null, ...catalog.keys.revoke(id) }),
      ({ wasRevoked, name }) => (wasRevoked ? undefined : { action: 'key.revoke', subject: id, detail: { name } }),
    )
    return { data: presentKey(key, clock.now()) }
  },
})
