import { useMemo } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { createBrandMarker } from '../../answer-text/brand-names.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCountOf } from '../../format.ts'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { toUrl, toView } from '../../url-state.ts'
import { AnswerQuote } from '../answers/answer-quote.tsx'
import { pickVaried } from '../answers/quotes.ts'
import { useAnswerList } from '../answers/use-answer-list.ts'
import type { ViewProps } from '../view-props.ts'

const SHOWN = 4
/** Whose answers they are taken from. */
const PROMPTS = 4

/** The newest answers that speak badly of the own brand, with the words that name it. */
export function NegativeAnswers(props: ViewProps) {
  const { state, site } = props
  const all = toView(state, 'answers', { tone: 'negative' })
  const list = useAnswerList({ ...props, state: all }, PROMPTS)
  const marker = useMemo(() => createBrandMarker([{ spelling: site.name, isOwn: true }]), [site.name])
  const total = list.narrowed?.answers ?? 0
  return (
    <Panel
      title="Negative answers"
      method="tone"
      // Whose answers these are: the answers themselves are in the reader, with a file of their own.
      questions={list.questions.slice(-1)}
      loading={list.loading}
      sentence={
        total > 0 && (
          <>
            {toCountOf(total, 'answer')}. These are of the prompts that have the most.{' '}
            <a href={toUrl(all)}>Read them all</a>
          </>
        )
      }
    >
      {total === 0 ? (
        <Empty kind="none" title={`No answer speaks badly of ${showHidden(site.name)} in these days.`}>
          <p>Answers that nobody judged aren’t among them.</p>
        </Empty>
      ) : (
        <ul class="quotes">
          {pickVaried(list.answers, SHOWN).map((answer: Schemas['Answer']) => (
            <AnswerQuote
              key={answer.id}
              state={all}
              site={site}
              answer={answer}
              mark={marker}
              isMarked={(piece) => piece.isOwn}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}
