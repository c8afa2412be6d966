import type { Page } from 'playwright-core'

/** A number that a page shows by `parts/value.tsx`. */
export interface ShownValue {
  /** The title of the panel or dialog. */
  readonly where: string
  /** `data-key` of its row or line; empty where it is of the whole. */
  readonly key: string
  /** The head of its column, or the term of its fact. */
  readonly label: string
  readonly metric: string
  /** Exact; null where there is none. */
  readonly value: number | null
  /** What is read. */
  readonly text: string
}

/** All such numbers of the page and of the dialog over it, in their order. */
export const readValues = (page: Page): Promise<readonly ShownValue[]> => page.evaluate<ShownValue[]>(READ)

const READ = `[...document.querySelectorAll('main [data-metric], dialog [data-metric]')].map((element) => {
  const { metric, value } = element.dataset
  const cell = element.closest('td')
  const head = cell?.closest('table').querySelectorAll('thead th')[cell.cellIndex]
  const term = element.closest('dd')?.parentElement.querySelector('dt')
  return {
    where: (element.closest('dialog') ?? element.closest('section.panel')).querySelector('h2').textContent,
    key: element.closest('[data-key]')?.dataset.key ?? '',
    label: (head ?? term)?.textContent ?? '',
    metric,
    value: value === '' ? null : Number(value),
    text: element.textContent,
  }
})`

/** Words with a digit that have no exact value, without the texts that are no numbers: days, names, reasons. */
export async function listBareNumbers(page: Page, others: readonly string[]): Promise<readonly string[]> {
  const text = await page.evaluate<string>(`[...document.querySelectorAll('main section.panel')].map((panel) => {
    const copy = panel.cloneNode(true)
    for (const value of copy.querySelectorAll('dialog, [data-metric]')) value.remove()
    for (const element of copy.querySelectorAll('*')) element.append(' ')
    return copy.textContent
  }).join(' ')`)
  const rest = others
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, other) => (other === '' ? left : left.replaceAll(other, ' ')), text)
  return rest.match(/\S*\d\S*/g) ?? []
}
