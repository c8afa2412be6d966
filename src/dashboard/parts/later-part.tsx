import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { Skeleton } from './skeleton.tsx'

/**
 * Makes a hook for what comes after the page, asked for when it is first used: undefined until it is there, null where it
 * can't be had.
 */
export function createLater<Part>(load: () => Promise<Part>): () => Part | null | undefined {
  let loaded: Part | undefined
  return function useLater() {
    const [part, show] = useState<Part | null | undefined>(loaded)
    useEffect(() => {
      if (part !== undefined) return
      load().then(
        (now) => show((loaded = now)),
        () => show(null),
      )
    }, [])
    return part
  }
}

/** Makes a component that shows what comes after the page, and `StandIn` until then. */
export function createLaterPart<Part>(load: () => Promise<Part>) {
  const useLater = createLater(load)
  return function LaterPart({ render }: { readonly render: (part: Part) => ComponentChildren }) {
    const part = useLater()
    return part ? <>{render(part)}</> : <StandIn isMissing={part === null} />
  }
}

/** What stands in the place of what isn't there yet, or can't be had. */
export function StandIn({ isMissing }: { readonly isMissing: boolean }) {
  if (!isMissing) return <Skeleton />
  return (
    <Empty kind="none" title="This part of the dashboard could not be loaded.">
      <p>The service was updated, or can’t be reached.</p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </Empty>
  )
}
