import * as v from 'valibot'
import { CARD_FILTERS } from '../../domain/action-card.ts'
import { defineEndpoint } from '../endpoint.ts'
import { presentCard } from '../present.ts'
import { SiteParams } from '../schemas/params.ts'
import { ActionCard, list } from '../schemas/resources.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { CARD } from '../../schemas/examples.ts'

export const listActions = defineEndpoint({
  operation: 'listActions',
  tag: 'Actions',
  method: 'GET',
  path: '/v1/sites/{site_id}/actions',
  access: 'read',
  summary: 'Action Center cards',
  description: 'By impact, then newest first. Dismissed cards are left out unless `status` is `all`.',
  params: SiteParams,
  query: strictObject({
    status: v.optional(v.pipe(v.picklist(CARD_FILTERS), v.description('Which cards.')), 'open'),
  }),
  response: list(ActionCard),
  rows: { row: ActionCard, fileName: ({ getSite }, { params }) => `${getSite(params.site_id).domain}-actions` },
  example: {
    response: {
      data: [CARD],
    },
  },
  handle: async ({ app: { actions }, getSite }, { params, query }) => {
    const cards = await actions.list(getSite(params.site_id).id, query.status)
    return { data: cards.map(presentCard) }
  },
})
