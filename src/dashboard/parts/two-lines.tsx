import type { ComponentChildren } from 'preact'

export interface TwoLinesProps {
  /** The small line; there is none where it is null. */
  readonly below: string | null
  readonly children: ComponentChildren
}

/** What a cell says, with a small quiet line below it. */
export const TwoLines = ({ below, children }: TwoLinesProps) => (
  <>
    {children}
    {below !== null && <small class="quiet block">{below}</small>}
  </>
)
