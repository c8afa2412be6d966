import type { CompetitorEvidence } from '../../../http/dashboard/operations/competitors.ts'
import type { Schemas } from '../../../client/client.ts'

export interface RankedCandidate {
  readonly competitor: CompetitorEvidence
  /** How often it is named; undefined where that wasn't asked. */
  readonly row: Schemas['VisibilityRow'] | undefined
}

/** Those that most answers of the days name first; among equals those that most answers listed when they were imported. */
export function orderCandidates(
  competitors: readonly CompetitorEvidence[],
  rows: readonly Schemas['VisibilityRow'][],
): readonly RankedCandidate[] {
  const byName = new Map(rows.map((row) => [row.brand.name, row]))
  const weigh = ({ row }: RankedCandidate): number => row?.named_answers ?? 0
  return competitors
    .map((competitor) => ({ competitor, row: byName.get(competitor.name) }))
    .toSorted((a, b) => weigh(b) - weigh(a) || (b.competitor.answers ?? 0) - (a.competitor.answers ?? 0))
}
