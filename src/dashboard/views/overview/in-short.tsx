import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../api.ts'
import { toCount, toCountOf, toDays, toList, toPercent, toPoints } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { toUrl, toView } from '../../url-state.ts'
import type { PartProps } from './part-props.ts'
import { type Story, toStory } from './story.ts'
import { findOwn } from './use-overview.ts'

/** The reader's four questions, each with its answer in a sentence. */
export function InShort({ state, compared, replies }: PartProps) {
  const own = findOwn(replies.brands)
  if (replies.brands.refusal !== undefined) return null
  if (own === undefined) return <Skeleton kind="tiles" />
  const story = toStory(replies.brands.value ?? [], replies.engines.value ?? [], replies.changesByPrompt.value ?? [])
  const overall = replies.changes.mention_rate.value?.rows[0]
  const cards = replies.cards.value ?? []
  const [first] = cards
  return (
    <dl class="in-short">
      <Question asked="Are we named?">
        {own.brand.name} in <Share row={own} /> of {toCountOf(own.answers ?? 0, 'answer')}
        {story.rival !== undefined && (
          <>
            ; {story.rival.brand.name}, the most named competitor, in <Share row={story.rival} />
          </>
        )}
        .
      </Question>
      <Question asked="Is that more than before?">
        {compared === undefined ? (
          'Nothing is compared: switch the comparison on above.'
        ) : (
          <Change row={overall} before={toDays(compared.start_date, compared.end_date)} />
        )}
      </Question>
      <Question asked="Why?">
        {compared !== undefined && toMoved(replies.changesByPrompt.value ?? [], story)}{' '}
        {story.least?.platform !== undefined && story.most?.platform !== undefined ? (
          <>
            {ENGINE_NAMES[story.least.platform]} names {own.brand.name} least, in <Share row={story.least} />;{' '}
            {ENGINE_NAMES[story.most.platform]} most, in <Share row={story.most} />.
          </>
        ) : (
          (replies.engines.value?.length ?? 0) > 1 && 'No engine stands out.'
        )}
      </Question>
      <Question asked="What shall we do?">
        {first === undefined ? (
          replies.cards.value === undefined ? (
            '…'
          ) : (
            'No card is open.'
          )
        ) : (
          <>
            {toCountOf(cards.length, 'card')} open. First:{' '}
            <a href={toUrl(toView(state, 'actions', { card: first.id }))}>{first.title}</a>
          </>
        )}
      </Question>
    </dl>
  )
}

function Question({ asked, children }: { readonly asked: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{asked}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Share({ row: { platform, brand, mention_rate = 0 } }: { readonly row: Schemas['VisibilityRow'] }) {
  return (
    <b data-key={platform ?? brand.name} data-metric="mention_rate" data-value={mention_rate}>
      {toPercent(mention_rate)}
    </b>
  )
}

function Change({ row, before }: { readonly row: Schemas['ChangeRow'] | undefined; readonly before: string }) {
  if (row === undefined) return <>…</>
  const { verdict, change, low, high } = row
  if (verdict === 'not_enough_data' || change === null) {
    return <>Too few prompts were asked in {before} as well to tell.</>
  }
  const points = (
    <b data-metric="change" data-value={change}>
      {toPoints(change)}
    </b>
  )
  const chance =
    low !== null &&
    high !== null &&
    ` (chance leaves ${toPoints(low).replace(/ points$/, '')} to ${toPoints(high)} open)`
  if (verdict === 'no_change') {
    return (
      <>
        No significant change from {before}: {points}
        {chance}.
      </>
    )
  }
  return (
    <>
      {verdict === 'up' ? 'Yes' : 'No, less'}: {points} from {before}
      {chance}.
    </>
  )
}

function toMoved(rows: readonly Schemas['ChangeRow'][], { rose, fell }: Pick<Story, 'rose' | 'fell'>): string {
  if (rows.every(({ verdict }) => verdict === 'not_enough_data')) return 'No single prompt can be compared.'
  const parts = [
    ...(rose.length > 0 ? [`${toCountOf(rose.length, 'prompt')} rose`] : []),
    ...(fell.length > 0 ? [`${rose.length > 0 ? toCount(fell.length) : toCountOf(fell.length, 'prompt')} fell`] : []),
  ]
  return parts.length === 0 ? 'No single prompt changed significantly.' : `${toList(parts)} significantly.`
}
