import { useMemo, useState } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { ANSWER_PROMPT_IDS_MAX } from '../../bounds.ts'
import { type Loading, useRows } from '../../use-reply.ts'
import { usePages } from '../../use-pages.ts'
import type { ViewProps } from '../view-props.ts'
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
  /** What the report says of all prompts with wanted answers, where one was asked. */
  readonly narrowed: Narrowed | undefined
  readonly page: number
  readonly turn: (page: number) => void
  readonly questions: readonly Question[]
  /** Of the answers that the first question gives those that are wanted, where the service can't choose them. */
  readonly chosen: readonly Answer[] | undefined
  readonly loading: readonly Loading<unknown>[]
}

/**
 * The answers that the URL asks for. What the service can choose itself comes page by page; for all else a report says which
 * prompts have such answers, and these prompts' answers are chosen from here; of at most so many prompts, those with the most of them.
 */
export function useAnswerList(props: ViewProps, promptsMax = ANSWER_PROMPT_IDS_MAX): AnswerList {
  const { state } = props
  const wanted = readWanted(state)
  const plain = isPlain(state, wanted)
  const narrowing = plain ? undefined : toNarrowing(props, wanted)
  const reported = useRows(narrowing?.question)
  const narrowed = narrowing && reported.value && narrow(reported.value, narrowing, promptsMax)
  const promptIds = wanted.prompt === '' ? narrowed?.promptIds : [wanted.prompt]
  const list = toListQuestion(props, wanted, promptIds)
  const pages = usePages(plain ? list : undefined, PAGE_SIZE)
  const asked = promptIds !== undefined && promptIds.length > 0 ? [list] : []
  const all = useRows(plain ? undefined : asked[0])
  const key = JSON.stringify([list, wanted])
  const [turned, setTurned] = useState({ key, page: 0 })

  const found = useMemo(() => all.value?.filter((answer) => isWanted(answer, wanted)), [all.value, key])

  if (plain) {
    const { rows, loading, ...rest } = pages
    return { answers: rows, ...rest, narrowed: undefined, questions: [list], chosen: undefined, loading: [loading] }
  }
  const chosen = promptIds?.length === 0 ? [] : found
  const page = turned.key === key ? turned.page : 0
  return {
    answers: (chosen ?? []).slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    total: chosen?.length,
    narrowed,
    page,
    turn: (to) => setTurned({ key, page: to }),
    questions: narrowing === undefined ? asked : [...asked, narrowing.question],
    chosen: chosen ?? [],
    loading: narrowing === undefined ? [all] : [reported, all],
  }
}
