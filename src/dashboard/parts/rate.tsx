import type { Schemas } from '../../client/client.ts'
import { toCount, toInterval, toPercent } from '../format.ts'
import { type Metric, toMeasured } from '../metrics.ts'

export interface RateProps {
  /** What it is a rate of, as the API names it; the page says it with the exact value. */
  readonly metric?: string | undefined
  /** From 0 to 1; undefined or null where nothing was asked. */
  readonly share: number | null | undefined
  /** So many of `of` have what is counted. */
  readonly count?: number | undefined
  readonly of?: number | undefined
  /** The ends of the interval. */
  readonly low?: number | null | undefined
  readonly high?: number | null | undefined
}

/** A share with what it stands on: `29 %` and, smaller, `412 of 1,440, 26–31 %`. */
export function Rate({ metric, share, count, of, low, high }: RateProps) {
  if (share === undefined || share === null || of === 0) {
    return <span class="quiet">{metric === 'share_of_voice' ? 'no mentions' : 'no answers'}</span>
  }
  return (
    <span class="rate" data-metric={metric} data-value={share}>
      <b>{toPercent(share)}</b> <Basis count={count} of={of} low={low} high={high} />
    </span>
  )
}

/** The same of a row of the visibility report that was asked for with `toRequested`. */
export function RateOf({ row, metric }: { readonly row: Schemas['VisibilityRow']; readonly metric: Metric }) {
  const { value, ...basis } = toMeasured(row, metric)
  return <Rate metric={metric} share={value} {...basis} />
}

/** What a share stands on: `412 of 1,440, 26–31 %`. */
function Basis({ count, of, low, high }: Omit<RateProps, 'share' | 'metric'>) {
  const counts =
    of === undefined ? [] : [count === undefined ? `n = ${toCount(of)}` : `${toCount(count)} of ${toCount(of)}`]
  const interval = typeof low === 'number' && typeof high === 'number' ? [toInterval(low, high)] : []
  return <small class="basis">{[...counts, ...interval].join(', ')}</small>
}
