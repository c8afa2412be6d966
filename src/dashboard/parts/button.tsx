import type { ComponentChildren } from 'preact'

export interface ButtonProps {
  /** `primary`: the one thing to do here. `danger`: can't be taken back. */
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly type?: 'button' | 'submit'
  /** Shown as busy, and clicks do nothing. */
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  readonly isPressed?: boolean
  /** What it does, where the text alone doesn't say it. */
  readonly label?: string
  readonly onClick?: () => void
  readonly children: ComponentChildren
}

export function Button({
  kind = 'plain',
  type = 'button',
  isBusy,
  isDisabled,
  isPressed,
  label,
  onClick,
  children,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button button-${kind}`}
      disabled={isDisabled}
      aria-disabled={isBusy}
      aria-busy={isBusy}
      aria-pressed={isPressed}
      aria-label={label}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  )
}
