import { useMemo } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { toAnswerNodes } from '../../answer-text/answer-nodes.ts'
import type { BrandMarker, MarkedPiece } from '../../answer-text/brand-names.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toShortDay } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { Said } from '../../parts/shown.tsx'
import { toUrl, type ViewState, withChange } from '../../url-state.ts'
import { useRows } from '../../use-reply.ts'
import { toPlace, writePlace } from './permalink.ts'
import { toTextQuestion } from './questions.ts'
import { pickSentences } from './quotes.ts'

export interface AnswerQuoteProps {
  /** The state of the reader that the quote leads to. */
  readonly state: ViewState
  readonly site: Schemas['Site']
  readonly answer: Schemas['Answer']
  readonly mark: BrandMarker
  /** Which names the quoted sentences hold. */
  readonly isMarked: (name: Exclude<MarkedPiece, string>) => boolean
}

/** What an answer says where it names a brand, with a link to the whole. An item of a list. */
export function AnswerQuote({ state, site, answer, mark, isMarked }: AnswerQuoteProps) {
  const place = toPlace(answer)
  const asked = useRows(place && toTextQuestion(site.id, place))
  const text = asked.value?.find(({ id }) => id === answer.id)?.text
  const sentences = useMemo(() => (text === undefined ? [] : pickSentences(text, mark, isMarked)), [text, mark])
  if (place === undefined) return null
  return (
    <li class="quote">
      {text === undefined ? (
        <p class="quiet">
          <Said of={asked}>{() => 'This answer isn’t stored any more.'}</Said>
        </p>
      ) : (
        <blockquote dir="auto">{sentences.map((sentence) => toAnswerNodes(sentence, mark))}</blockquote>
      )}
      <p class="quiet">
        {ENGINE_NAMES[place.platform]}, {toShortDay(place.date)}
        <a class="prompt-link" dir="auto" href={toUrl(withChange(state, { more: { answer: writePlace(place) } }))}>
          {showHidden(answer.prompt?.text ?? '')}
        </a>
      </p>
    </li>
  )
}
