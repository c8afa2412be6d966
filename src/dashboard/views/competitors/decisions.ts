import { change, Refusal } from '../../api.ts'
import { toast } from '../../parts/toast.tsx'
import { forgetAnswers } from '../../use-answer.ts'

/** What can be decided about a competitor. */
export type Decision = 'confirm' | 'unconfirm' | 'ignore' | 'merge'

/** Decides, says so, and has everything asked anew; says why not where the service refuses. Gives whether it was done. */
export async function decide(
  siteId: string,
  competitorId: string,
  decision: Decision,
  { done, body = {} }: { readonly done: string; readonly body?: object },
): Promise<boolean> {
  try {
    await change('POST', `/sites/${siteId}/competitors/${encodeURIComponent(competitorId)}/${decision}`, body)
  } catch (error) {
    toast(error instanceof Refusal ? error.message : String(error))
    return false
  }
  forgetAnswers()
  toast(done)
  return true
}
