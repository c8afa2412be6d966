import { toCount, toInterval, toPercent, toShortDay } from '../../format.ts'
import { MEANINGS, type Metric, toMeasured } from '../../metrics.ts'
import { Tile, Tiles } from '../../parts/tile.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import { toUrl, toView } from '../../url-state.ts'
import type { PartProps } from './part-props.ts'
import { TILES } from './questions.ts'
import { findOwn } from './use-overview.ts'

/** The four headline numbers, each a sentence with its counts, its interval and whether it changed. */
export function Headlines(props: PartProps) {
  const { replies } = props
  if (replies.brands.refusal !== undefined) return <Refused refusal={replies.brands.refusal} />
  if (replies.brands.value === undefined) return <Skeleton kind="tiles" />
  return (
    <Tiles title="In numbers">
      {TILES.map((metric) => (
        <Headline key={metric} metric={metric} {...props} />
      ))}
    </Tiles>
  )
}

function Headline({ metric, state, compared, replies }: PartProps & { readonly metric: (typeof TILES)[number] }) {
  const own = findOwn(replies.brands)
  if (own === undefined) return null
  const { title, sentence } = MEANINGS[metric]
  const { value, low, high, count = 0, of } = toMeasured(own, metric)
  const interval = low === null || high === null ? '' : `, ${toInterval(low, high)}`
  const change = replies.changes[metric].value?.rows[0]
  return (
    <Tile
      title={title}
      metric={metric}
      exact={value}
      value={value === null ? '–' : toPercent(value)}
      sentence={sentence(toCount(count), of) + interval}
      href={toUrl(toView(state, 'visibility', toMore(metric)))}
      change={
        compared &&
        change && (
          <>
            <Verdict change={change} /> from {toShortDay(compared.start_date)} – {toShortDay(compared.end_date)}
          </>
        )
      }
    />
  )
}

const toMore = (metric: Metric): Record<string, string> => (metric === 'mention_rate' ? {} : { metric })
