import { Fragment, type VNode } from 'preact'
import { redraw } from './redraw.ts'

interface OpenDialog {
  readonly key: number
  readonly draw: () => VNode
  readonly close: () => void
}

let open: readonly OpenDialog[] = []
let opened = 0

/** Shows a dialog that belongs to no part of the page, and gives what it was closed with; undefined when it is left. */
export function openDialog<T>(toDialog: (close: (outcome?: T) => void) => VNode): Promise<T | undefined> {
  opened += 1
  const key = opened
  return new Promise((resolve) => {
    const close = (outcome?: T): void => {
      open = open.filter((one) => one.key !== key)
      resolve(outcome)
      redraw()
    }
    open = [...open, { key, draw: () => toDialog(close), close }]
    redraw()
  })
}

/** Leaves all that `openDialog` shows, before another page is shown. */
export function closeDialogs(): void {
  for (const { close } of open) close()
}

/** Where they are shown; once in the page. */
export function OpenDialogs() {
  return (
    <>
      {open.map(({ key, draw }) => (
        <Fragment key={key}>{draw()}</Fragment>
      ))}
    </>
  )
}
