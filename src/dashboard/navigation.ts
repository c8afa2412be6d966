import { closeDialogs } from './open-dialogs.tsx'
import { redraw } from './redraw.ts'
import { parseUrl, toUrl, type ViewState, withChange } from './url-state.ts'

/** Follows the browser's own back and forward, and clicks on links of the dashboard. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    closeDialogs()
    redraw()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target !== '') return
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.hasAttribute('download') || link.hash !== '') return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}

/** Shows another page; `replace` leaves no step for the browser's back, and neither does the page that is shown already. */
export function go(url: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const { pathname, search } = location
  history[replace || url === pathname + search ? 'replaceState' : 'pushState'](null, '', url)
  if (location.pathname !== pathname) closeDialogs()
  redraw()
}

/**
 * Changes what the filter bar or a view says, in what the address says now: a part that still shows an older reply was drawn
 * before. What one chooses is a step that the browser's back takes back: a filter, an order, a page, a card that is opened. What
 * changes while one goes on, letter by letter in a search field or answer by answer with `j` and `k`, replaces.
 */
export function changeUrl(changed: Partial<ViewState>, options?: { readonly replace?: boolean }): void {
  const state = parseUrl(location)
  if (state !== undefined) go(toUrl(withChange(state, changed)), options)
}
