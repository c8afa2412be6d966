import { useMemo, useState } from 'preact/hooks'
import type { CompetitorEvidence } from '../../../http/dashboard/operations/competitors.ts'
import type { Schemas } from '../../../client/client.ts'
import { type BrandMarker, createBrandMarker } from '../../answer-text/brand-names.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCountOf } from '../../format.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { RateOf } from '../../parts/rate.tsx'
import { Shown } from '../../parts/shown.tsx'
import { toUrl, toView } from '../../url-state.ts'
import { AnswerQuote } from '../answers/answer-quote.tsx'
import { pickVaried } from '../answers/quotes.ts'
import { type AnswerList, useAnswerList } from '../answers/use-answer-list.ts'
import type { ViewProps } from '../view-props.ts'
import { decide } from './decisions.ts'
import { IgnoreDialog, MergeDialog } from './decision-dialogs.tsx'

const SOURCES = {
  discovered: 'found in answers',
  manual: 'added by hand',
  onboarding: 'named when the site was set up',
} as const

/** Answers that are shown as evidence. */
const QUOTES = 3

export interface CandidateProps extends ViewProps {
  readonly competitor: CompetitorEvidence
  readonly row: Schemas['VisibilityRow'] | undefined
  /** What it may be another name of. */
  readonly others: readonly CompetitorEvidence[]
}

/** A name to decide about: how often it is named, three answers that name it, and what can be done. */
export function Candidate({ competitor, row, others, ...props }: CandidateProps) {
  const spellings = [...competitor.aliases, ...competitor.domains].map(showHidden)
  return (
    <li class="candidate" data-key={competitor.name}>
      <header>
        <div>
          <h3>
            <bdi>{showHidden(competitor.name)}</bdi>
          </h3>
          <p class="quiet">
            {SOURCES[competitor.source]}
            {competitor.answers !== null && `, listed in ${toCountOf(competitor.answers, 'answer')} of all imports`}
            {spellings.length > 0 && `. Also: ${spellings.join(', ')}`}
          </p>
          {row !== undefined && (
            <p>
              Named in <RateOf row={row} metric="mention_rate" />
            </p>
          )}
        </div>
        <Ways siteId={props.site.id} competitor={competitor} others={others} />
      </header>
      <Evidence {...props} competitor={competitor} />
    </li>
  )
}

interface WaysProps extends Pick<CandidateProps, 'competitor' | 'others'> {
  readonly siteId: string
}

/** What can be done. Drawn by itself: when its dialog closes, evidence isn't asked anew of a name that is just taken away. */
function Ways({ siteId, competitor, others }: WaysProps) {
  const [asks, ask] = useState<'merge' | 'ignore' | undefined>()
  const name = showHidden(competitor.name)
  const close = (): void => ask(undefined)
  const done = `${name} is ranked from now on. “Stop ranking” above takes it back.`
  return (
    <div class="candidate-ways">
      <ActButton
        kind="primary"
        label={`Confirm ${name}`}
        onAct={() => decide(siteId, competitor.id, 'confirm', { done })}
      >
        Confirm
      </ActButton>
      {others.length > 0 && (
        <Button label={`${name} is another name of`} onClick={() => ask('merge')}>
          Is another name of …
        </Button>
      )}
      <Button label={`Ignore ${name}`} onClick={() => ask('ignore')}>
        Ignore
      </Button>
      {asks === 'merge' && <MergeDialog siteId={siteId} competitor={competitor} others={others} onClose={close} />}
      {asks === 'ignore' && <IgnoreDialog siteId={siteId} competitor={competitor} onClose={close} />}
    </div>
  )
}

/** Answers of the days that name it, to the prompts with the most of them, with the words around it. */
function Evidence({ competitor, ...props }: ViewProps & { readonly competitor: CompetitorEvidence }) {
  const { state, site } = props
  const all = toView(state, 'answers', { brand: competitor.name })
  const list = useAnswerList({ ...props, state: all }, QUOTES)
  const mark = useMemo(() => {
    const spellings = [competitor.name, ...competitor.aliases].map((spelling) => ({ spelling, isOwn: false }))
    return createBrandMarker([...spellings, { spelling: site.name, isOwn: true }])
  }, [competitor, site.name])
  return (
    <Shown of={list.loading} skeleton="table">
      {() => <Quotes {...{ competitor, all, site, mark, list }} />}
    </Shown>
  )
}

interface QuotesProps extends Pick<CandidateProps, 'competitor' | 'site'> {
  /** Where all of the answers are read. */
  readonly all: ViewProps['state']
  readonly mark: BrandMarker
  readonly list: AnswerList
}

function Quotes({ competitor, all, site, mark, list: { answers, total, narrowed } }: QuotesProps) {
  if (total === 0) return <p class="quiet">No answer of these days names it. Choose more days to see some.</p>
  return (
    <>
      <ul class="quotes">
        {pickVaried(answers, QUOTES).map((answer) => (
          <AnswerQuote key={answer.id} state={all} site={site} answer={answer} mark={mark} isMarked={isRival} />
        ))}
      </ul>
      {(narrowed?.answers ?? 0) > QUOTES && (
        <a class="quiet" href={toUrl(all)}>
          {`Read all ${toCountOf(narrowed?.answers ?? 0, 'answer')} that name ${showHidden(competitor.name)}`}
        </a>
      )}
    </>
  )
}

const isRival = ({ isOwn }: { readonly isOwn: boolean }): boolean => !isOwn
