import { toCount, toInterval, toPercent, toShortDay } from '../../format.ts'
import { MEANINGS, type Metric, toMeasured } from '../../metrics.ts'
import { Tile, TilesPart } from '../../parts/tile.tsx'
import { Said, Shown } from '../../parts/shown.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import { toUrl, toView } from '../../url-state.ts'
import type { PartProps } from './part-props.ts'
import { TILES } from './questions.ts'
import { findOwn } from './use-overview.ts'

/** The four headline numbers, each a sentence with its counts, its interval and whether it changed. */
export function Headlines(props: PartProps) {
  const { questions } = props
  const { brands, changes } = props.replies
  return (
    <Shown of={[brands]} later={Object.values(changes)} skeleton="tiles">
      {() => (
        <TilesPart
          title="In numbers"
          questions={[questions.brands, ...Object.values(questions.changes)]}
          method="mention-rate"
        >
          {TILES.map((metric) => (
            <Headline key={metric} metric={metric} {...props} />
          ))}
        </TilesPart>
      )}
    </Shown>
  )
}

function Headline({ metric, state, compared, replies }: PartProps & { readonly metric: (typeof TILES)[number] }) {
  const own = findOwn(replies.brands)
  if (own === undefined) return null
  const { title, sentence } = MEANINGS[metric]
  const { value, low, high, count = 0, of } = toMeasured(own, metric)
  const interval = low === null || high === null ? '' : `, ${toInterval(low, high)}`
  return (
    <Tile
      title={title}
      metric={metric}
      exact={value}
      value={value === null ? '–' : toPercent(value)}
      sentence={sentence(toCount(count), of) + interval}
      href={toUrl(toView(state, 'visibility', toMore(metric)))}
      change={
        compared && (
          <Said of={replies.changes[metric]}>
            {({ rows: [change] }) =>
              change && (
                <>
                  <Verdict change={change} /> from {toShortDay(compared.start_date)} – {toShortDay(compared.end_date)}
                </>
              )
            }
          </Said>
        )
      }
    />
  )
}

const toMore = (metric: Metric): Record<string, string> => (metric === 'mention_rate' ? {} : { metric })
