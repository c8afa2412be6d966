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
}

/** A text to take along, with a button that copies it. */
export function CopyField({ label, name, value, what, hint }: CopyFieldProps) {
  return (
    <div class={hint === undefined ? 'copy-field' : 'copy-field copy-field-hint'}>
      <Field label={label} name={name} value={value} isReadOnly {...(hint === undefined ? {} : { hint })} />
      <Button label={`Copy: ${label}`} onClick={() => void copy(value, what)}>
        Copy
      </Button>
    </div>
  )
}
