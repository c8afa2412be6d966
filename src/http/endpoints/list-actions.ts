import * as v from 'valibot'
import { CARD_FILTERS } from '../../domain/action-card.ts'
import { defineEndpoint } from '../endpoint.ts'
import { presentCard } from '../present.ts'
import { SiteParams } from '../schemas/params.ts'
import { ActionCard, list } from '../schemas/resources.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { PROMPT } from '../../schemas/examples.ts'

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
      data: [
        {
          id: 'act_0k7q4zj0q1w2e3r4t5y6u7i8op',
          title: 'Publish a pricing comparison',
          why: 'Named in 4 of 62 answers to pricing questions in the last 28 days.',
          detail: 'Publish one page that compares plans and prices, with a table that can be quoted.',
          category: 'content',
          impact: 'High',
          effort: 'medium',
          target_metric: 'mention',
          kind: 'one_off',
          cadence: null,
          period: null,
          status: 'open',
          target_prompts: [{ id: PROMPT.id, text: PROMPT.text }],
          target_platforms: ['chatgpt', 'perplexity'],
          target_url: 'https://acme.com/pricing',
          created_at: '2026-11-20T05:00:00.000Z',
          outcome: null,
        },
      ],
    },
  },
  handle: async ({ app: { actions }, getSite }, { params, query }) => {
    const cards = await actions.list(getSite(params.site_id).id, query.status)
    return { data: cards.map(presentCard) }
  },
})
