import { type Metric, METRICS } from '../../metrics.ts'
import type { ViewState } from '../../url-state.ts'

/** What a line is: a brand, or the own brand on an engine or in a category. */
export const LINES_BY = ['brand', 'platform', 'category'] as const
export type LinesBy = (typeof LINES_BY)[number]

/** What a row of the heat table is. */
export const CELLS_OF = ['prompt', 'category'] as const
export type CellsOf = (typeof CELLS_OF)[number]

/** What the URL says of this view alone. */
export interface Choices {
  readonly by: LinesBy
  readonly metric: Metric
  readonly cells: CellsOf
  /** Brands that the reader chose for the chart; empty: the own one and those next to it. */
  readonly brands: readonly string[]
  /** Of the heat table: what its rows are searched for, their order, and the page, from 0. */
  readonly search: string
  readonly order: Order
  readonly page: number
}

/** The order of the heat table's rows: by the value over all engines, or by their names. */
export const ORDERS = ['high', 'low', 'name'] as const
export type Order = (typeof ORDERS)[number]

const BRANDS_MAX = 8

/** Reads `by`, `metric`, `cells`, `brands`, `q`, `order` and `page`; what is not known is the default. */
export function readChoices({ more }: Pick<ViewState, 'more'>): Choices {
  const page = Number(more['page'] ?? 0)
  return {
    search: more['q'] ?? '',
    order: ORDERS.find((order) => order === more['order']) ?? 'high',
    page: Number.isSafeInteger(page) && page >= 0 ? page : 0,
    by: LINES_BY.find((by) => by === more['by']) ?? 'brand',
    metric: METRICS.find((metric) => metric === more['metric']) ?? 'mention_rate',
    cells: CELLS_OF.find((cells) => cells === more['cells']) ?? 'prompt',
    brands: (more['brands'] ?? '')
      .split(',')
      .filter((name) => name !== '')
      .slice(0, BRANDS_MAX)
      .map(decodeName),
  }
}

/** The `brands` of a URL; commas separate names, so they are encoded in names. */
export function toBrands(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(name)).join(',')
}

/** The chosen brands with one more, or without it where it was chosen; never more than can be told apart in a chart. */
export function toggleBrand(chosen: readonly string[], name: string): string[] {
  if (chosen.includes(name)) return chosen.filter((one) => one !== name)
  return [...chosen, name].slice(-BRANDS_MAX)
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
