import { shownMethod } from '../methods/method-link.tsx'
import type { Method, MethodSection } from '../methods/sections.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { LaterPart } from './later-part.tsx'

const close = (): void => {
  shownMethod.value = undefined
}

/** The dialog of `MethodLink`; once in the page. */
export function MethodDialog() {
  const method = shownMethod.value
  return method === undefined ? null : (
    <LaterPart render={({ methods }) => <Shown method={method} {...methods[method]} />} />
  )
}

function Shown({ method, title, text }: { readonly method: Method } & MethodSection) {
  return (
    <Dialog title={title} isWide onClose={close}>
      <div class="prose">{text()}</div>
      <p>
        <a href={`/methods#${method}`} target="_blank" rel="noopener">
          All of how this is counted
        </a>
      </p>
    </Dialog>
  )
}
