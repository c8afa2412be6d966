import { compareTexts } from '../../format.ts'
import type { Schemas } from '../../../client/client.ts'
import type { ViewState } from '../../url-state.ts'

type Prompt = Schemas['Prompt']
type VisibilityRow = Schemas['VisibilityRow']

export const SORTS = ['text', 'category', 'status', 'rate', 'answers', 'created'] as const
export type Sort = (typeof SORTS)[number]

/** What the URL says of the table of prompts alone. */
export interface TableState {
  readonly search: string
  readonly status: 'active' | 'disabled' | 'all'
  readonly sort: Sort
  readonly isDescending: boolean
  /** From 1 on. */
  readonly page: number
}

export const PAGE_ROWS = 25

/** Reads `q`, `status`, `sort` (`-rate` for the other way) and `page`; what is not known is the default. */
export function readTable({ more }: Pick<ViewState, 'more'>): TableState {
  const sort = more['sort'] ?? ''
  const page = Number(more['page'] ?? 1)
  return {
    search: more['q'] ?? '',
    status: more['status'] === 'active' || more['status'] === 'disabled' ? more['status'] : 'all',
    sort: SORTS.find((known) => known === sort.replace(/^-/, '')) ?? 'created',
    isDescending: sort.startsWith('-'),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

/** A prompt with what was measured of it in the range; undefined where it has no answer in it. */
export interface PromptRow {
  readonly prompt: Prompt
  readonly measured: VisibilityRow | undefined
}

/** Joins the list of prompts and the visibility report by `prompt`. */
export function toPromptRows(prompts: readonly Prompt[], measured: readonly VisibilityRow[]): PromptRow[] {
  const byId = new Map(measured.map((row) => [row.prompt?.id, row]))
  return prompts.map((prompt) => ({ prompt, measured: byId.get(prompt.id) }))
}

/** What the filters, the search and the status leave, in order. `compare` is the reader's own order of texts. */
export function arrange(
  rows: readonly PromptRow[],
  { search, status, sort, isDescending }: TableState,
  categories: readonly string[],
): PromptRow[] {
  const wanted = search.trim().toLocaleLowerCase()
  const kept = rows.filter(
    ({ prompt }) =>
      (status === 'all' || prompt.status === status) &&
      (categories.length === 0 || categories.includes(prompt.category)) &&
      (wanted === '' ||
        `${prompt.text} ${prompt.market ?? ''}`.toLocaleLowerCase().includes(wanted) ||
        prompt.id === search.trim()),
  )
  const direction = isDescending ? -1 : 1
  return kept.sort((a, b) => {
    const [first, second] = [toSortValue(a, sort), toSortValue(b, sort)]
    // What was not measured stands last, whichever way is sorted.
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    if (typeof first === 'number' && typeof second === 'number') return (first - second) * direction
    return compareTexts(String(first), String(second)) * direction
  })
}

function toSortValue({ prompt, measured }: PromptRow, sort: Sort): number | string | undefined {
  if (sort === 'rate') return measured?.mention_rate
  if (sort === 'answers') return measured?.answers ?? 0
  if (sort === 'created') return prompt.created_at
  return prompt[sort]
}

/** The rows of a page, which page that is (the last for one behind the end), and how many pages there are. */
export function toPage<Row>(rows: readonly Row[], page: number): { rows: Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const shown = Math.min(page, pages)
  return { rows: rows.slice((shown - 1) * PAGE_ROWS, shown * PAGE_ROWS), page: shown, pages }
}

/** The last day with an answer by prompt, of a visibility report by `prompt` and `date`. */
export function toLastDays(rows: readonly VisibilityRow[]): Map<string, string> {
  const last = new Map<string, string>()
  for (const { prompt, date } of rows) {
    if (prompt === undefined || date === undefined) continue
    if (date > (last.get(prompt.id) ?? '')) last.set(prompt.id, date)
  }
  return last
}

/** Parts of at most so many: what one request takes. */
export function toChunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}
