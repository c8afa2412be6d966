import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { Toasts } from './toast.tsx'

export interface DialogProps {
  readonly title: string
  /** Escape, the button and a click beside the dialog call it. Whoever shows the dialog takes it away. */
  readonly onClose: () => void
  /** Room for a text to read, or for a table. */
  readonly isWide?: boolean | undefined
  /** It stays: something is under way in it whose outcome it will show. */
  readonly isHeld?: boolean
  readonly children: ComponentChildren
}

/** A native modal dialog, open while it is rendered. The focus goes back to where it was. */
export function Dialog({ title, onClose, isWide, isHeld = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // A press in a field that is let go beside the dialog clicks on the dialog.
  const pressed = useRef<EventTarget | null>(null)
  const leave = (): void => {
    if (!isHeld) onClose()
  }
  const id = useId()
  // Not after the next frame: the focus is where it was as soon as the dialog is gone.
  useLayoutEffect(() => {
    const before = document.activeElement
    const shown = dialog.current
    shown?.showModal()
    return () => {
      shown?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // Also what a file field says, from which no file was picked.
        if (event.target !== dialog.current) return
        event.preventDefault()
        leave()
      }}
      onClose={() => {
        // A browser lets `cancel` be prevented once; the next Escape closes.
        if (isHeld) dialog.current?.showModal()
      }}
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={(event) => {
        if (event.target === dialog.current && pressed.current === dialog.current) leave()
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" label="Close" isBusy={isHeld} onClick={leave}>
            ✕
          </Button>
        </header>
        {children}
      </div>
      <Toasts />
    </dialog>
  )
}
