import { type ComponentChildren, render, type VNode } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

export interface DialogProps {
  readonly title: string
  /** Escape, the button and a click beside the dialog call it. Whoever shows the dialog takes it away. */
  readonly onClose: () => void
  /** Room for a text to read, or for a table. */
  readonly isWide?: boolean | undefined
  readonly children: ComponentChildren
}

/** A native modal dialog, open while it is rendered. The focus goes back to where it was. */
export function Dialog({ title, onClose, isWide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
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
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="button button-quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Shows a dialog that belongs to no part of the page, until it is closed. */
export function openDialog(toDialog: (close: () => void) => VNode): void {
  const root = document.createElement('div')
  const close = (): void => {
    render(null, root)
    root.remove()
  }
  document.body.append(root)
  render(toDialog(close), root)
}
