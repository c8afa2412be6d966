import { signal } from '@preact/signals'
import type { Method } from './anchors.ts'

/** The section that is open over the view. */
export const shownMethod = signal<Method | undefined>(undefined)

/** Opens a section of the methods over the view, or, in a tab of its own, the page. */
export function MethodLink({ method }: { readonly method: Method }) {
  return (
    <a
      href={`/methods#${method}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        shownMethod.value = method
      }}
    >
      How this is counted
    </a>
  )
}
