import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { LATER } from '../views/later.ts'

type Later = typeof LATER

const loaded = signal<Later | 'missing' | undefined>(undefined)

/** What the dashboard's second script holds: asked for when it is first shown. */
export function LaterPart({ render }: { readonly render: (later: Later) => ComponentChildren }) {
  useEffect(() => {
    if (typeof loaded.value !== 'object') void load()
  }, [])
  if (loaded.value === undefined) return <Skeleton />
  if (loaded.value !== 'missing') return <>{render(loaded.value)}</>
  return (
    <Empty kind="none" title="This part of the dashboard could not be loaded.">
      <p>The service was updated, or can’t be reached.</p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </Empty>
  )
}

async function load(): Promise<void> {
  try {
    loaded.value = (await import('../views/later.ts')).LATER
  } catch {
    loaded.value = 'missing'
  }
}
