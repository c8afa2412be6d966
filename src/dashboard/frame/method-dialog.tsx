import { shownMethod } from '../methods/method-link.tsx'
import { MethodSections, MethodText } from '../methods/method-sections.tsx'
import { Dialog } from '../parts/dialog.tsx'

const close = (): void => {
  shownMethod.value = undefined
}

/** The dialog of `MethodLink`; once in the page. */
export function MethodDialog() {
  const method = shownMethod.value
  if (method === undefined) return null
  return (
    <MethodSections
      render={(sections) => {
        const section = sections.find(({ anchor }) => anchor === method)
        return (
          section && (
            <Dialog title={section.title} isWide onClose={close}>
              <div class="prose">
                <MethodText text={section.text} />
              </div>
              <p>
                <a href={`/methods#${method}`} target="_blank" rel="noopener">
                  All of how this is counted
                </a>
              </p>
            </Dialog>
          )
        )
      }}
    />
  )
}
