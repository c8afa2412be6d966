import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

export interface MenuProps {
  /** What stands on the button. */
  readonly title: ComponentChildren
  /** What it is, where the title alone doesn't say it. */
  readonly label?: string
  readonly kind?: 'plain' | 'quiet'
  /** Opens to the left, at the right edge of the page. */
  readonly isEnd?: boolean
  /** Shown as busy, and clicks do nothing. */
  readonly isBusy?: boolean
  /** Links, buttons or a form; `close` closes the menu and gives the focus back. */
  readonly children: (close: () => void) => ComponentChildren
}

/** A button that opens a small panel below it. Escape, a click beside it and the focus leaving it close it. */
export function Menu({ title, label, kind = 'plain', isEnd, isBusy, children }: MenuProps) {
  const [isOpen, open] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = (): void => {
    open(false)
    button.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event): void => {
      if (event.target instanceof Node && !whole.current?.contains(event.target)) open(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen])
  return (
    <div
      class="menu"
      ref={whole}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        close()
      }}
    >
      <button
        type="button"
        class={`button button-${kind} menu-button`}
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={label}
        aria-disabled={isBusy}
        aria-busy={isBusy}
        onClick={() => {
          if (!isBusy) open(!isOpen)
        }}
      >
        {title}
      </button>
      {isOpen && (
        <div class={`menu-panel${isEnd ? ' menu-end' : ''}`} id={id}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
