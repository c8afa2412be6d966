import { useState } from 'preact/hooks'
import type { Question, Schemas } from '../../api.ts'
import { type Loading, usePage, useRows } from '../../use-answer.ts'
import type { ViewProps } from '../index.ts'
import { narrow, type Narrowed, toListQuestion, toNarrowing } from './questions.ts'
import { isPlain, isWanted, readWanted } from './wanted.ts'

type Answer = Schemas['Answer']

/** Answers that are shown at a time. */
export const PAGE_SIZE = 50

export interface AnswerList {
  /** The answers of the shown page, newest first. */
  readonly answers: readonly Answer[]
  /** Of all pages; undefined while nothing is known. */
  readonly total: number | undefined
  /** Where not all prompts with wanted answers are read: how many there are. */
  readonly left: Narrowed | undefined
  readonly page: number
  readonly turn: (page: number) => void
  readonly questions: readonly Question[]
  readonly loading: readonly Loading<unknown>[]
}

/**
 * The answers that the URL asks for. What the service can choose itself comes page by page; for all else a report says which
 * prompts have such answers, and these prompts' answers are chosen from here.
 */
export function useAnswerList({ state, site, range }: ViewProps): AnswerList {
  const wanted = readWanted(state)
  const plain = isPlain(state, wanted)
  const narrowing = plain ? undefined : toNarrowing(site.id, range, state, wanted)
  const narrowingRows = useRows<object>(narrowing?.question)
  const narrowed =
    narrowing === undefined || narrowingRows.value === undefined ? undefined : narrow(narrowingRows.value, narrowing)
  const promptIds = wanted.prompt === '' ? narrowed?.promptIds : [wanted.prompt]
  const list = toListQuestion(site.id, range, state, wanted, promptIds)

  const key = JSON.stringify([list, wanted, state.categories])
  const [turned, setTurned] = useState<Turned>({ key, page: 0, cursors: [undefined] })
  const { page, cursors } = turned.key === key ? turned : { page: 0, cursors: [undefined] }
  const cursor = cursors[page]
  const paged = { ...list, body: { ...list.body, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) } }
  const isKnown = promptIds !== undefined && promptIds.length > 0
  const one = usePage<Answer>(plain ? paged : undefined)
  const all = useRows<Answer>(!plain && isKnown ? list : undefined)

  const chosen = all.value?.filter((answer) => isWanted(answer, wanted)) ?? (promptIds?.length === 0 ? [] : undefined)
  const next = one.value?.info['next_cursor']
  return {
    answers: plain ? (one.value?.rows ?? []) : (chosen ?? []).slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    total: plain ? toTotal(one.value?.info['total_results']) : chosen?.length,
    left: narrowed !== undefined && narrowed.promptIds.length < narrowed.prompts ? narrowed : undefined,
    page,
    turn: (to) => {
      const known = typeof next === 'string' && to === cursors.length ? [...cursors, next] : cursors
      setTurned({ key, page: plain ? Math.min(to, known.length - 1) : to, cursors: known })
    },
    questions: narrowing === undefined ? [list] : [list, narrowing.question],
    loading: plain ? [one] : narrowing === undefined ? [all] : [narrowingRows, all],
  }
}

interface Turned {
  /** The question whose pages these are. */
  readonly key: string
  readonly page: number
  readonly cursors: readonly (string | undefined)[]
}

const toTotal = (total: unknown): number | undefined => (typeof total === 'number' ? total : undefined)
