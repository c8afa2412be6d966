/** What has the focus, then all that it stands in, from there outwards; empty where nobody put it anywhere. */
let standsIn: readonly Element[] = []
/** Whether keys put it there, so that its reader has to see where it is. */
let isByKeys = false

/** What is named by the first heading in it. */
const PARTS = 'li, section, dialog, main'
const HEADINGS = 'h1, h2, h3, h4'

/**
 * Keeps the focus from falling out of the page: when what has it goes, is hidden or is switched off, at once or with a later
 * reply, the heading of the nearest part around it takes it.
 */
export function keepFocus(page: Element): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    standsIn = listFrom(target)
    isByKeys = target.matches(':focus-visible')
  })
  // What is pressed must not move away before the click, when a menu closes by then that had the focus.
  document.addEventListener('pointerdown', () => (isByKeys = false), { capture: true })
  const observer = new MutationObserver(() => {
    if (isLost()) giveBack()
  })
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null) return
    queueMicrotask(() => {
      if (!isLost()) return
      // A click beside everything takes it away, and changes nothing of the page by itself.
      if (observer.takeRecords().length > 0 || standsIn[0]?.checkVisibility() === false) giveBack()
      else standsIn = []
    })
  })
  observer.observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}

function listFrom(inner: Element): readonly Element[] {
  const found: Element[] = []
  for (let at: Element | null = inner; at !== null; at = at.parentElement) found.push(at)
  return found
}

function isLost(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.matches(':disabled') || !focused.checkVisibility()
}

function giveBack(): void {
  if (standsIn.length === 0) return
  const parts = standsIn.filter((one) => one.checkVisibility() && one.matches(PARTS))
  for (const part of [...parts, document.querySelector('main')]) {
    const heading = part?.querySelector<HTMLElement>(HEADINGS)
    if (!heading) continue
    heading.tabIndex = -1
    heading.addEventListener('blur', takeOff)
    heading.focus({ preventScroll: !isByKeys })
    if (document.activeElement === heading) return
  }
}

/** Leaves a heading as it was. When the whole window loses the focus, the heading still has it once the window is back. */
function takeOff({ currentTarget }: Event): void {
  if (currentTarget instanceof Element && currentTarget !== document.activeElement) {
    currentTarget.removeAttribute('tabindex')
  }
}
