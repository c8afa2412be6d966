import * as v from 'valibot'
import { Count } from '../../../schemas/values.ts'
import { single } from '../../schemas/resources.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'

const PromptUsage = v.object({
  /** How many prompts the plan allows to be active, of all sites together. */
  limit: Count,
  active: Count,
  /** How many more may become active. */
  free: Count,
})
export type PromptUsage = v.InferOutput<typeof PromptUsage>

export const getPromptUsage = defineUiEndpoint({
  operation: 'getPromptUsage',
  method: 'GET',
  path: '/ui/v1/prompt-usage',
  access: 'member',
  summary: 'How much of the cap on prompts is used',
  response: single(PromptUsage),
  example: { response: { data: { limit: 500, active: 58, free: 442 } } },
  handle: ({ app: { catalog }, caller }) => ({ data: catalog.prompts.usage(caller.organization.id) }),
})
