import { useLayoutEffect, useState } from 'preact/hooks'

const REDRAW = 'redraw'

/** Renders the page anew, after a change of what no component holds: the place, the session, the theme, kept replies, toasts, dialogs. */
export function redraw(): void {
  document.dispatchEvent(new Event(REDRAW))
}

/** Has a component, and all below it, follow `redraw`. For the root: who reads such a thing while rendering need do no more. */
export function useRedraw(): void {
  const [, render] = useState({})
  useLayoutEffect(() => {
    const again = (): void => render({})
    document.addEventListener(REDRAW, again)
    return () => document.removeEventListener(REDRAW, again)
  }, [])
}
