import { change } from '../../api.ts'
import { toSitePath } from '../../site-path.ts'
import { toast } from '../../parts/toast.tsx'
import { forgetReplies } from '../../use-reply.ts'

/** What can be decided about a competitor. */
export type Decision = 'confirm' | 'unconfirm' | 'ignore' | 'merge'

/** Those that a decision removed: reports refuse their names from then on, before the list is there anew. */
export const removed = new Set<string>()

/** Decides, says so, and has everything asked anew. Throws Refusal. */
export async function decide(
  siteId: string,
  competitorId: string,
  decision: Decision,
  { done, body = {} }: { readonly done: string; readonly body?: object },
): Promise<void> {
  await change('POST', toSitePath(siteId, `competitors/${encodeURIComponent(competitorId)}/${decision}`), body)
  if (decision === 'ignore' || decision === 'merge') removed.add(competitorId)
  forgetReplies()
  toast(done)
}
