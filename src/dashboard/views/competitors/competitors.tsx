import { Refused } from '../../parts/refused.tsx'
import { useCompetitors } from '../answers/use-brand-marker.ts'
import type { ViewProps } from '../index.ts'
import { NoAnswersYet } from '../no-answers-yet.tsx'
import { Candidates } from './candidates.tsx'
import { removed } from './decisions.ts'
import { RankedBrands } from './ranked-brands.tsx'

/** Who else is named: the ranked brands, and the names that somebody has to decide about. */
export function Competitors(props: ViewProps) {
  const competitors = useCompetitors(props.site.id)
  if (props.site.last_answer_scan === null) return <NoAnswersYet site={props.site} />
  if (competitors.refusal !== undefined) return <Refused refusal={competitors.refusal} />
  const known = (competitors.value ?? []).filter(({ id }) => !removed.has(id))
  return (
    <>
      <RankedBrands {...props} competitors={known} />
      {competitors.value !== undefined && <Candidates {...props} competitors={known} />}
    </>
  )
}
