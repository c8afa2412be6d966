import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Refusal } from '../api.ts'
import { toRefusalLines } from '../refusal-words.ts'
import type { Loading } from '../use-reply.ts'
import { Refused } from './refused.tsx'
import { Skeleton } from './skeleton.tsx'

type Replies = readonly Loading<unknown>[]

/** Why one of several isn't there. */
export const findRefusal = (of: Replies): Refusal | undefined =>
  of.find(({ refusal }) => refusal !== undefined)?.refusal

/** Whether any is on its way. */
export const isBusy = (of: Replies): boolean => of.some(({ isLoading }) => isLoading)

/** Whether any is on its way that was never there. */
export const isBlank = (of: Replies): boolean => of.some(({ isLoading, value }) => isLoading && value === undefined)

/**
 * What to show of replies: as it is now, or, while one of them is on its way, as it was when all of them were there last.
 * `needed` are those without which nothing is shown; a refusal of one forgets what was there.
 */
export function useLastShown<T>(now: T, of: Replies, needed: Replies = of): T {
  const last = useRef<{ readonly shown: T } | undefined>(undefined)
  if (findRefusal(needed) !== undefined) last.current = undefined
  else if (!isBusy(of)) last.current = { shown: now }
  return last.current?.shown ?? now
}

export interface ShownProps {
  /** The replies that it is made of: nothing is shown before they are there, and why one isn't. */
  readonly of: Replies
  /** Others that it reads, and of which it says itself, by `Said`, that they aren't there. */
  readonly later?: Replies
  readonly skeleton?: 'chart' | 'table' | 'tiles'
  readonly children: () => ComponentChildren
}

/** What is made of replies outside of a panel; like one it keeps what it showed until newer ones are there. */
export function Shown({ of, later = [], skeleton = 'table', children }: ShownProps) {
  const all = [...of, ...later]
  const refusal = findRefusal(of)
  const isReady = refusal === undefined && !isBlank(of)
  const shown = useLastShown(isReady ? children() : undefined, all, of)
  if (refusal !== undefined) return <Refused refusal={refusal} />
  if (shown === undefined) return <Skeleton kind={skeleton} />
  return (
    <div class="shown" aria-busy={isBusy(all)}>
      {shown}
    </div>
  )
}

export interface SaidProps<T> {
  readonly of: Loading<T>
  readonly children: (value: T) => ComponentChildren
}

/** A piece of text out of a reply: `…` until it is there, and why it isn't where it is refused. */
export function Said<T>({ of: { value, refusal, isLoading }, children }: SaidProps<T>) {
  if (refusal !== undefined) return <span role="alert">{toRefusalLines(refusal).join(' ')}</span>
  if (value === undefined) return isLoading ? <>…</> : null
  return <>{children(value)}</>
}
