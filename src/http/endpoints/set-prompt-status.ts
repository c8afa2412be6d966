import * as v from 'valibot'
import { defineEndpoint } from '../endpoint.ts'
import { toPromptLine } from '../prompt-audit.ts'
import { SiteParams } from '../schemas/params.ts'
import { StatusChange } from '../schemas/prompt-changes.ts'
import { PROMPT } from '../../schemas/examples.ts'

export const setPromptStatus = defineEndpoint({
  operation: 'setPromptStatus',
  tag: 'Prompts',
  method: 'PATCH',
  path: '/v1/sites/{site_id}/prompts/status',
  access: 'write',
  summary: 'Switch prompts on or off',
  description:
    'Disabled prompts are no longer asked and keep their history. Activating more than the plan allows changes nothing and gives 422.',
  params: SiteParams,
  body: StatusChange,
  response: v.object({
    dry_run: v.boolean(),
    changed: v.array(v.string()),
    unchanged: v.array(v.string()),
    not_found: v.array(v.string()),
  }),
  errors: ['prompt_limit_reached'],
  example: {
    body: { prompt_ids: [PROMPT.id], status: 'disabled', dry_run: true },
    response: { dry_run: true, changed: [PROMPT.id], unchanged: [], not_found: [] },
  },
  handle: async ({ app: { catalog }, getSite, change }, { params, body }) => {
    const { id } = getSite(params.site_id)
    const set = () => catalog.prompts.setStatus(id, body.prompt_ids, body.status, { dryRun: body.dry_run })
    const { changed, unchanged, notFound } = body.dry_run
      ? set()
      : await change(set, (done) =>
          toPromptLine(body.status === 'active' ? 'prompt.enable' : 'prompt.disable', id, done.changed),
        )
    return { dry_run: body.dry_run, changed, unchanged, not_found: notFound }
  },
})
