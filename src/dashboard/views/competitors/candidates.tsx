import { useState } from 'preact/hooks'
import type { CompetitorEvidence } from '../../../http/dashboard/operations/competitors.ts'
import { BRANDS_LIST_MAX } from '../../bounds.ts'
import { toCountOf } from '../../format.ts'
import { Pages } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Loading, useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { Candidate } from './candidate.tsx'
import { toQuestions } from './questions.ts'
import { orderCandidates } from './order-candidates.ts'

const PAGE_SIZE = 5

export interface CandidatesProps extends ViewProps {
  readonly competitors: Loading<readonly CompetitorEvidence[]>
}

/** Names that answers hold and nobody has decided about, those named most first. */
export function Candidates({ competitors: listed, ...props }: CandidatesProps) {
  const { site } = props
  const [page, turn] = useState(0)
  const competitors = listed.value ?? []
  const undecided = competitors.filter(({ confirmed }) => !confirmed)
  const names = undecided.slice(0, BRANDS_LIST_MAX).map(({ name }) => name)
  // Reports refuse the name of one that a decision took away: nothing is asked of a list that is asked for anew.
  const question = names.length === 0 || listed.isLoading ? undefined : toQuestions(props).ofBrands(names)
  const measured = useRows(question)
  const ordered = orderCandidates(undecided, measured.value ?? [])
  const last = Math.max(0, Math.ceil(ordered.length / PAGE_SIZE) - 1)
  const shownPage = Math.min(page, last)
  const shown = ordered.slice(shownPage * PAGE_SIZE, (shownPage + 1) * PAGE_SIZE)
  return (
    <Panel
      title="Competitors to decide about"
      method="rank"
      questions={[question]}
      loading={[listed, measured]}
      sentence={
        ordered.length > 0 && (
          <>
            {toCountOf(ordered.length, 'name')} that nobody has confirmed, those named most in these days first. They
            are measured, but not ranked, and their mentions count in nobody’s share of voice.
          </>
        )
      }
    >
      {ordered.length === 0 ? (
        <Empty kind="none" title="There is nothing to decide.">
          <p>Names of brands that answers list are found when answers are imported, and wait here.</p>
        </Empty>
      ) : (
        <ul class="candidates">
          {shown.map(({ competitor, row }) => (
            <Candidate
              key={competitor.id}
              {...props}
              competitor={competitor}
              row={row}
              others={competitors.filter(({ id }) => id !== competitor.id)}
            />
          ))}
        </ul>
      )}
      <Pages page={shownPage} size={PAGE_SIZE} total={ordered.length} onTurn={turn} />
      {ordered.length > 0 && (
        <p class="quiet">{`Decisions hold for all of ${site.domain}, from the next report on.`}</p>
      )}
    </Panel>
  )
}
