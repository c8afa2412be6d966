import { signal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { type Method, METHODS } from './sections.tsx'

const shown = signal<Method | undefined>(undefined)

/** Opens a section of the methods over the view, or, in a tab of its own, the page. */
export function MethodLink({ method }: { readonly method: Method }) {
  return (
    <a
      href={`/methods#${method}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        shown.value = method
      }}
    >
      How this is counted
    </a>
  )
}

/** The dialog of `MethodLink`; once in the page. */
export function MethodDialog() {
  const method = shown.value
  if (method === undefined) return null
  const { title, text } = METHODS[method]
  return (
    <Dialog
      title={title}
      isWide
      onClose={() => {
        shown.value = undefined
      }}
    >
      <div class="prose">{text()}</div>
      <p>
        <a href={`/methods#${method}`} target="_blank" rel="noopener">
          All of how this is counted
        </a>
      </p>
    </Dialog>
  )
}
