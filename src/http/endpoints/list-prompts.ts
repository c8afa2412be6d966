import * as v from 'valibot'
import type { PromptPosition } from '../../catalog/prompts.ts'
import { WHOLE_ROWS_MAX } from '../../limits.ts'
import { endRightly } from '../../reports/whole-result.ts'
import { defineEndpoint } from '../endpoint.ts'
import { presentPrompt } from '../present.ts'
import { parsePromptCursor, toPromptCursor } from '../prompt-cursor.ts'
import { SiteParams } from '../schemas/params.ts'
import { page } from '../../reports/request-schema.ts'
import { paged } from '../../schemas/page.ts'
import { Category } from '../../schemas/values.ts'
import { PageInfo, Prompt, PromptStatus } from '../schemas/resources.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { PROMPT } from '../../schemas/examples.ts'

export const listPrompts = defineEndpoint({
  operation: 'listPrompts',
  tag: 'Prompts',
  method: 'GET',
  path: '/v1/sites/{site_id}/prompts',
  access: 'read',
  summary: 'Tracked prompts',
  description: 'Oldest first.',
  params: SiteParams,
  query: strictObject({
    status: v.optional(v.pipe(PromptStatus, v.description('Only prompts of this status.'))),
    category: v.optional(v.pipe(Category, v.description('Only prompts of this category.'))),
    ...page({ max: 500, default: 100 }),
  }),
  response: paged(PageInfo, Prompt),
  rows: {
    row: Prompt,
    fileName: ({ getSite }, { params }) => `${getSite(params.site_id).domain}-prompts`,
    readWhole: async ({ app: { catalog }, getSite }, { params, query: { status, category } }) => {
      const wanted = { status, category, limit: WHOLE_ROWS_MAX }
      const { prompts, total } = catalog.prompts.list(getSite(params.site_id).id, wanted)
      return {
        info: { total_results: total },
        batches: endRightly(total, [prompts.map(presentPrompt)]),
        async [Symbol.asyncDispose]() {},
      }
    },
  },
  example: { response: { info: { count: 1, total_results: 1, next_cursor: null }, data: [PROMPT] } },
  handle: ({ app: { catalog }, getSite }, { params, query: { cursor, limit, ...filter } }) => {
    const request = { site_id: params.site_id, ...filter }
    const after: PromptPosition | undefined =
      cursor === undefined ? undefined : parsePromptCursor(catalog.cursorSecret, request, cursor)
    const { prompts, total, next } = catalog.prompts.list(getSite(params.site_id).id, { ...filter, limit, after })
    return {
      info: {
        count: prompts.length,
        total_results: total,
        next_cursor: next === null ? null : toPromptCursor(catalog.cursorSecret, request, next),
      },
      data: prompts.map(presentPrompt),
    }
  },
})
