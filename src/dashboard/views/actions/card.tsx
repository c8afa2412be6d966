import { useEffect, useId, useRef } from 'preact/hooks'
import type { CardNote } from '../../../http/dashboard/operations/cards.ts'
import type { Schemas } from '../../../client/client.ts'
import { toLongDay, toMinute } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import type { ViewState } from '../../url-state.ts'
import { CardDetail } from './card-detail.tsx'
import { CATEGORY_NAMES, EFFORT_NAMES, METRIC_NAMES, VERDICT_NAMES } from './names.ts'

export interface CardProps {
  readonly card: Schemas['ActionCard']
  /** Of a card that is done or dismissed. */
  readonly note: CardNote | undefined
  readonly site: Schemas['Site']
  readonly state: ViewState
  readonly isOpen: boolean
}

/** A recommendation, readable at a glance; a click opens what is behind it. */
export function Card({ card, note, site, state, isOpen }: CardProps) {
  const { id, title, why, category, impact, effort, target_metric, kind, cadence } = card
  const whole = useRef<HTMLLIElement>(null)
  const detailId = useId()
  useEffect(() => {
    if (isOpen) whole.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <li ref={whole} class={`card${isOpen ? ' card-open' : ''}`} data-key={id}>
      <h3>
        <button
          type="button"
          class="card-title"
          aria-expanded={isOpen}
          aria-controls={detailId}
          onClick={() => changeUrl({ more: { card: isOpen ? '' : id } })}
        >
          <span class={`impact impact-${impact.toLowerCase()}`}>{impact} impact</span>
          <span>{title}</span>
        </button>
      </h3>
      <p class="card-facts">
        {CATEGORY_NAMES[category]} · {EFFORT_NAMES[effort]} · aims at {METRIC_NAMES[target_metric]}
        {kind === 'ongoing' && ` · comes back ${cadence ?? 'again'}`}
      </p>
      {!isOpen && <p class="card-why">{why}</p>}
      <OutcomeLine card={card} />
      {note !== undefined && <Note note={note} />}
      <div id={detailId} hidden={!isOpen}>
        {isOpen && <CardDetail card={card} site={site} state={state} />}
      </div>
    </li>
  )
}

/** What came of a card that is done, in a word. */
function OutcomeLine({ card: { outcome } }: Pick<CardProps, 'card'>) {
  if (outcome === null) return null
  const { verdict, result_due } = outcome
  if (verdict === null) return <p class="card-verdict">Measuring; the result is due {toLongDay(result_due)}</p>
  const tone = verdict === 'improved' ? 'good' : verdict === 'declined' ? 'bad' : 'quiet'
  const mark = { improved: '▲', declined: '▼', no_change: '=', not_enough_data: '?' }[verdict]
  return (
    <p class={`card-verdict ${tone}`} data-verdict={verdict}>
      <span aria-hidden="true">{mark}</span> {VERDICT_NAMES[verdict]}
    </p>
  )
}

function Note({ note: { note, actor, at } }: { readonly note: CardNote }) {
  return (
    <p class="card-note">
      {note !== null && <q>{note}</q>} <span class="quiet">{`${actor}, ${toMinute(at)}`}</span>
    </p>
  )
}
