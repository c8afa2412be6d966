import type { ActionCard, CardFilter } from '../domain/action-card.ts'
import type { ReportContext } from '../reports/run.ts'
import type { FirstOutcome } from './done-cards.ts'
import type { Measuring } from './measure.ts'
import type { ActionContext, RefreshOptions, RefreshResult } from './refresh.ts'

/** The Action Center (contract/api 9 and 11.6). Sites must exist. */
export interface Actions {
  /** Finds and measures; see `refreshActions`. */
  refresh(siteId: string, options?: RefreshOptions): Promise<RefreshResult>
  /**
   * Cards as the catalog lists them. A result that is due and that no refresh has reached yet is measured for the list,
   * without writing anything.
   */
  list(siteId: string, filter: CardFilter): Promise<readonly ActionCard[]>
  /** One card, as `list` gives it. Throws CommandError when there is none. */
  get(siteId: string, cardId: string): Promise<ActionCard>
  /** The measurement of the days before, with which a card is marked done now. Throws CommandError when there is none. */
  measureBefore(siteId: string, cardId: string): Promise<FirstOutcome>
  /** Measures the days before and marks an open card done. Throws CommandError for any other card. */
  markDone(siteId: string, cardId: string): Promise<ActionCard>
  /** Puts an open card away; the same finding does not come back. Throws CommandError for any other card. */
  dismiss(siteId: string, cardId: string): ActionCard
  /** Opens a done or dismissed card again; an outcome is dropped. Throws CommandError for an open one. */
  reopen(siteId: string, cardId: string): ActionCard
}

/** The Action Center over a catalog and its reports. Finding and measuring load when they are first asked for. */
export function openActions(context: ActionContext): Actions {
  const { reporting, clock } = context
  const { cards } = reporting.catalog
  const measureBefore = async (siteId: string, cardId: string): Promise<FirstOutcome> => {
    const { toFirstOutcome, openSite } = await loadMeasuring()
    return toFirstOutcome(await openSite(reporting, siteId), cards.get(siteId, cardId), clock.now())
  }
  return {
    refresh: async (siteId, options) => (await import('./refresh.ts')).refreshActions(context, siteId, options),
    async list(siteId, filter) {
      const listed: ActionCard[] = []
      for (const card of cards.list(siteId, filter)) listed.push(await withDueResult(context, card))
      return listed
    },
    get: (siteId, cardId) => withDueResult(context, cards.get(siteId, cardId)),
    measureBefore,
    markDone: async (siteId, cardId) => cards.markDone(siteId, cardId, await measureBefore(siteId, cardId)),
    dismiss: (siteId, cardId) => cards.dismiss(siteId, cardId),
    reopen: (siteId, cardId) => cards.reopen(siteId, cardId),
  }
}

async function withDueResult({ reporting, clock }: ActionContext, card: ActionCard): Promise<ActionCard> {
  const { outcome, siteId } = card
  if (outcome === null) return card
  const { isDue, measureOutcome, openSite } = await loadMeasuring()
  const nowMs = clock.now()
  if (!isDue(card, nowMs)) return card
  const measured = await measureOutcome(await openSite(reporting, siteId), card, outcome, nowMs)
  return { ...card, outcome: { ...outcome, ...measured } }
}

/** Stands on the reports, which no start of the program should wait for. */
async function loadMeasuring() {
  const [{ isDue, measureOutcome, toFirstOutcome }, { openMeasuring }, { openReportRows }] = await Promise.all([
    import('./done-cards.ts'),
    import('./measure.ts'),
    import('./report-rows.ts'),
  ])
  const openSite = (reporting: ReportContext, siteId: string): Promise<Measuring> =>
    openMeasuring(reporting.catalog, siteId, openReportRows(reporting, siteId))
  return { isDue, measureOutcome, toFirstOutcome, openSite }
}
