import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface FieldProps {
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'date'
  readonly name: string
  readonly value: string
  readonly onInput?: (value: string) => void
  /** What to put in, below the field. */
  readonly hint?: string
  /** What is wrong, below the field; said aloud. */
  readonly fault?: string | undefined
  readonly autocomplete?: 'username' | 'current-password' | 'new-password' | 'off'
  readonly isRequired?: boolean
  readonly isReadOnly?: boolean
  /** Has the focus when its form appears. */
  readonly isFirst?: boolean
  readonly lengthMin?: number
  readonly min?: string
  readonly max?: string
  readonly step?: string
}

/** One line of input with its label. */
export function Field(props: FieldProps) {
  const { label, type = 'text', name, value, onInput, hint, fault, autocomplete = 'off', isFirst } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // Not after the next frame: one types as soon as the form is there.
  useLayoutEffect(() => {
    if (isFirst !== true || input.current === null) return
    // A dialog that opens after this gives the focus to what has the attribute.
    input.current.autofocus = true
    input.current.focus()
  }, [])
  const about = fault ?? hint
  // Preact types the attributes of each kind of input apart; those set here are the same for all.
  const typed: { readonly type: 'text' } = { type: type as 'text' }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...typed}
        name={name}
        value={value}
        autocomplete={autocomplete}
        required={props.isRequired}
        readOnly={props.isReadOnly}
        minLength={props.lengthMin}
        min={props.min}
        max={props.max}
        step={props.step}
        ref={input}
        aria-invalid={fault !== undefined}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
      {about !== undefined && (
        <p
          id={`${id}-about`}
          class={fault === undefined ? 'quiet' : 'fault'}
          role={fault === undefined ? undefined : 'alert'}
        >
          {about}
        </p>
      )}
    </div>
  )
}

/** The password of an account. */
export function PasswordField(props: Omit<FieldProps, 'label' | 'type' | 'name' | 'isRequired'>) {
  return <Field {...props} label="Password" type="password" name="password" isRequired />
}

export interface TextAreaProps extends Pick<FieldProps, 'label' | 'name' | 'value' | 'onInput' | 'hint'> {
  /** Lines that are seen at first; 3 unless given. */
  readonly rows?: number
}

/** Several lines of input with their label. */
export function TextArea({ label, name, value, onInput, hint, rows = 3 }: TextAreaProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-about`}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-about`} class="quiet">
          {hint}
        </p>
      )}
    </div>
  )
}

export interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly title: string }[]
  readonly onPick: (value: Value) => void
}

/** One of a few. */
export function Select<Value extends string>({ label, value, options, onPick }: SelectProps<Value>) {
  return (
    <label class="select">
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  )
}

const PAUSE_MS = 250

/** A field to search in what is shown; calls back when the reader pauses. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}) {
  const [typed, type] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(value)
  useEffect(() => {
    // What comes back is what was sent: the reader may have typed on.
    if (value !== sent.current) type(value)
    sent.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      type="search"
      class="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onInput={(event) => {
        const text = event.currentTarget.value
        type(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => {
          sent.current = text
          onSearch(text)
        }, PAUSE_MS)
      }}
    />
  )
}
