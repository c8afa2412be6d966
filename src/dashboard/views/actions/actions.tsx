import type { CardNote } from '../../../http/dashboard/operations/cards.ts'
import type { Schemas } from '../../../client/client.ts'
import { toSitePath } from '../../site-path.ts'
import { CARD_ANSWERS_MIN } from '../../bounds.ts'
import { toCountOf } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { usePage, useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { Card } from './card.tsx'
import { CATEGORY_NAMES, STATUS_NAMES } from './names.ts'

type Status = Schemas['ActionCard']['status']
type Category = Schemas['ActionCard']['category']

const STATUSES: readonly Status[] = ['open', 'done', 'dismissed']
const EMPTY: Readonly<Record<Status, string>> = {
  open: 'No card is open',
  done: 'No card is done yet',
  dismissed: 'No card was dismissed',
}

/** What the site's own data say should be done, and whether what was done has helped. */
export function Actions({ state, site }: ViewProps) {
  const question = { method: 'GET', path: toSitePath(site.id, 'actions?status=all') } as const
  const cards = useRows<Schemas['ActionCard']>(question)
  const notes = usePage<CardNote>({ method: 'GET', path: toSitePath(site.id, 'action-notes') })
  const all = cards.value ?? []
  const opened = state.more['card'] ?? ''
  const status = toStatus(state.more['status'], all.find(({ id }) => id === opened)?.status)
  const category = state.more['kind'] ?? ''
  const fitting = all.filter((card) => category === '' || card.category === category)
  const shown = fitting.filter((card) => card.status === status)
  const count = (one: Status): number => fitting.filter((card) => card.status === one).length
  const categories = Object.keys(CATEGORY_NAMES).filter((one) => all.some((card) => card.category === one))
  return (
    <Panel
      title="Cards"
      sentence="Each is something that your own data show, with what to do about it. Once one is done, its prompts are measured again, held against those that nobody touched."
      questions={[question]}
      method="cards"
      loading={[cards, notes]}
      controls={
        <div class="card-filters">
          {categories.length > 1 && (
            <Select
              label="Kind"
              value={category}
              options={[
                { value: '', title: 'All' },
                ...categories.map((value) => ({ value, title: CATEGORY_NAMES[value as Category] })),
              ]}
              onPick={(kind) => changeUrl({ more: { kind, card: '' } })}
            />
          )}
          <Segments
            label="Cards that are"
            value={status}
            options={STATUSES.map((value) => ({
              value,
              title: cards.value === undefined ? STATUS_NAMES[value] : `${STATUS_NAMES[value]} ${count(value)}`,
            }))}
            onPick={(picked) => changeUrl({ more: { status: picked, card: '' } })}
          />
        </div>
      }
    >
      {shown.length === 0 ? (
        <Empty kind={all.length === 0 ? 'none' : 'filtered'} title={EMPTY[status]}>
          {all.length === 0 && (
            <p>The rules look at the site after each import, and say nothing before {CARD_ANSWERS_MIN} answers.</p>
          )}
        </Empty>
      ) : (
        <ul class="cards" aria-label={`${STATUS_NAMES[status]}: ${toCountOf(shown.length, 'card')}`}>
          {shown.map((card) => (
            <Card
              key={card.id}
              card={card}
              note={notes.value?.rows.find(({ action_id }) => action_id === card.id)}
              site={site}
              state={state}
              isOpen={card.id === opened}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** What the URL says, else that of the card which it opens. */
const toStatus = (said: string | undefined, ofCard: Status | undefined): Status =>
  STATUSES.find((status) => status === said) ?? ofCard ?? 'open'
