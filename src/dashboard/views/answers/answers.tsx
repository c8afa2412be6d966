import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { changeUrl } from '../../navigation.ts'
import { AnswerArticle } from './answer-article.tsx'
import { AnswerListPanel } from './answer-list.tsx'
import { useLastShown } from '../../parts/shown.tsx'
import { readPlace, toPlace, writePlace } from './permalink.ts'
import { useShortcuts } from './shortcuts.tsx'
import { PAGE_SIZE, useAnswerList } from './use-answer-list.ts'
import { useSettled } from './use-settled.ts'
import type { ViewProps } from '../view-props.ts'
import { NoAnswersYet } from '../no-answers-yet.tsx'

/** A reader: the list on one side, an answer with all that is known of it on the other. */
export function Answers(props: ViewProps) {
  const { state, site } = props
  const asked = useAnswerList(props)
  // The reader beside the list stays with it until there is another.
  const list = { ...useLastShown(asked, asked.loading), loading: asked.loading }
  const linked = readPlace(state.more['answer'])
  const place = linked ?? (list.answers[0] === undefined ? undefined : toPlace(list.answers[0]))
  const shown = readPlace(useSettled(place && writePlace(place)))
  const index = list.answers.findIndex(({ id }) => id === place?.id)
  const position = list.answers.findIndex(({ id }) => id === shown?.id)
  const article = useRef<HTMLElement>(null)

  const show = (answer: Schemas['Answer'] | undefined): void => {
    const next = answer === undefined ? undefined : toPlace(answer)
    if (next !== undefined) changeUrl({ more: { answer: writePlace(next) } }, { replace: true })
  }
  const end = useRef<'first' | 'last' | undefined>(undefined)
  const turn = (to: number, at: 'first' | 'last'): void => {
    end.current = at
    list.turn(to)
  }
  useShortcuts({
    onNext: () => {
      const isLast = index === list.answers.length - 1
      if (!isLast) show(list.answers[index + 1])
      else if ((list.page + 1) * PAGE_SIZE < (list.total ?? 0)) turn(list.page + 1, 'first')
    },
    onPrevious: () => {
      if (index > 0) show(list.answers[index - 1])
      else if (list.page > 0) turn(list.page - 1, 'last')
    },
  })
  const [firstId] = list.answers.map(({ id }) => id)
  useEffect(() => {
    if (end.current !== undefined) show(list.answers.at(end.current === 'first' ? 0 : -1))
    end.current = undefined
  }, [firstId])
  useEffect(() => article.current?.scrollTo({ top: 0 }), [shown?.id])

  if (site.last_answer_scan === null && place === undefined) return <NoAnswersYet site={site} />
  return (
    <div class={linked === undefined ? 'reader' : 'reader reader-open'}>
      <AnswerListPanel {...props} list={list} shownId={place?.id} />
      <section class="reader-answer" ref={article}>
        {shown !== undefined && (
          <AnswerArticle
            key={shown.id}
            state={state}
            site={site}
            place={shown}
            position={position < 0 ? undefined : { index: position, of: list.answers.length }}
          />
        )}
      </section>
    </div>
  )
}
