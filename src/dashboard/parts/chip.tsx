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

export interface SegmentsProps<Value extends string> {
  /** What is chosen: `By`. */
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly title: string }[]
  readonly onPick: (value: Value) => void
}

/** One of two to five, side by side. */
export function Segments<Value extends string>({ label, value, options, onPick }: SegmentsProps<Value>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onPick(option.value)}
        >
          {option.title}
        </button>
      ))}
    </div>
  )
}
