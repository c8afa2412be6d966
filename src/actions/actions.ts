import type { ActionCard, CardFilter } from '../domain/action-card.ts'
import { isDue, measureOutcome, toFirstOutcome } from './done-cards.ts'
import { type ActionContext, refreshActions, type RefreshOptions, type RefreshResult } from './refresh.ts'
import { openReportRows } from './report-rows.ts'

/** The Action Center (spec.md 2.6, 3.2; decisions.md 9). Sites must exist. */
export interface Actions {
  /** Finds and measures; see `refreshActions`. */
  refresh(siteId: string, options?: RefreshOptions): Promise<RefreshResult>
  /**
   * Cards as the catalog lists them. A result that is due and that no refresh has reached yet is measured for the list,
   * without writing anything.
   */
  list(siteId: string, filter: CardFilter): Promise<readonly ActionCard[]>
  /** Measures the 28 days before and marks an open card done. Throws CommandError for any other card. */
  markDone(siteId: string, cardId: string): Promise<ActionCard>
  /** Puts an open card away; the same finding does not come back. Throws CommandError for any other card. */
  dismiss(siteId: string, cardId: string): ActionCard
  /** Opens a done or dismissed card again; an outcome is dropped. Throws CommandError for an open one. */
  reopen(siteId: string, cardId: string): ActionCard
}

export function openActions(context: ActionContext): Actions {
  const { reporting, clock } = context
  const { cards } = reporting.catalog
  return {
    refresh: (siteId, options) => refreshActions(context, siteId, options),
    async list(siteId, filter) {
      const nowMs = clock.now()
      const listed: ActionCard[] = []
      for (const card of cards.list(siteId, filter)) {
        const { outcome } = card
        if (outcome === null || !isDue(card, nowMs)) listed.push(card)
        else {
          const measured = await measureOutcome(openReportRows(reporting, siteId), card, outcome, nowMs)
          listed.push({ ...card, outcome: { ...outcome, ...measured } })
        }
      }
      return listed
    },
    async markDone(siteId, cardId) {
      const card = cards.get(siteId, cardId)
      const outcome = await toFirstOutcome(openReportRows(reporting, siteId), card, clock.now())
      return cards.markDone(siteId, cardId, outcome)
    },
    dismiss: (siteId, cardId) => cards.dismiss(siteId, cardId),
    reopen: (siteId, cardId) => cards.reopen(siteId, cardId),
  }
}
