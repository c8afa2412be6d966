import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Skeleton } from '../parts/skeleton.tsx'

/** Makes a component for what comes after the page, asked for when it is first shown. */
export function createLaterPart<Part extends object>(load: () => Promise<Part>) {
  const loaded = signal<Part | 'missing' | undefined>(undefined)
  const ask = async (): Promise<void> => {
    try {
      loaded.value = await load()
    } catch {
      loaded.value = 'missing'
    }
  }
  return function LaterPart({ render }: { readonly render: (part: Part) => ComponentChildren }) {
    useEffect(() => {
      if (typeof loaded.value !== 'object') void ask()
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
}
