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
