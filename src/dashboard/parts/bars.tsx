import type { ComponentChildren } from 'preact'
import { Pick } from './pick.tsx'

export interface Bar {
  readonly key: string
  readonly label: ComponentChildren
  /** Null where there are no data. */
  readonly value: number | null
  /** What the value stands on: `412 of 1,440`. */
  readonly basis?: ComponentChildren
  /** The interval, drawn as a whisker. */
  readonly low?: number | null | undefined
  readonly high?: number | null | undefined
  readonly isOwn?: boolean
  /** Where a click leads, or what it changes here. */
  readonly to?: string | (() => void)
}

export interface BarsProps {
  /** Says what is compared. */
  readonly caption: string
  readonly bars: readonly Bar[]
  readonly format: (value: number) => string
  /** What the values are, as the API names it; the page says it with each exact value. */
  readonly metric?: string
  /** What a full bar is; the greatest value unless given. */
  readonly max?: number
}

/** Horizontal bars with their numbers. */
export function Bars({ caption, bars, format, metric, max }: BarsProps) {
  const full = max ?? Math.max(Number.MIN_VALUE, ...bars.map(({ value, high }) => high ?? value ?? 0))
  return (
    <ul class="bars" aria-label={caption}>
      {bars.map((bar) => (
        <li key={bar.key} data-key={bar.key} class={bar.isOwn ? 'own' : undefined}>
          <span class="bar-label">
            <Pick to={bar.to}>{bar.label}</Pick>
          </span>
          <svg class="bar" width="100%" height="10" aria-hidden="true">
            <rect class="bar-track" width="100%" height="10" rx="2" />
            <rect class="bar-fill" width={toShare(bar.value, full)} height="10" rx="2" />
            {typeof bar.low === 'number' && typeof bar.high === 'number' && (
              <line class="bar-whisker" x1={toShare(bar.low, full)} x2={toShare(bar.high, full)} y1="5" y2="5" />
            )}
          </svg>
          <span class="bar-value" data-metric={metric} data-value={bar.value}>
            {bar.value === null ? 'no data' : format(bar.value)}
            {bar.basis !== undefined && <small class="basis">{bar.basis}</small>}
          </span>
        </li>
      ))}
    </ul>
  )
}

const toShare = (value: number | null, full: number): string =>
  `${Math.min(100, Math.max(0, ((value ?? 0) / full) * 100)).toFixed(2)}%`
