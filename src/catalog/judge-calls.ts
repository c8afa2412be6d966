import type { Store } from './store.ts'

/** Which answers a judge was asked about already. */
export interface JudgeCalls {
  /**
   * Ids of the site's answers that the target isn't asked about any more: something was bought by their calls, or may have
   * been, or they are under way. With `retries` without those that `planAgain` plans.
   */
  listAsked(siteId: string, target: string, retries: boolean): string[]
  /**
   * `uncertain` and paid `failed` calls to the target `→ planned`: they may be paid for a second time; what was settled stays
   * spent. Gives how many.
   */
  planAgain(siteId: string, target: string): number
}

export function openJudgeCalls(store: Store): JudgeCalls {
  const { db } = store
  const selectAsked = db
    .prepare<[object], string>(`
      SELECT answer_id FROM calls
      WHERE kind = 'judgement' AND site_id = @siteId AND target = @target AND asked_ms IS NOT NULL
        AND (status IN ('asked', 'task', 'answered') OR @retries = 0 AND status IN ('uncertain', 'failed'))`)
    .pluck()
  const planAgain = db.prepare<[string, string]>(`
    UPDATE calls SET status = 'planned', ended_ms = NULL, task_id = NULL, reason = NULL, tries = 0
    WHERE kind = 'judgement' AND site_id = ? AND target = ? AND asked_ms IS NOT NULL
      AND status IN ('uncertain', 'failed')`)
  return {
    listAsked: (siteId, target, retries) =>
      store.read(() => selectAsked.all({ siteId, target, retries: Number(retries) })),
    planAgain: (siteId, target) => store.write(() => planAgain.run(siteId, target).changes),
  }
}
