import { NoAnswersYet } from '../no-answers-yet.tsx'
import type { ViewProps } from '../view-props.ts'
import { MissingFrom } from './missing-from.tsx'
import { OwnCitations } from './own-citations.tsx'
import { RankedSources } from './ranked-sources.tsx'

/** What answers cite: how often the own site, which domains and pages, and what where the own brand is missing. */
export function Sources(props: ViewProps) {
  if (props.site.last_answer_scan === null) return <NoAnswersYet site={props.site} />
  return (
    <>
      <OwnCitations {...props} />
      <RankedSources {...props} />
      <MissingFrom {...props} />
    </>
  )
}
