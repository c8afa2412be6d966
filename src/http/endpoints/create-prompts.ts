import * as v from 'valibot'
import { defineEndpoint } from '../endpoint.ts'
import { toPromptLine } from '../prompt-audit.ts'
import { presentPrompt } from '../present.ts'
import { SiteParams } from '../schemas/params.ts'
import { PromptCreation } from '../schemas/prompt-changes.ts'
import { CreatedPrompt, Prompt } from '../schemas/resources.ts'
import { PROMPT } from '../../schemas/examples.ts'

export const createPrompts = defineEndpoint({
  operation: 'createPrompts',
  tag: 'Prompts',
  method: 'POST',
  path: '/v1/sites/{site_id}/prompts',
  access: 'write',
  summary: 'Track new prompts',
  description:
    'Creates up to 100 active prompts in one transaction. A text that the site has already, active or disabled, comes back in `existing` and stays as it is, so repeating a request is safe. More active prompts than the plan allows create nothing and give 422.',
  params: SiteParams,
  body: PromptCreation,
  response: v.object({
    dry_run: v.boolean(),
    created: v.pipe(v.array(CreatedPrompt), v.description('In request order.')),
    existing: v.pipe(v.array(Prompt), v.description('In request order, unchanged.')),
  }),
  hasCreated: ({ dry_run, created }) => !dry_run && created.length > 0,
  errors: ['prompt_limit_reached'],
  example: {
    body: { prompts: [{ text: PROMPT.text, category: PROMPT.category }] },
    response: { dry_run: false, created: [PROMPT], existing: [] },
  },
  handle: async ({ app: { catalog }, getSite, change }, { params, body }) => {
    const { id } = getSite(params.site_id)
    const options = { dryRun: body.dry_run }
    const create = () => catalog.prompts.create(id, body.prompts, options)
    const { created, existing } = body.dry_run
      ? create()
      : await change(create, (done) => toPromptLine('prompt.create', id, done.created))
    const withoutIdentity = body.dry_run ? { id: null, created_at: null, updated_at: null } : {}
    return {
      dry_run: body.dry_run,
      created: created.map((prompt) => ({ ...presentPrompt(prompt), ...withoutIdentity })),
      existing: existing.map(presentPrompt),
    }
  },
})
