import { openDialog } from '../open-dialogs.tsx'
import { toPageUrl } from '../url-state.ts'
import type { Method } from './anchors.ts'
import { MethodDialog } from './method-dialog.tsx'

/** Opens a section of the methods over the view, or, in a tab of its own, the page. */
export function MethodLink({ method }: { readonly method: Method }) {
  return (
    <a
      href={`${toPageUrl('/methods', location)}#${method}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void openDialog((close) => <MethodDialog method={method} onClose={close} />)
      }}
    >
      How this is counted
    </a>
  )
}
