import { useEffect, useState } from 'preact/hooks'
import { ask, askPage, askRows, type Question, Refusal, type Reply } from './api.ts'
import { redraw } from './redraw.ts'

/**
 * What is known of a question. A value is of this question and no other; it stays while the same is asked anew. What a part
 * shows until a new question is answered is the part's own business: `useLastShown`.
 */
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

/** How often everything was forgotten: what a part remembers of replies, such as a place in a list, is of one round. */
export const getRound = (): number => forgotten

/** Asks for a page ahead of the part that will show it. Throws Refusal. */
export async function askAhead(question: Question): Promise<void> {
  keep(toKey('page', question), await askPage(question))
}

/** One page with its `info`. Asked again whenever the question changes; undefined asks nothing. */
export function usePage<Row>(question: Question<Row> | undefined): Loading<Reply<Row>> {
  return useAsked(question, 'page', askPage<Row>)
}

/** Every row of a list or report, for a question without `limit`. */
export function useRows<Row>(question: Question<Row> | undefined): Loading<readonly Row[]> {
  return useAsked(question, 'rows', askRows<Row>)
}

/**
 * One thing: what stands under `data`. What changes by itself has `pollMs`, which says of a reply how long after it the same is
 * asked anew, if at all: it isn't kept, and its value stays when one poll fails.
 */
export function useThing<T>(question: Question<T> | undefined, pollMs?: (value: T) => number | undefined): Loading<T> {
  return useAsked(question, 'thing', async (asked, signal) => (await ask<{ data: T }>(asked, signal)).data, pollMs)
}

const NOTHING = { value: undefined, refusal: undefined, isLoading: false } as const

/** How a question ended. */
interface Settled<T> {
  readonly key: string
  /** How often everything was forgotten before it was asked. */
  readonly round: number
  readonly value?: T
  readonly refusal?: Refusal
}

function useAsked<Row, T>(
  question: Question<Row> | undefined,
  kind: string,
  run: (question: Question<Row>, signal: AbortSignal) => Promise<T>,
  pollMs?: (value: T) => number | undefined,
): Loading<T> {
  const key = question === undefined ? undefined : toKey(kind, question)
  const round = forgotten
  const [settled, settle] = useState<Settled<T> | undefined>()
  useEffect(() => {
    if (key === undefined || question === undefined) return
    if (kept.has(key)) return settle({ key, round, value: kept.get(key) as T })
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    /** `before` is what the poll before gave, whose failure alone changes nothing. */
    const askNow = (before?: T): void => {
      run(question, controller.signal).then(
        (value) => {
          // Whoever aborts has another question, or knows that this reply is old.
          if (controller.signal.aborted) return
          if (pollMs === undefined) keep(key, value)
          settle({ key, round, value })
          pollAfter(value, value)
        },
        (error: unknown) => {
          if (controller.signal.aborted) return
          if (before !== undefined) return pollAfter(before)
          const refusal = error instanceof Refusal ? error : new Refusal(0, { message: String(error) })
          settle({ key, round, refusal })
        },
      )
    }
    const pollAfter = (value: T, before?: T): void => {
      const ms = pollMs?.(value)
      if (ms !== undefined) timer = setTimeout(() => askNow(before), ms)
    }
    askNow()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [key, round])
  if (key === undefined) return NOTHING
  // A reply belongs to its question: to another one there is none, from the very first render on.
  const own = settled?.key === key ? settled : undefined
  if (own?.round === round) return { value: own.value, refusal: own.refusal, isLoading: false }
  if (kept.has(key)) return { ...NOTHING, value: kept.get(key) as T }
  return { ...NOTHING, value: own?.value, isLoading: true }
}

const toKey = (kind: string, question: Question): string => JSON.stringify([kind, question])

function keep(key: string, value: unknown): void {
  if (kept.size >= KEPT_MAX) {
    const [oldest] = kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
  }
  kept.set(key, value)
}
