import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../../client/client.ts'
import { toCount, toCountOf, toDays, toList, toPercent, toPoints } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { Said, Shown } from '../../parts/shown.tsx'
import { toUrl, toView, type ViewState } from '../../url-state.ts'
import type { PartProps } from './part-props.ts'
import { findApart, findMoved, findRival } from './story.ts'
import { findOwn } from './use-overview.ts'

/** The reader's four questions, each with its answer in a sentence. */
export function InShort(props: PartProps) {
  const { brands, engines, changes, changesByPrompt, cards } = props.replies
  // The tiles below say why there is nothing.
  if (brands.refusal !== undefined) return null
  return (
    <Shown of={[brands]} later={[engines, changes.mention_rate, changesByPrompt, cards]} skeleton="tiles">
      {() => <Answers {...props} />}
    </Shown>
  )
}

function Answers({ state, compared, replies }: PartProps) {
  const own = findOwn(replies.brands)
  const rival = findRival(replies.brands.value ?? [])
  if (own === undefined) return null
  return (
    <dl class="in-short">
      <Question asked="Are we named?">
        {own.brand.name} in <Share row={own} /> of {toCountOf(own.answers ?? 0, 'answer')}
        {rival !== undefined && (
          <>
            ; {rival.brand.name}, the most named competitor, in <Share row={rival} />
          </>
        )}
        .
      </Question>
      <Question asked="Is that more than before?">
        {compared === undefined ? (
          'Nothing is compared: switch the comparison on above.'
        ) : (
          <Said of={replies.changes.mention_rate}>
            {({ rows: [row] }) => <Change row={row} before={toDays(compared.start_date, compared.end_date)} />}
          </Said>
        )}
      </Question>
      <Question asked="Why?">
        {compared !== undefined && <Said of={replies.changesByPrompt}>{toMoved}</Said>}{' '}
        <Said of={replies.engines}>{(engines) => <Apart engines={engines} name={own.brand.name} />}</Said>
      </Question>
      <Question asked="What shall we do?">
        <Said of={replies.cards}>{(cards) => <First cards={cards} state={state} />}</Said>
      </Question>
    </dl>
  )
}

/** Which engines name the brand least and most, where that is no chance. */
function Apart({ engines, name }: { readonly engines: readonly Schemas['VisibilityRow'][]; readonly name: string }) {
  const { most, least } = findApart(engines)
  if (least?.platform === undefined || most?.platform === undefined) {
    return engines.length > 1 ? <>No engine stands out.</> : null
  }
  return (
    <>
      {ENGINE_NAMES[least.platform]} names {name} least, in <Share row={least} />; {ENGINE_NAMES[most.platform]} most,
      in <Share row={most} />.
    </>
  )
}

function First({ cards, state }: { readonly cards: readonly Schemas['ActionCard'][]; readonly state: ViewState }) {
  const [first] = cards
  if (first === undefined) return <>No card is open.</>
  return (
    <>
      {toCountOf(cards.length, 'card')} open. First:{' '}
      <a href={toUrl(toView(state, 'actions', { card: first.id }))}>{first.title}</a>
    </>
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
  const { verdict, change = null, low = null, high = null } = row ?? {}
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

function toMoved(rows: readonly Schemas['ChangeRow'][]): string {
  const { rose, fell } = findMoved(rows)
  if (rows.every(({ verdict }) => verdict === 'not_enough_data')) return 'No single prompt can be compared.'
  const parts = [
    ...(rose.length > 0 ? [`${toCountOf(rose.length, 'prompt')} rose`] : []),
    ...(fell.length > 0 ? [`${rose.length > 0 ? toCount(fell.length) : toCountOf(fell.length, 'prompt')} fell`] : []),
  ]
  return parts.length === 0 ? 'No single prompt changed significantly.' : `${toList(parts)} significantly.`
}
