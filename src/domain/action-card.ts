import type { EngineId } from './enums.ts'

/** The closed lists of Action Center cards (contract/api 9 and 11.6); `impact` keeps its capitals. */
export const CARD_CATEGORIES = ['content', 'pages', 'outreach', 'technical', 'reviews'] as const
export type CardCategory = (typeof CARD_CATEGORIES)[number]

/** Most important first: the order of the list. */
export const CARD_IMPACTS = ['High', 'Medium', 'Low'] as const
export type CardImpact = (typeof CARD_IMPACTS)[number]

export const CARD_EFFORTS = ['low', 'medium', 'high'] as const
export type CardEffort = (typeof CARD_EFFORTS)[number]

export const CARD_METRICS = ['mention', 'citation', 'coverage'] as const
export type CardMetric = (typeof CARD_METRICS)[number]

export const CARD_KINDS = ['one_off', 'ongoing'] as const
export type CardKind = (typeof CARD_KINDS)[number]

export const CARD_CADENCES = ['weekly', 'monthly'] as const
export type CardCadence = (typeof CARD_CADENCES)[number]

export const CARD_STATUSES = ['open', 'done', 'dismissed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

export const CARD_VERDICTS = ['improved', 'no_change', 'declined', 'not_enough_data'] as const
export type CardVerdict = (typeof CARD_VERDICTS)[number]

/** The filter of the list (contract/api 12.4); `open` is the default. */
export const CARD_FILTERS = ['open', 'done', 'all'] as const
export type CardFilter = (typeof CARD_FILTERS)[number]

export interface TargetPrompt {
  readonly id: string
  readonly text: string
}

/** A measured share in counts: `named in 41 of 176 answers`. */
export interface CardCount {
  readonly hits: number
  readonly total: number
}

/** What a rule found. `identity` is stable: the same finding has the same one, so it never makes a second card in a period. */
export interface CardFinding {
  readonly rule: string
  readonly identity: string
  /** `2026-W47` or `2026-11` for ongoing cards, null for one-off ones. */
  readonly period: string | null
  readonly title: string
  readonly why: string
  readonly detail: string
  readonly category: CardCategory
  readonly impact: CardImpact
  readonly effort: CardEffort
  readonly targetMetric: CardMetric
  readonly kind: CardKind
  readonly cadence: CardCadence | null
  readonly targetPrompts: readonly TargetPrompt[]
  readonly targetPlatforms: readonly EngineId[]
  readonly targetUrl: string
  /**
   * UTC days, `YYYY-MM-DD`, both included: the first and the last in which a rule saw what made the card, or gave it the
   * targets that it has. Its result is not held against them.
   */
  readonly foundFrom: string
  readonly foundTo: string
}

/** The measurement of a done card. `after`, `verdict` stay null while the after-window is open. */
export interface CardOutcome {
  readonly markedDoneAt: string
  /** When the after-window closes. */
  readonly resultDue: string
  /** Length of the windows before and after. */
  readonly windowDays: number
  readonly before: CardCount
  readonly after: CardCount | null
  readonly verdict: CardVerdict | null
  readonly summary: string
}

export interface ActionCard extends CardFinding {
  readonly id: string
  readonly siteId: string
  readonly status: CardStatus
  readonly createdAt: string
  readonly updatedAt: string
  /** Null until the card is marked done. */
  readonly outcome: CardOutcome | null
}

/** Open to done and back, open to dismissed and back, nothing else (contract/api 9). */
export function canMoveCard(from: CardStatus, to: CardStatus): boolean {
  return from !== to && (from === 'open' || to === 'open')
}
