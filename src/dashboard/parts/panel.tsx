import type { ComponentChildren } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { MethodLink } from '../methods/method-link.tsx'
import type { Method } from '../methods/anchors.ts'
import type { Loading } from '../use-reply.ts'
import { PictureOffer } from './picture.ts'
import { Refused } from './refused.tsx'
import { findRefusal, isBlank, isBusy, useLastShown } from './shown.tsx'
import { Skeleton } from './skeleton.tsx'
import { Ways, type WaysProps } from './ways.tsx'

export interface PanelProps extends WaysProps {
  /** One sentence that says what is seen, with counts; the caption of the chart. */
  readonly sentence?: ComponentChildren
  /** The same data as a table. */
  readonly numbers?: ComponentChildren
  /** The section of the methods that says how this is counted. */
  readonly method: Method
  /** Every reply that the panel reads: it shows nothing of them before all are there, and why one isn't. */
  readonly loading: readonly Loading<unknown>[]
  /** Replies that it reads too, and of which it says itself, by `Said`, that they aren't there. */
  readonly later?: readonly Loading<unknown>[]
  /** What will stand here, until it does. */
  readonly skeleton?: 'chart' | 'table' | 'tiles'
  /** Beside the title: `Segments`, a `Select`, a `SearchField`. */
  readonly controls?: ComponentChildren
  readonly children: ComponentChildren
}

/**
 * A part of a view: its title and sentence, what it shows, and the ways to look behind it. While it loads anew, all of it but
 * its controls stays as it was: what is seen is always of one question.
 */
export function Panel(props: PanelProps) {
  const { loading, later = [], skeleton, controls } = props
  const [isTable, showTable] = useState(false)
  const [picture, offerPicture] = useState<{ readonly save: () => Promise<void> } | undefined>()
  const all = [...loading, ...later]
  const shown = useLastShown(props, all, loading)
  const { title, sentence, questions, chosen, numbers, method, children } = shown
  const refusal = findRefusal(loading)
  const isLoading = isBusy(all)
  const isEmpty = shown === props && isBlank(loading)
  const takePicture = useCallback(
    (save: (() => Promise<void>) | undefined) => offerPicture(save === undefined ? undefined : { save }),
    [],
  )
  return (
    <section class="panel" aria-busy={isLoading}>
      <header>
        <div class="panel-title">
          <h2>{title}</h2>
          {controls}
        </div>
        {sentence !== undefined && refusal === undefined && <p class="sentence">{isEmpty ? '…' : sentence}</p>}
      </header>
      {refusal !== undefined ? (
        <Refused refusal={refusal} />
      ) : isEmpty ? (
        <Skeleton {...(skeleton === undefined ? {} : { kind: skeleton })} />
      ) : isTable ? (
        numbers
      ) : (
        <PictureOffer value={takePicture}>{children}</PictureOffer>
      )}
      <footer class="panel-ways">
        {numbers !== undefined && (
          <button type="button" aria-pressed={isTable} onClick={() => showTable(!isTable)}>
            Numbers
          </button>
        )}
        <Ways questions={questions} title={title} chosen={chosen} />
        {picture !== undefined && (
          <button type="button" onClick={() => void picture.save()}>
            PNG
          </button>
        )}
        <MethodLink method={method} />
      </footer>
    </section>
  )
}
