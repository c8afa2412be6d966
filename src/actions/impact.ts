import type { CardCount, CardImpact } from '../domain/action-card.ts'

/** From which share of all answers on what is at stake counts as high, and as medium. */
const HIGH_SHARE = 0.05
const MEDIUM_SHARE = 0.01

/** How much a card can move: the answers at stake as a share of all answers of the window. */
export function toImpact(stake: CardCount): CardImpact {
  const share = stake.total === 0 ? 0 : stake.hits / stake.total
  if (share >= HIGH_SHARE) return 'High'
  return share >= MEDIUM_SHARE ? 'Medium' : 'Low'
}
