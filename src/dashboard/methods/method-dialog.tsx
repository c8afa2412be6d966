import { StandIn } from '../parts/later-part.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { toPageUrl } from '../url-state.ts'
import type { Method } from './anchors.ts'
import { MethodText, useMethodSections } from './method-sections.tsx'

/** A section of the methods. */
export function MethodDialog({ method, onClose }: { readonly method: Method; readonly onClose: () => void }) {
  const sections = useMethodSections()
  const section = sections?.find(({ anchor }) => anchor === method)
  return (
    <Dialog title={section?.title ?? 'How this is counted'} isWide onClose={onClose}>
      <div class="prose">
        {section ? <MethodText text={section.text} /> : <StandIn isMissing={sections !== undefined} />}
      </div>
      <p>
        <a href={`${toPageUrl('/methods', location)}#${method}`} target="_blank" rel="noopener">
          All of how this is counted
        </a>
      </p>
    </Dialog>
  )
}
