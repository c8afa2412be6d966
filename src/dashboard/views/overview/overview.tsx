import { toLongDay } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { NoAnswersYet } from '../no-answers-yet.tsx'
import type { ViewProps } from '../view-props.ts'
import { Cards } from './cards.tsx'
import { Engines } from './engines.tsx'
import { HealthPanel } from './health-panel.tsx'
import { InShort } from './in-short.tsx'
import { Moved } from './moved.tsx'
import { toQuestions } from './questions.ts'
import { Headlines } from './headlines.tsx'
import { Trend } from './trend.tsx'
import { findOwn, useOverview } from './use-overview.ts'

/** Are we named, is that more than before, why, and what shall we do. */
export function Overview(props: ViewProps) {
  const { state, site } = props
  const questions = toQuestions(props)
  const replies = useOverview(questions)
  if (site.last_answer_scan === null) return <NoAnswersYet site={site} />
  const part = { ...props, questions, replies }
  const isNothing = replies.brands.value !== undefined && (findOwn(replies.brands)?.answers ?? 0) === 0
  if (isNothing) {
    const isFiltered = state.engines.length + state.categories.length > 0
    return (
      <>
        <Empty
          kind={isFiltered ? 'filtered' : 'none'}
          title={isFiltered ? 'No answers with these filters.' : 'No answers in these days.'}
        >
          {isFiltered ? (
            <Button onClick={() => changeUrl({ engines: [], categories: [] })}>Remove the filters</Button>
          ) : (
            <p>Choose other days above. The last scan was on {toLongDay(site.last_answer_scan.date)}.</p>
          )}
        </Empty>
        <HealthPanel {...part} />
      </>
    )
  }
  return (
    <>
      <InShort {...part} />
      <Headlines {...part} />
      <div class="two-columns">
        <div class="column">
          <Trend {...part} />
          <Engines {...part} />
        </div>
        <div class="column">
          <Moved {...part} />
          <Cards {...part} />
        </div>
      </div>
      <HealthPanel {...part} />
    </>
  )
}
