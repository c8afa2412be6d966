import { toCountOf } from '../../format.ts'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { toUrl, toView } from '../../url-state.ts'
import type { PartProps } from './part-props.ts'

const SHOWN = 3

/** The open cards that promise most. */
export function Cards({ state, questions, replies }: PartProps) {
  const cards = replies.cards.value ?? []
  return (
    <Panel
      title="What to do next"
      sentence={
        cards.length === 0 ? undefined : `${toCountOf(cards.length, 'open card')}, those with the most impact first.`
      }
      questions={[questions.cards]}
      method="cards"
      loading={[replies.cards]}
    >
      {cards.length === 0 ? (
        <Empty kind="none" title="No card is open." />
      ) : (
        <ol class="next-cards">
          {cards.slice(0, SHOWN).map(({ id, title, why, impact, effort }) => (
            <li key={id} data-key={id}>
              <a href={toUrl(toView(state, 'actions', { card: id }))}>{title}</a>
              <p class="quiet">{why}</p>
              <small class="quiet">
                {impact} impact, {effort} effort
              </small>
            </li>
          ))}
        </ol>
      )}
      {cards.length > SHOWN && (
        <p>
          <a href={toUrl(toView(state, 'actions'))}>All {toCountOf(cards.length, 'open card')}</a>
        </p>
      )}
    </Panel>
  )
}
