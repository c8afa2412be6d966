import { NoAnswersYet } from '../no-answers-yet.tsx'
import type { ViewProps } from '../index.ts'
import { ByEngine } from './by-engine.tsx'
import { NegativeAnswers } from './negative-answers.tsx'
import { NegativePrompts } from './negative-prompts.tsx'
import { OverTime } from './over-time.tsx'
import { toQuestions } from './questions.ts'
import { Summary } from './summary.tsx'

/** How answers speak of the own brand: in all, from day to day, by engine, and where they speak badly. */
export function Tone(props: ViewProps) {
  if (props.site.last_answer_scan === null) return <NoAnswersYet site={props.site} />
  const questions = toQuestions(props)
  return (
    <>
      <Summary {...props} question={questions.all} before={questions.before} />
      <NegativeAnswers {...props} />
      <OverTime {...props} days={questions.days} daysByEngine={questions.daysByEngine} />
      <ByEngine {...props} question={questions.engines} />
      <NegativePrompts {...props} question={questions.prompts} />
    </>
  )
}
