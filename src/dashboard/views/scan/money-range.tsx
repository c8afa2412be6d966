import { toMoneyRange } from '../../format.ts'
import { Value } from '../../parts/value.tsx'

interface MoneyRangeProps {
  /** The API's name of both, without `_low` and `_high`: `open.cost_usd`. */
  readonly metric: string
  readonly low: number
  readonly high: number
}

/** What something costs at least and at most. */
export function MoneyRange({ metric, low, high }: MoneyRangeProps) {
  return (
    <Value metric={`${metric}_low`} value={low}>
      <Value metric={`${metric}_high`} value={high}>
        {toMoneyRange(low, high)}
      </Value>
    </Value>
  )
}
