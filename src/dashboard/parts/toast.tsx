const SHOWN_MS = 6_000

/** Says for a while, and aloud, that something was done: `Copied.` */
export function toast(text: string): void {
  const line = document.createElement('p')
  line.textContent = text
  document.querySelector('.toasts')?.append(line)
  setTimeout(() => line.remove(), SHOWN_MS)
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
  return <div class="toasts" role="status" aria-live="polite" />
}
