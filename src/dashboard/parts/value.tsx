import type { ComponentChildren } from 'preact'

export interface ValueProps {
  /** The API's name of what is shown: `hits`, `mention_rate`. */
  readonly metric: string
  /** The exact number; null where there is none. */
  readonly value: number | null | undefined
  /** The number as people read it. */
  readonly children: ComponentChildren
}

/** A number that a program can read off the page, exact as the API gave it. */
export function Value({ metric, value, children }: ValueProps) {
  return (
    <span data-metric={metric} data-value={value ?? ''}>
      {children}
    </span>
  )
}
