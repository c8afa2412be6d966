import type { ComponentChildren } from 'preact'

/** A filter that is on; a click takes it away. */
export function Chip({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <button type="button" class="chip" aria-label={`Remove the filter ${label}`} onClick={onRemove}>
      {label} <span aria-hidden="true">✕</span>
    </button>
  )
}

/** Filters beside each other. */
export function Chips({ children }: { readonly children: ComponentChildren }) {
  return <div class="chips">{children}</div>
}
