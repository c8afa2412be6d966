import { basename } from 'node:path'
import * as v from 'valibot'
import { RECORDED_KINDS } from '../../../domain/recorded-change.ts'
import { IMPORTS_LISTED_MAX } from '../../../limits.ts'
import { Count, Text, Timestamp } from '../../../schemas/values.ts'
import { presentChange } from '../../present-change.ts'
import { SiteParams } from '../../schemas/params.ts'
import { list } from '../../schemas/resources.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'

const ChangeRow = v.object({
  id: Text,
  created_at: Timestamp,
  kind: v.picklist(RECORDED_KINDS),
  site_id: v.nullable(Text),
  actor: v.nullable(Text),
  files: v.array(Text),
  import_id: v.nullable(Text),
  selection: v.nullable(v.record(Text, v.unknown())),
  counts: v.record(Text, Count),
  snapshot: v.nullable(Count),
  undone_by: v.nullable(Text),
})
export type ChangeRow = v.InferOutput<typeof ChangeRow>

export const listImports = defineUiEndpoint({
  operation: 'listImports',
  method: 'GET',
  path: '/ui/v1/sites/{site_id}/imports',
  access: 'member',
  summary: 'Imports, undos and deletions of a site, newest first',
  params: SiteParams,
  response: list(ChangeRow),
  example: {
    response: {
      data: [
        {
          id: 'imp_0k7q4zj0i1m2p3r4t5s6a7n8sw',
          created_at: '2026-11-20T05:10:00.000Z',
          kind: 'import_answers',
          site_id: 'site_acme',
          actor: 'answerlake',
          files: ['answers-2026-11-19.ndjson'],
          import_id: null,
          selection: null,
          counts: { imported: 1440, duplicates: 0, rejected: 0 },
          snapshot: 41,
          undone_by: null,
        },
      ],
    },
  },
  handle: ({ app: { catalog }, getSite }, { params }) => {
    const siteId = getSite(params.site_id).id
    const changes = catalog.recordedChanges.list({ siteId, all: true, limit: IMPORTS_LISTED_MAX }).map(presentChange)
    // Where they lay on the machine is the operator's alone.
    return { data: changes.map(({ files, ...change }) => ({ ...change, files: files.map((file) => basename(file)) })) }
  },
})
