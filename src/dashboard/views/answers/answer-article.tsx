import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { toAnswerNodes, toMarkedNodes } from '../../answer-text/answer-nodes.ts'
import type { BrandMarker } from '../../answer-text/brand-names.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCount, toLongDay, toMinute } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { toUrl, type ViewState, withChange } from '../../url-state.ts'
import { useRows } from '../../use-reply.ts'
import { Naming } from './answer-list.tsx'
import { AnswerSources } from './answer-sources.tsx'
import { cutText } from './cut-text.ts'
import type { AnswerPlace } from './permalink.ts'
import { toAnswerQuestion, toOwnersQuestion } from './questions.ts'
import { useBrandMarker } from './use-brand-marker.ts'

type Answer = Schemas['Answer']

export interface AnswerArticleProps {
  readonly state: ViewState
  readonly site: Schemas['Site']
  readonly place: AnswerPlace
  /** Where it stands in the shown list. */
  readonly position: { readonly index: number; readonly of: number } | undefined
}

/** One answer: what it says, whom it names, what it cites, and how it was asked for. */
export function AnswerArticle({ state, site, place, position }: AnswerArticleProps) {
  const question = toAnswerQuestion(site.id, place)
  const found = useRows(question)
  const owners = useRows(toOwnersQuestion(site.id, place))
  const answer = found.value?.find(({ id }) => id === place.id)
  const mark = useBrandMarker(site)
  const said = position === undefined ? '' : `Answer ${position.index + 1} of ${position.of} shown. `
  return (
    <article>
      <p class="unseen" aria-live="polite">
        {`${said}${ENGINE_NAMES[place.platform]}, ${toLongDay(place.date)}`}
      </p>
      <a class="reader-back" href={toUrl(withChange(state, { more: { answer: '' } }))}>
        ← All answers
      </a>
      <Panel
        title={showHidden(answer?.prompt?.text ?? 'Answer')}
        method="answers"
        questions={[question]}
        chosen={[place]}
        loading={[found, owners]}
        sentence={<About place={place} answer={answer} />}
      >
        {answer === undefined ? (
          <Empty kind="none" title="This answer isn’t stored any more.">
            <p>It was deleted or imported anew since the link was made.</p>
          </Empty>
        ) : (
          <>
            <Brands state={state} site={site} answer={answer} />
            <AnswerText text={answer.text ?? ''} mark={mark} />
            <AnswerSources state={state} answer={answer} owners={owners.value ?? []} mark={mark} />
            <Searches searches={answer.search_queries} mark={mark} />
          </>
        )}
      </Panel>
    </article>
  )
}

function About({ place, answer }: { readonly place: AnswerPlace; readonly answer: Answer | undefined }) {
  const { model, provider, market, asked_at } = answer ?? {}
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Engine', ENGINE_NAMES[place.platform]],
    ...(asked_at === null || asked_at === undefined
      ? ([['Day', toLongDay(place.date)]] as const)
      : ([['Asked', toMinute(asked_at)]] as const)),
    ...(model ? ([['Model', showHidden(model)]] as const) : []),
    ...(provider ? ([['Provider', showHidden(provider)]] as const) : []),
    ...(market ? ([['Market', showHidden(market)]] as const) : []),
  ]
  return (
    <span class="answer-facts">
      {facts.map(([name, value]) => (
        <span key={name}>
          {name} <b>{value}</b>
        </span>
      ))}
    </span>
  )
}

interface BrandsProps {
  readonly state: ViewState
  readonly site: Schemas['Site']
  readonly answer: Answer
}

/** Who is named, as the service found it, in the order in which they first appear. */
function Brands({ state, site, answer }: BrandsProps) {
  const { mentions = [] } = answer
  return (
    <div class="answer-brands">
      <Naming answer={answer} name={site.name} />
      {mentions.length > 0 && (
        <ul aria-label="Brands named, the first one first">
          {mentions.map((name) => (
            <li key={name}>
              <a
                class={name === site.name ? 'brand-name own' : 'brand-name'}
                href={toUrl(withChange(state, { more: { brand: name, answer: '' } }))}
                title={`Answers that name ${showHidden(name)}`}
              >
                {showHidden(name)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function AnswerText({ text, mark }: { readonly text: string; readonly mark: BrandMarker }) {
  const [isWhole, showWhole] = useState(false)
  const shown = isWhole ? text : cutText(text)
  const nodes = useMemo(() => toAnswerNodes(shown, mark), [shown, mark])
  return (
    <>
      <div class="answer-text">{text === '' ? <p class="quiet">The answer is empty.</p> : nodes}</div>
      {shown.length < text.length && (
        <Button onClick={() => showWhole(true)}>Show all {toCount(text.length)} characters</Button>
      )}
    </>
  )
}

interface SearchesProps {
  readonly searches: readonly string[] | null | undefined
  readonly mark: BrandMarker
}

function Searches({ searches, mark }: SearchesProps) {
  if (searches === null || searches === undefined || searches.length === 0) return null
  return (
    <section class="answer-part">
      <h3>Searched for while it answered</h3>
      <ul class="searches">
        {searches.map((search, index) => (
          <li key={index} dir="auto">
            {toMarkedNodes(search, mark)}
          </li>
        ))}
      </ul>
    </section>
  )
}
