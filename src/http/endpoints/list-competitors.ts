import { defineEndpoint } from '../endpoint.ts'
import { presentCompetitor } from '../present.ts'
import { SiteParams } from '../schemas/params.ts'
import { Competitor, list } from '../schemas/resources.ts'

export const listCompetitors = defineEndpoint({
  operation: 'listCompetitors',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/sites/{site_id}/competitors',
  access: 'read',
  summary: 'Competitors of a site',
  description:
    'Confirmed competitors count in leaderboards and share of voice; unconfirmed ones are measured but not ranked.',
  params: SiteParams,
  response: list(Competitor),
  rows: { row: Competitor, fileName: ({ getSite }, { params }) => `${getSite(params.site_id).domain}-competitors` },
  example: {
    response: {
      data: [
        {
          id: 'cmp_0k7q4zj0c3v4b5n6m7q8w9e1rt',
          name: 'Globex',
          domains: ['globex.com'],
          confirmed: true,
          source: 'manual',
        },
      ],
    },
  },
  handle: ({ app: { catalog }, getSite }, { params }) => ({
    data: catalog.competitors.list(getSite(params.site_id).id).map(presentCompetitor),
  }),
})
