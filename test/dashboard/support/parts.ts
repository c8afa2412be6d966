import type { Page } from 'playwright-core'

/** A part of a page, as a reader sees it at a moment. */
export interface SeenPart {
  /** Its title; of a part without one, what it is. */
  readonly name: string
  /** Every text in it and every exact number, without its controls and the ways to look behind it. */
  readonly texts: readonly string[]
  /** What it says of replies that it doesn't have. */
  readonly alerts: readonly string[]
  /** Whether something in it says that it is on its way. */
  readonly isWaiting: boolean
}

/** Reads the parts of the view. */
export const seeParts = (page: Page): Promise<readonly SeenPart[]> => page.evaluate(`(${SEE})()`)

/** Looks at every frame that the page draws from now on. */
export async function watchParts(page: Page): Promise<void> {
  await page.evaluate(`{
    const see = ${SEE}
    const seen = new Set()
    window.seen = seen
    const look = () => {
      if (window.seen !== seen) return
      for (const part of see()) seen.add(JSON.stringify(part))
      requestAnimationFrame(look)
    }
    look()
  }`)
}

/** Ends it, and gives every state that a part was seen in. */
export async function readSeen(page: Page): Promise<readonly SeenPart[]> {
  const seen = await page.evaluate<readonly string[]>(`(() => {
    const all = [...window.seen]
    window.seen = undefined
    return all
  })()`)
  return seen.map((part) => JSON.parse(part) as SeenPart)
}

const SEE = `() => {
  const PARTS = 'section.panel, .tiles, .in-short, .shown'
  const ASIDE = '.panel-title > :not(h2), footer, svg, .skeleton, [role=alert], .chips, .view-ways, button.sort, select'
  return [...document.querySelectorAll('main :is(' + PARTS + '), main > .empty')].flatMap((part) => {
    // Tiles in a panel, and what keeps its own last state, are parts of their own.
    if (part.matches('.panel .tiles')) return []
    const isOwn = (element) => element.parentElement.closest(PARTS) === part || (element.parentElement === part) ||
      (element.parentElement.closest('.tiles')?.matches('.panel .tiles') && element.parentElement.closest('section.panel, .shown') === part)
    const texts = new Set()
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent.trim()
      if (text !== '' && node.parentElement.closest(ASIDE) === null && isOwn(node)) texts.add(text)
    }
    for (const element of part.querySelectorAll('[data-value]')) {
      if (isOwn(element)) texts.add(element.dataset.metric + ' = ' + element.dataset.value)
    }
    const alerts = [...part.querySelectorAll('[role=alert]')].map((alert) => alert.textContent)
    const title = part.querySelector(':scope > header h2')?.textContent
    const isWaiting = texts.delete('…') | texts.delete('Loading') | (part.querySelector('.skeleton') !== null)
    if (texts.size === 0 && alerts.length === 0) return []
    return [{ name: title ?? part.className, texts: [...texts].sort(), alerts, isWaiting: Boolean(isWaiting) }]
  })
}`
