import * as v from 'valibot'
import { DATASETS } from '../../../domain/manifest.ts'
import { describeRetention, RETENTION_SETTINGS } from '../../../domain/retention.ts'
import { CalendarDay, Count, Text } from '../../../schemas/values.ts'
import { single } from '../../schemas/resources.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'

const amount = { files: Count, rows: Count, bytes: Count }

const LakeState = v.object({
  /** The newest of the organization's sites; 0 before the first import. */
  snapshot: Count,
  ...amount,
  sites: v.array(
    v.object({
      site_id: Text,
      domain: Text,
      ...amount,
      datasets: v.array(v.object({ dataset: v.picklist(DATASETS), ...amount })),
    }),
  ),
  retention: v.array(
    v.object({
      setting: v.picklist(RETENTION_SETTINGS),
      period: Text,
      /** The first day that is kept today; null where all are. */
      first_day: v.nullable(CalendarDay),
    }),
  ),
})
export type LakeState = v.InferOutput<typeof LakeState>

interface Amount {
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

function sumUp(parts: readonly Amount[]): Amount {
  const total = (field: keyof Amount): number => parts.reduce((sum, part) => sum + part[field], 0)
  return { files: total('files'), rows: total('rows'), bytes: total('bytes') }
}

export const getLake = defineUiEndpoint({
  operation: 'getLake',
  method: 'GET',
  path: '/ui/v1/lake',
  access: 'member',
  summary: 'What is stored of each site, and for how long',
  response: single(LakeState),
  example: {
    response: {
      data: {
        snapshot: 41,
        files: 2,
        rows: 1440,
        bytes: 512_000,
        sites: [
          {
            site_id: 'site_acme',
            domain: 'acme.com',
            files: 2,
            rows: 1440,
            bytes: 512_000,
            datasets: [{ dataset: 'answers', files: 2, rows: 1440, bytes: 512_000 }],
          },
        ],
        retention: [{ setting: 'retention_answers', period: '24mo', first_day: '2024-11-20' }],
      },
    },
  },
  handle: ({ app: { catalog, clock, config }, caller }) =>
    catalog.read(() => {
      const ofOrganization = catalog.sites.list(caller.organization.id)
      const sites = ofOrganization.map(({ id, domain }) => {
        const datasets = catalog.manifest
          .totals(id)
          .live.map(({ dataset, files, rows, bytes }) => ({ dataset, files, rows, bytes }))
        return { site_id: id, domain, ...sumUp(datasets), datasets }
      })
      const snapshots = ofOrganization.map(({ id }) => catalog.manifest.currentSnapshot(id))
      return {
        data: {
          snapshot: Math.max(0, ...snapshots),
          ...sumUp(sites),
          sites,
          retention: describeRetention(config, clock.now()),
        },
      }
    }),
})
