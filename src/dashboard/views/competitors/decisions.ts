import { change } from '../../api.ts'
import { toSitePath } from '../../site-path.ts'
import { toast } from '../../parts/toast.tsx'
import { forgetReplies } from '../../use-reply.ts'

/** What can be decided about a competitor. */
export type Decision = 'confirm' | 'unconfirm' | 'ignore' | 'merge'

/** Decides, says so, and has everything asked anew. Throws Refusal. */
export async function decide(
  siteId: string,
  competitorId: string,
  decision: Decision,
  { done, body = {} }: { readonly done: string; readonly body?: object },
): Promise<void> {
  await change('POST', toSitePath(siteId, `competitors/${encodeURIComponent(competitorId)}/${decision}`), body)
  forgetReplies()
  toast(done)
}
