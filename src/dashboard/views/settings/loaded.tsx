import type { ComponentChildren } from 'preact'
import { Shown } from '../../parts/shown.tsx'
import type { Loading } from '../../use-reply.ts'

export interface LoadedProps<T> {
  readonly of: Loading<T>
  readonly children: (value: T) => ComponentChildren
}

/** What was asked for, or why it isn't there. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  return <Shown of={[of]}>{() => of.value !== undefined && children(of.value)}</Shown>
}
