import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { change } from '../../navigation.ts'
import { AnswerArticle } from './answer-article.tsx'
import { AnswerListPanel } from './answer-list.tsx'
import { readPlace, toPlace, writePlace } from './permalink.ts'
import { useShortcuts } from './shortcuts.tsx'
import { useAnswerList } from './use-answer-list.ts'
import type { ViewProps } from '../index.ts'
import { NoAnswersYet } from '../no-answers-yet.tsx'

/** A reader: the list on one side, an answer with all that is known of it on the other. */
export function Answers(props: ViewProps) {
  const { state, site } = props
  const list = useAnswerList(props)
  const linked = readPlace(state.more['answer'])
  const place = linked ?? (list.answers[0] === undefined ? undefined : toPlace(list.answers[0]))
  const index = list.answers.findIndex(({ id }) => id === place?.id)
  const article = useRef<HTMLDivElement>(null)

  const show = (answer: Schemas['Answer'] | undefined): void => {
    const next = answer === undefined ? undefined : toPlace(answer)
    if (next !== undefined) change(state, { more: { answer: writePlace(next) } }, { replace: true })
  }
  useShortcuts({
    onNext: () => show(list.answers[index + 1]),
    onPrevious: () => show(list.answers[Math.max(0, index - 1)]),
  })
  useEffect(() => article.current?.scrollTo({ top: 0 }), [place?.id])

  if (site.last_answer_scan === null && place === undefined) return <NoAnswersYet site={site} />
  return (
    <div class={linked === undefined ? 'reader' : 'reader reader-open'}>
      <AnswerListPanel {...props} list={list} shownId={place?.id} />
      <div class="reader-answer" ref={article}>
        {place !== undefined && (
          <AnswerArticle
            key={place.id}
            state={state}
            site={site}
            place={place}
            position={index < 0 ? undefined : { index, of: list.answers.length }}
          />
        )}
      </div>
    </div>
  )
}
