import * as v from 'valibot'
import { AUDIT_PAGE_MAX } from '../../../people-limits.ts'
import { invalidCursor } from '../../../reports/sealed-cursor.ts'
import { page } from '../../../reports/request-schema.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Count, Text, Timestamp } from '../../../schemas/values.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'

const AuditRow = v.object({
  id: Text,
  at: Timestamp,
  actor: Text,
  action: Text,
  subject: Text,
  detail: v.record(Text, v.unknown()),
})
export type AuditRow = v.InferOutput<typeof AuditRow>

export const listAudit = defineUiEndpoint({
  operation: 'listAudit',
  method: 'GET',
  path: '/ui/v1/audit',
  access: 'owner',
  summary: 'Who changed what, newest first',
  query: strictObject(page({ max: AUDIT_PAGE_MAX, default: 100 })),
  response: v.object({
    info: v.object({ count: Count, next_cursor: v.nullable(Text) }),
    data: v.array(AuditRow),
  }),
  example: {
    response: {
      info: { count: 1, next_cursor: null },
      data: [
        {
          id: 'aud_0k7q4zj0a1u2d3i4t5b6c7d8ef',
          at: '2026-11-20T10:00:00.000Z',
          actor: 'ana@acme.com',
          action: 'key.create',
          subject: 'key_0k7q4zj0m3v8c1n5t9x2b6d4gh',
          detail: { name: 'reporting', permission: 'read', expires_in_days: 90 },
        },
      ],
    },
  },
  handle: ({ app: { catalog }, caller: { organization } }, { query: { limit, cursor } }) => {
    // The id of the last entry that was seen: those of other organizations lead nowhere.
    if (cursor !== undefined && !/^aud_[0-9a-z]{26}$/.test(cursor)) throw invalidCursor()
    const rows = catalog.audit.list({ organizationId: organization.id, before: cursor, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    return {
      info: { count: shown.length, next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null },
      data: shown.map(({ id, at, actor, action, subject, detail }) => ({ id, at, actor, action, subject, detail })),
    }
  },
})
