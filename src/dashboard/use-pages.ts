import { useEffect, useState } from 'preact/hooks'
import type { Question } from './api.ts'
import { forgetReplies, getRound, type Loading, usePage } from './use-reply.ts'

/** A list that the service gives page by page. */
export interface Pages<Row> {
  readonly rows: readonly Row[]
  /** Of all pages; undefined while nothing is known. */
  readonly total: number | undefined
  /** From 0. */
  readonly page: number
  readonly turn: (page: number) => void
  /** Whether a page follows: for a list without a total. */
  readonly hasMore: boolean
  readonly loading: Loading<unknown>
}

interface Turned {
  /** The question whose pages these are, and the round it was asked in. */
  readonly key: string
  readonly page: number
  /** Of the pages that were seen, and of the next one. */
  readonly cursors: readonly (string | undefined)[]
}

const FIRST = { page: 0, cursors: [undefined] } as const

/** What the service says of a cursor in data that changed since. */
const GONE = 410

/**
 * The reply to a question without `limit` in pages of so many rows. Another question begins at the first page, and so does the
 * same one when it is asked anew, or when its data changed since the page before.
 */
export function usePages<Row>(question: Question<Row> | undefined, size: number): Pages<Row> {
  const key = JSON.stringify([question, getRound()])
  const [turned, setTurned] = useState<Turned>({ key, ...FIRST })
  const { page, cursors }: Omit<Turned, 'key'> = turned.key === key ? turned : FIRST
  const asked = usePage(question && toPageQuestion(question, size, cursors[page]))
  const isGone = page > 0 && asked.refusal?.status === GONE
  useEffect(() => {
    if (isGone) forgetReplies()
  }, [isGone])
  const { next_cursor: next, total_results: total } = asked.value?.info ?? {}
  return {
    rows: asked.value?.rows ?? [],
    total: typeof total === 'number' ? total : undefined,
    page,
    turn: (to) => {
      const known = typeof next === 'string' && to === cursors.length ? [...cursors, next] : cursors
      setTurned({ key, page: Math.min(to, known.length - 1), cursors: known })
    },
    hasMore: typeof next === 'string',
    loading: isGone ? { value: undefined, refusal: undefined, isLoading: true } : asked,
  }
}

/** A list that is read by `GET` has its page in the address, another in the body. */
function toPageQuestion<Row>(
  { method, path, body }: Question<Row>,
  limit: number,
  cursor: string | undefined,
): Question<Row> {
  const page = { limit, ...(cursor === undefined ? {} : { cursor }) }
  if (method === 'POST') return { method, path, body: { ...body, ...page } }
  const query = new URLSearchParams(Object.entries(page).map(([name, value]) => [name, String(value)]))
  return { method, path: `${path}?${query.toString()}` }
}
