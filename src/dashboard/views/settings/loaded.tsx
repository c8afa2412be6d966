import type { ComponentChildren } from 'preact'
import { Refused } from '../../parts/refused.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import type { Loading } from '../../use-reply.ts'

export interface LoadedProps<T> {
  readonly of: Loading<T>
  readonly children: (value: T) => ComponentChildren
}

/** What was asked for, or why it isn't there. */
export function Loaded<T>({ of: { value, refusal }, children }: LoadedProps<T>) {
  if (refusal !== undefined) return <Refused refusal={refusal} />
  return value === undefined ? <Skeleton /> : <>{children(value)}</>
}
