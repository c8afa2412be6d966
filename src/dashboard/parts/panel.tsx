import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { download, type Question, toCurl } from '../api.ts'
import type { Loading } from '../use-answer.ts'
import { Refused } from './refused.tsx'

export interface PanelProps {
  readonly title: string
  /** One sentence that says what is seen, with counts; the caption of the chart. */
  readonly sentence?: ComponentChildren
  /** What the shown numbers were asked with: the first is for CSV and curl, all for curl. */
  readonly questions: readonly Question[]
  /** The same data as a table. */
  readonly numbers?: ComponentChildren
  /** A section of the methods: `mention-rate` opens `/methods#mention-rate`. */
  readonly method: string
  readonly loading: readonly Loading<unknown>[]
  readonly children: ComponentChildren
}

/** A part of a view: its title and sentence, what it shows, and the four ways to look behind it. */
export function Panel({ title, sentence, questions, numbers, method, loading, children }: PanelProps) {
  const [isTable, showTable] = useState(false)
  const refusal = loading.find((one) => one.refusal !== undefined)?.refusal
  const isLoading = loading.some((one) => one.isLoading)
  const [first] = questions
  return (
    <section class="panel" aria-busy={isLoading}>
      <header>
        <h2>{title}</h2>
        {sentence !== undefined && <p class="sentence">{sentence}</p>}
      </header>
      {refusal === undefined ? isTable ? numbers : children : <Refused refusal={refusal} />}
      <footer class="panel-ways">
        {numbers !== undefined && (
          <button type="button" aria-pressed={isTable} onClick={() => showTable(!isTable)}>
            Numbers
          </button>
        )}
        {first !== undefined && (
          <button type="button" onClick={() => void download(first)}>
            CSV
          </button>
        )}
        {questions.length > 0 && (
          <button type="button" onClick={() => void copyCurl(questions)}>
            Copy as curl
          </button>
        )}
        <a href={`/methods#${method}`}>How this is counted</a>
      </footer>
    </section>
  )
}

async function copyCurl(questions: readonly Question[]): Promise<void> {
  await navigator.clipboard.writeText(questions.map((question) => toCurl(question, location.origin)).join('\n'))
}
