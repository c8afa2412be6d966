import type { Page } from 'playwright-core'

/** A number that a page shows. */
export interface ShownNumber {
  /** The index of its panel in `ShownPage.panels`; -1 outside of all. */
  readonly panel: number
  /** The API's name of it; null of a table's cell that doesn't say it. */
  readonly metric: string | null
  /** `data-value`, empty where there is none to show; null of a cell that has only its text. */
  readonly value: string | null
  /** What is read, without what the number stands on. */
  readonly text: string
  /** What it stands on: `412 of 1,440, 26–31%`. */
  readonly basis: string
  /** What it belongs to: the keys of the elements around it, and the head of its column. */
  readonly keys: readonly string[]
  readonly head: string
  /** The heads of all columns of its table. */
  readonly beside: readonly string[]
}

/** What a page shows, and what of it the reader can take to a shell. */
export interface ShownPage {
  readonly panels: readonly { readonly title: string; readonly curl: string; readonly hasNumbers: boolean }[]
  /** As the view begins. */
  readonly figures: readonly ShownNumber[]
  /** With every panel switched to its numbers. */
  readonly tables: readonly ShownNumber[]
}

/** Keeps what the page copies; runs before the page's own script. */
export async function keepCopies(page: Page): Promise<void> {
  await page.addInitScript(`
    window.copied = []
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void window.copied.push(text) } })
  `)
}

/** Reads all numbers of the page, those of its tables too, and leaves it as it was. */
export function readPage(page: Page): Promise<ShownPage> {
  return page.evaluate<ShownPage>(READ)
}

const READ = `(async () => {
  const sections = [...document.querySelectorAll('section.panel')]
  const ways = (section, title) => [...section.querySelectorAll(':scope > footer button')].find((one) => one.textContent === title)
  const panelOf = (element) => sections.indexOf(element.closest('section.panel'))
  const keysOf = (element) => {
    const keys = []
    for (let one = element; one !== null; one = one.parentElement) if (one.dataset?.key) keys.push(one.dataset.key)
    return keys
  }
  const headsOf = (element) => [...element.closest('table')?.querySelectorAll('thead th') ?? []].map((head) => head.textContent)
  const headOf = (element) => headsOf(element)[element.closest('td')?.cellIndex] ?? ''
  const BASIS = '.basis, small'
  const textOf = (element) => {
    const copy = element.cloneNode(true)
    for (const part of copy.querySelectorAll(BASIS)) part.remove()
    return copy.textContent
  }
  const read = (element, metric, value) => ({
    panel: panelOf(element),
    metric,
    value,
    text: textOf(element),
    basis: [...element.querySelectorAll(BASIS)].map((part) => part.textContent).join(' '),
    keys: keysOf(element),
    head: headOf(element),
    beside: headsOf(element),
  })
  const readAll = () => [
    ...[...document.querySelectorAll('main [data-value], main [data-metric]')].map((element) =>
      read(element, element.dataset.metric ?? (element.dataset.verdict === undefined ? null : 'change'), element.dataset.value ?? '')),
    ...[...document.querySelectorAll('main td.number')]
      .filter((cell) => cell.closest('[data-value]') === null && cell.querySelector('[data-value]') === null)
      .map((cell) => read(cell, null, null)),
  ]
  const panels = sections.map((section) => {
    window.copied = []
    ways(section, 'Copy as curl')?.click()
    return {
      title: section.querySelector('h2').textContent,
      curl: window.copied.join('\\n'),
      hasNumbers: ways(section, 'Numbers') !== undefined,
    }
  })
  const figures = readAll()
  const turn = async () => {
    for (const section of sections) ways(section, 'Numbers')?.click()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)))
  }
  await turn()
  const tables = readAll()
  await turn()
  return { panels, figures, tables }
})()`
