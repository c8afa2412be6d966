import { useEffect, useRef } from 'preact/hooks'
import { redraw } from '../redraw.ts'

const SHOWN_MS = 6_000

interface Line {
  readonly key: number
  readonly text: string
}

let lines: readonly Line[] = []
let said = 0
/** The page's `Toasts`, then those of each open dialog: beside a modal dialog nothing is seen or heard. */
const places: object[] = []

/** Says for a while, and aloud, that something was done: `Copied.` */
export function toast(text: string): void {
  said += 1
  const line = { key: said, text }
  lines = [...lines, line]
  redraw()
  setTimeout(() => {
    lines = lines.filter((one) => one !== line)
    redraw()
  }, SHOWN_MS)
}

/** Copies, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`${what} copied.`)
  } catch {
    toast('The browser lets nothing be copied here.')
  }
}

/** Where toasts appear: once in the page, and in each dialog. The last one that is there shows them. */
export function Toasts() {
  const place = useRef({}).current
  useEffect(() => {
    places.push(place)
    redraw()
    return () => {
      places.splice(places.indexOf(place), 1)
      redraw()
    }
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {places.at(-1) === place && lines.map(({ key, text }) => <p key={key}>{text}</p>)}
    </div>
  )
}
