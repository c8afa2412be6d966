import type { Schemas } from '../../../client/client.ts'
import type { Question, Reply } from '../../api.ts'
import { toCount, toCountOf, toDays, toInterval, toPercent } from '../../format.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Tile, Tiles } from '../../parts/tile.tsx'
import { toUrl, toView } from '../../url-state.ts'
import { type Loading, usePage } from '../../use-reply.ts'
import { countTone } from '../answers/questions.ts'
import type { ViewProps } from '../view-props.ts'
import type { Share } from './lines.ts'
import { SHARE_TITLES } from './share-titles.ts'
import { ToneBar, ToneKey } from './tone-bar.tsx'

type Row = Schemas['SentimentRow']

export interface SummaryProps extends ViewProps {
  readonly question: Question<Row>
  readonly asked: Loading<Reply<Row>>
  readonly before: Question<Row> | undefined
}

/** How the answers that name the own brand speak of it. */
export function Summary({ state, site, compared, question, asked, before }: SummaryProps) {
  const earlier = usePage(before)
  const row = asked.value?.rows[0]
  const was = earlier.value?.rows[0]
  const name = showHidden(site.name)
  const beforeDays = compared === undefined ? '' : toDays(compared.start_date, compared.end_date)
  return (
    <Panel
      title={`How answers speak of ${name}`}
      method="tone"
      questions={[question, before]}
      loading={[asked, earlier]}
      skeleton="tiles"
      sentence={row !== undefined && row.answers_mentioning > 0 && <Judged row={row} name={name} />}
    >
      {row === undefined || row.answers_mentioning === 0 ? (
        <Empty kind="none" title={`No answer names ${name} in these days.`}>
          {row !== undefined && row.answers > 0 && <p>There are {toCountOf(row.answers, 'answer')} in all.</p>}
        </Empty>
      ) : (
        <>
          <Tiles>
            {(['negative', 'neutral', 'positive'] as const).map((share) => (
              <ShareTile
                key={share}
                share={share}
                row={row}
                was={was}
                beforeDays={beforeDays}
                href={share === 'neutral' ? undefined : toUrl(toView(state, 'answers', { tone: share }))}
              />
            ))}
          </Tiles>
          <ToneBar row={row} />
          <ToneKey />
        </>
      )}
    </Panel>
  )
}

function Judged({ row, name }: { readonly row: Row; readonly name: string }) {
  const { answers_mentioning, answers, judged_answers = 0 } = row
  return (
    <>
      {toCount(answers_mentioning)} of {toCountOf(answers, 'answer')} {answers === 1 ? 'names' : 'name'} {name}.{' '}
      {toCount(judged_answers)} of them {judged_answers === 1 ? 'was' : 'were'} judged
      {answers_mentioning > judged_answers &&
        `; the ${toCount(answers_mentioning - judged_answers)} that nobody judged are not the same as neutral`}
      .
    </>
  )
}

interface ShareTileProps {
  readonly share: Share
  readonly row: Row
  readonly was: Row | undefined
  readonly beforeDays: string
  readonly href: string | undefined
}

function ShareTile({ share, row, was, beforeDays, href }: ShareTileProps) {
  const [count = 0, low, high] = [row[`${share}_answers`], row[`${share}_low`], row[`${share}_high`]]
  const interval = typeof low === 'number' && typeof high === 'number' ? `, ${toInterval(low, high)}` : ''
  const { neutral, not_judged } = countTone(row)
  return (
    <Tile
      title={SHARE_TITLES[share]}
      value={toPercent(row[share])}
      metric={share}
      exact={row[share]}
      sentence={
        <>
          {toCount(count)} of {toCountOf(row.answers_mentioning, 'answer')} that name you{interval}
          {share === 'neutral' && `: ${toCount(neutral)} neutral, ${toCount(not_judged)} not judged`}
        </>
      }
      href={href}
      change={was && was.answers_mentioning > 0 ? <Before row={was} {...{ share, beforeDays }} /> : undefined}
    />
  )
}

interface BeforeProps {
  readonly row: Row
  readonly share: Share
  readonly beforeDays: string
}

/** The share in the days before. Whether it moved isn't said: the service doesn't compare tones. */
function Before({ row, share, beforeDays }: BeforeProps) {
  return (
    <>
      was {toPercent(row[share])} of {toCount(row.answers_mentioning)} in {beforeDays}
    </>
  )
}
