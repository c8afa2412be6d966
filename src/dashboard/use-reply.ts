import { useEffect, useState } from 'preact/hooks'
import { ask, askPage, askRows, type Question, Refusal, type Reply } from './api.ts'
import { redraw } from './redraw.ts'

/** What a view shows of a question: what was there stays while a newer reply is on its way. */
export interface Loading<T> {
  readonly value: T | undefined
  readonly refusal: Refusal | undefined
  readonly isLoading: boolean
}

/** Replies of this visit by their question, so that going back shows at once what was there. */
const kept = new Map<string, unknown>()
const KEPT_MAX = 60
/** How often everything kept was forgotten. */
let forgotten = 0

/** Forgets what was asked: after a change, everything that is shown is asked anew. */
export function forgetReplies(): void {
  kept.clear()
  forgotten += 1
  redraw()
}

/** Asks for a page ahead of the part that will show it. Throws Refusal. */
export async function askAhead(question: Question): Promise<void> {
  keep(toKey('page', question), await askPage(question))
}

/** One page with its `info`. Asked again whenever the question changes; undefined asks nothing. */
export function usePage<Row>(question: Question | undefined): Loading<Reply<Row>> {
  return useAsked(question, 'page', askPage<Row>)
}

/** Every row of a list or report, for a question without `limit`. */
export function useRows<Row>(question: Question | undefined): Loading<readonly Row[]> {
  return useAsked(question, 'rows', askRows<Row>)
}

/** One thing: what stands under `data`. */
export function useThing<T>(question: Question | undefined): Loading<T> {
  return useAsked(question, 'thing', async (asked, signal) => (await ask<{ data: T }>(asked, signal)).data)
}

const NOTHING = { value: undefined, refusal: undefined, isLoading: false } as const

function useAsked<T>(
  question: Question | undefined,
  kind: string,
  run: (question: Question, signal: AbortSignal) => Promise<T>,
): Loading<T> {
  const key = question === undefined ? undefined : toKey(kind, question)
  const [shown, show] = useState<Loading<T>>(() => ({
    ...NOTHING,
    value: key === undefined ? undefined : (kept.get(key) as T | undefined),
    isLoading: key !== undefined && !kept.has(key),
  }))
  useEffect(() => {
    if (key === undefined || question === undefined) return show(NOTHING)
    if (kept.has(key)) return show({ ...NOTHING, value: kept.get(key) as T })
    show(({ value }) => ({ ...NOTHING, value, isLoading: true }))
    const controller = new AbortController()
    run(question, controller.signal).then(
      (value) => {
        keep(key, value)
        show({ ...NOTHING, value })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        const refusal = error instanceof Refusal ? error : new Refusal(0, { message: String(error) })
        show({ ...NOTHING, refusal })
      },
    )
    return () => controller.abort()
  }, [key, forgotten])
  return shown
}

const toKey = (kind: string, question: Question): string => JSON.stringify([kind, question])

function keep(key: string, value: unknown): void {
  if (kept.size >= KEPT_MAX) {
    const [oldest] = kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
  }
  kept.set(key, value)
}
