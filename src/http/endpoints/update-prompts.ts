import * as v from 'valibot'
import { defineEndpoint } from '../endpoint.ts'
import { toPromptLine } from '../prompt-audit.ts'
import { presentPrompt } from '../present.ts'
import { SiteParams } from '../schemas/params.ts'
import { PromptChanges } from '../schemas/prompt-changes.ts'
import { Prompt } from '../schemas/resources.ts'
import { PROMPT } from '../../schemas/examples.ts'

export const updatePrompts = defineEndpoint({
  operation: 'updatePrompts',
  tag: 'Prompts',
  method: 'PATCH',
  path: '/v1/sites/{site_id}/prompts',
  access: 'write',
  summary: 'Change category or market',
  description:
    'Changes up to 100 prompts in one transaction. Ids that are no prompts of the site come back in `not_found`; the rest applies. The text of a prompt never changes.',
  params: SiteParams,
  body: PromptChanges,
  response: v.object({
    dry_run: v.boolean(),
    not_found: v.array(v.string()),
    data: v.pipe(v.array(Prompt), v.description('The prompts in request order, as they are now (or would be).')),
  }),
  example: {
    body: { prompts: [{ id: PROMPT.id, category: 'Comparison', market: 'Berlin, Germany' }] },
    response: {
      dry_run: false,
      not_found: [],
      data: [{ ...PROMPT, category: 'Comparison', market: 'Berlin, Germany', updated_at: '2026-11-20T10:00:00.000Z' }],
    },
  },
  handle: async ({ app: { catalog }, getSite, change }, { params, body }) => {
    const { id } = getSite(params.site_id)
    const options = { dryRun: body.dry_run }
    const update = () => catalog.prompts.update(id, body.prompts, options)
    const { prompts, notFound } = body.dry_run
      ? update()
      : await change(update, (done) => toPromptLine('prompt.update', id, done.prompts))
    return { dry_run: body.dry_run, not_found: notFound, data: prompts.map(presentPrompt) }
  },
})
