import { addDays } from '../../days.ts'
import { toDays, toLongDay } from '../../format.ts'
import type { CardProps } from './card.tsx'
import { toMeasuredView } from './evidence.ts'
import { parseOutcome } from './outcome-parts.ts'

/** Before, after, and the prompts that nobody touched; nothing of a card that isn't done. */
export function Outcome({ card, site, state }: Pick<CardProps, 'card' | 'site' | 'state'>) {
  const { outcome } = card
  if (outcome === null) return null
  const parts = parseOutcome(outcome)
  const due = toLongDay(addDays(outcome.result_due.slice(0, 10), 0))
  if (parts === undefined) {
    return (
      <section>
        <h4>What came of it</h4>
        <p>{outcome.summary}</p>
      </section>
    )
  }
  const { verb, before, after, control, mayFlatter } = parts
  const sides = [
    { title: 'Before', side: before },
    { title: 'After', side: after },
  ]
  return (
    <section>
      <h4>What came of it</h4>
      <dl class="outcome">
        {sides.map(({ title, side }) => (
          <div key={title}>
            <dt>{title}</dt>
            {side === undefined ? (
              <dd>
                <span class="quiet">due {due}</span>
              </dd>
            ) : (
              <dd>
                <b>
                  {verb} <a href={toMeasuredView(card, state, side.range, site.platforms.length)}>{side.counts}</a>
                </b>
                {side.interval !== undefined && <small class="basis"> {side.interval}</small>}
                <small class="quiet">{toDays(side.range.start_date, side.range.end_date)}</small>
              </dd>
            )}
          </div>
        ))}
        <div>
          <dt>Held against</dt>
          <dd>
            {control ?? (
              <span class="quiet">{after === undefined ? 'what nobody touches' : 'no untouched prompt'}</span>
            )}
          </dd>
        </div>
      </dl>
      {outcome.verdict === 'not_enough_data' && (
        <p class="quiet">{outcome.summary.slice(0, outcome.summary.indexOf(':'))}.</p>
      )}
      {mayFlatter && (
        <p class="quiet">
          The card was found in the days before: that may flatter the result, since what is picked for being low rises
          by itself.
        </p>
      )}
    </section>
  )
}
