import { useState } from 'preact/hooks'
import type { Question } from './api.ts'
import { type Loading, usePage } from './use-reply.ts'

/** A list that the service gives page by page. */
export interface Pages<Row> {
  readonly rows: readonly Row[]
  /** Of all pages; undefined while nothing is known. */
  readonly total: number | undefined
  /** From 0. */
  readonly page: number
  readonly turn: (page: number) => void
  readonly loading: Loading<unknown>
}

interface Turned {
  /** The question whose pages these are. */
  readonly key: string
  readonly page: number
  /** Of the pages that were seen, and of the next one. */
  readonly cursors: readonly (string | undefined)[]
}

const FIRST = { page: 0, cursors: [undefined] } as const

/** The reply to a question without `limit` in pages of so many rows; another question begins at the first page. */
export function usePages<Row>(question: (Question & { readonly body: object }) | undefined, size: number): Pages<Row> {
  const key = JSON.stringify(question)
  const [turned, setTurned] = useState<Turned>({ key, ...FIRST })
  const { page, cursors }: Omit<Turned, 'key'> = turned.key === key ? turned : FIRST
  const cursor = cursors[page]
  const body = { ...question?.body, limit: size, ...(cursor === undefined ? {} : { cursor }) }
  const asked = usePage<Row>(question && { ...question, body })
  const { next_cursor: next, total_results: total } = asked.value?.info ?? {}
  return {
    rows: asked.value?.rows ?? [],
    total: typeof total === 'number' ? total : undefined,
    page,
    turn: (to) => {
      const known = typeof next === 'string' && to === cursors.length ? [...cursors, next] : cursors
      setTurned({ key, page: Math.min(to, known.length - 1), cursors: known })
    },
    loading: asked,
  }
}
