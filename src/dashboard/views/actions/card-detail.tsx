import { useState } from 'preact/hooks'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toSafeLink } from '../../answer-text/safe-link.ts'
import { toCountOf, toLongDay } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { Pick } from '../../parts/pick.tsx'
import { toUrl, toView } from '../../url-state.ts'
import type { CardProps } from './card.tsx'
import { CardMoves } from './card-moves.tsx'
import { toPieces } from './evidence.ts'
import { Outcome } from './outcome.tsx'

type DetailProps = Pick<CardProps, 'card' | 'site' | 'state'>

const PROMPTS_SHOWN = 6

/** What is behind a card: why, what to do, what it is measured on, and what came of it. */
export function CardDetail({ card, site, state }: DetailProps) {
  const { why, detail, target_platforms, target_url, created_at } = card
  const isEverywhere = target_platforms.length === site.platforms.length
  return (
    <div class="card-detail">
      <section>
        <h4>Why</h4>
        <p>
          {toPieces(why, card, state, site.platforms.length).map(({ text, href }, index) => (
            <Pick key={index} to={href}>
              {text}
            </Pick>
          ))}
        </p>
      </section>
      <section>
        <h4>What to do</h4>
        <p>{detail}</p>
        <p>
          <Outward address={target_url} />
        </p>
      </section>
      <Outcome card={card} site={site} state={state} />
      <section>
        <h4>Measured on</h4>
        <p class="quiet">
          {isEverywhere ? 'All engines' : target_platforms.map((engine) => ENGINE_NAMES[engine]).join(', ')}. Found{' '}
          {toLongDay(created_at)}.
        </p>
        <TargetPrompts card={card} state={state} site={site} />
      </section>
      <CardMoves card={card} site={site} />
    </div>
  )
}

/** A page as a link; what an answer made of it may be no address that can be followed. */
function Outward({ address }: { readonly address: string }) {
  const link = toSafeLink(address)
  const text = showHidden(address)
  if (link === undefined) return <span class="path">{text}</span>
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" class="path">
      {text}
    </a>
  )
}

function TargetPrompts({ card: { target_prompts }, state }: DetailProps) {
  const [isWhole, showWhole] = useState(false)
  const shown = isWhole ? target_prompts : target_prompts.slice(0, PROMPTS_SHOWN)
  const hidden = target_prompts.length - shown.length
  return (
    <>
      <ul class="card-prompts">
        {shown.map(({ id, text }) => (
          <li key={id}>
            <a href={toUrl(toView(state, 'answers', { prompt: id }))} dir="auto">
              {text}
            </a>
          </li>
        ))}
      </ul>
      {hidden > 0 && <Pick to={() => showWhole(true)}>Show {toCountOf(hidden, 'more prompt')}</Pick>}
    </>
  )
}
