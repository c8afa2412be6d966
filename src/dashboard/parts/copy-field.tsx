import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { copy } from './toast.tsx'

export interface CopyFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  /** What the toast says was copied: `The key`. */
  readonly what: string
  readonly hint?: string
  /** Has the focus when its dialog appears, so that no key pressed once too often closes that. */
  readonly isFirst?: boolean
}

/** A text to take along, with a button that copies it. */
export function CopyField({ label, name, value, what, hint, isFirst = false }: CopyFieldProps) {
  return (
    <div class={hint === undefined ? 'copy-field' : 'copy-field copy-field-hint'}>
      <Field
        label={label}
        name={name}
        value={value}
        isFirst={isFirst}
        isReadOnly
        {...(hint === undefined ? {} : { hint })}
      />
      <Button label={`Copy: ${label}`} onClick={() => void copy(value, what)}>
        Copy
      </Button>
    </div>
  )
}
