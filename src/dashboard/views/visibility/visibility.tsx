import { METRICS, MEANINGS, type Metric } from '../../metrics.ts'
import { changeUrl } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { NoAnswersYet } from '../no-answers-yet.tsx'
import { Chart } from './chart.tsx'
import { CellsTable } from './cells-table.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { toQuestions } from './questions.ts'
import { readChoices } from './choices.ts'

/** How visible the brand is: over time, beside others, and prompt by prompt on each engine. */
export function Visibility(props: ViewProps) {
  const { state, site } = props
  const choices = readChoices(state)
  const questions = toQuestions(props, choices)
  const brands = useRows(questions.brands)
  if (site.last_answer_scan === null) return <NoAnswersYet site={site} />
  if (brands.value?.every(({ answers = 0 }) => answers === 0)) {
    const isFiltered = state.engines.length + state.categories.length > 0
    return isFiltered ? (
      <Empty kind="filtered" title="No answers with these filters.">
        <Button onClick={() => changeUrl({ engines: [], categories: [] })}>Remove the filters</Button>
      </Empty>
    ) : (
      <Empty kind="none" title="No answers in these days.">
        Choose other days above.
      </Empty>
    )
  }
  const part = { ...props, choices, questions, brands }
  return (
    <>
      <Segments<Metric>
        label="Metric"
        value={choices.metric}
        options={METRICS.map((metric) => ({ value: metric, title: MEANINGS[metric].title }))}
        onPick={(metric) => changeUrl({ more: { metric: metric === 'mention_rate' ? '' : metric } })}
      />
      <Chart {...part} />
      <Leaderboard {...part} />
      <CellsTable {...part} />
    </>
  )
}
