import { NoAnswersYet } from '../no-answers-yet.tsx'
import { usePage } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { ByEngine } from './by-engine.tsx'
import { NegativeAnswers } from './negative-answers.tsx'
import { NegativePrompts } from './negative-prompts.tsx'
import { OverTime } from './over-time.tsx'
import { toQuestions } from './questions.ts'
import { Summary } from './summary.tsx'

/** How answers speak of the own brand: in all, from day to day, by engine, and where they speak badly. */
export function Tone(props: ViewProps) {
  if (props.site.last_answer_scan === null) return <NoAnswersYet site={props.site} />
  return <ToneOf {...props} />
}

function ToneOf(props: ViewProps) {
  const questions = toQuestions(props)
  const all = usePage(questions.all)
  const summary = <Summary {...props} question={questions.all} asked={all} before={questions.before} />
  if (all.value?.rows[0]?.answers_mentioning === 0) return summary
  return (
    <>
      {summary}
      <NegativeAnswers {...props} />
      <OverTime {...props} days={questions.days} daysByEngine={questions.daysByEngine} />
      <ByEngine {...props} question={questions.engines} />
      <NegativePrompts {...props} question={questions.prompts} />
    </>
  )
}
