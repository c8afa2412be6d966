import { Refused } from '../../parts/refused.tsx'
import { useCompetitors } from '../answers/use-brand-marker.ts'
import type { ViewProps } from '../view-props.ts'
import { NoAnswersYet } from '../no-answers-yet.tsx'
import { Candidates } from './candidates.tsx'
import { RankedBrands } from './ranked-brands.tsx'

/** Who else is named: the ranked brands, and the names that somebody has to decide about. */
export function Competitors(props: ViewProps) {
  const competitors = useCompetitors(props.site.id)
  if (props.site.last_answer_scan === null) return <NoAnswersYet site={props.site} />
  if (competitors.refusal !== undefined) return <Refused refusal={competitors.refusal} />
  return (
    <>
      <RankedBrands {...props} competitors={competitors} />
      <Candidates {...props} competitors={competitors} />
    </>
  )
}
