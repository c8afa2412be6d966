import { signal } from '@preact/signals'

const shown = signal<readonly { readonly id: number; readonly text: string }[]>([])
const SHOWN_MS = 6_000
let next = 0

/** Says for a while, and aloud, that something was done: `Copied.` */
export function toast(text: string): void {
  const id = next++
  shown.value = [...shown.value, { id, text }]
  setTimeout(() => {
    shown.value = shown.value.filter((one) => one.id !== id)
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

/** Where toasts appear; once in the page. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
