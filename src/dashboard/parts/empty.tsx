import type { ComponentChildren } from 'preact'

export interface EmptyProps {
  /** `none`: nothing happened. `not_connected`: nothing was ever given to count. `filtered`: the filters leave nothing. */
  readonly kind: 'none' | 'not_connected' | 'filtered'
  /** `No answers in these days.` */
  readonly title: string
  /** What to do about it. */
  readonly children?: ComponentChildren
}

/** Why there is nothing to see, and what to do. */
export function Empty({ kind, title, children }: EmptyProps) {
  return (
    <div class={`empty empty-${kind}`}>
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="quiet">{children}</div>}
    </div>
  )
}
