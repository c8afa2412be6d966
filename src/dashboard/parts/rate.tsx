import { toCount, toInterval, toPercent } from '../format.ts'

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
  if (share === undefined || share === null || of === 0) return <span class="quiet">no answers</span>
  return (
    <span class="rate" data-metric={metric} data-value={share}>
      <b>{toPercent(share)}</b> <Basis count={count} of={of} low={low} high={high} />
    </span>
  )
}

/** What a share stands on: `412 of 1,440, 26–31 %`. */
function Basis({ count, of, low, high }: Omit<RateProps, 'share' | 'metric'>) {
  const counts =
    of === undefined ? [] : [count === undefined ? `n = ${toCount(of)}` : `${toCount(count)} of ${toCount(of)}`]
  const interval = typeof low === 'number' && typeof high === 'number' ? [toInterval(low, high)] : []
  return <small class="basis">{[...counts, ...interval].join(', ')}</small>
}
