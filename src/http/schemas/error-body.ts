import * as v from 'valibot'
import type { ErrorCode } from '../../errors.ts'

export const Fault = v.object({
  path: v.pipe(v.string(), v.description('Where, dotted: `prompts.3.category`.')),
  message: v.pipe(v.string(), v.description('What to do about it.')),
})

/** The body of an answer that isn't 200, with one of these codes (contract/api 2.1). */
export function defineErrorBody(codes: readonly ErrorCode[]) {
  return v.object({
    error: v.object({
      code: v.picklist(codes),
      message: v.pipe(v.string(), v.description('What to do about it.')),
      details: v.optional(v.pipe(v.array(Fault), v.description('Every fault of the request.'))),
      request_id: v.pipe(v.string(), v.description('The `X-Request-Id` of this answer.')),
    }),
  })
}
