import { SingleBar } from 'cli-progress'
import type { Clock } from '../src/clock.ts'
import { show } from '../src/show.ts'
import { printNote, type Io } from './io.ts'

/** Work shorter than this shows no progress (contract/imports 1.2). */
const QUIET_MS = 1_000
/** Time between two lines where standard error is no terminal. */
const LINE_MS = 5_000

export interface Step {
  readonly done: number
  /** Of the same unit as `done`; undefined while nobody knows. */
  readonly total?: number | undefined
  /** What was achieved so far, `120,000 records`. */
  readonly note: string
}

/** Shows how far work has come: a bar on a terminal, a line every few seconds elsewhere. Nothing in the first second. */
export interface Progress {
  report(step: Step): void
  /** Removes the bar. */
  close(): void
}

export function openProgress(label: string, io: Io, clock: Clock): Progress {
  const startedAt = clock.now()
  let lineAt = startedAt + QUIET_MS
  let bar: SingleBar | undefined
  return {
    report(step) {
      if (clock.now() - startedAt < QUIET_MS) return
      if (io.stderr.isTTY === true && step.total !== undefined) {
        bar ??= startBar(label, io, step)
        bar.update(step.done, { note: show(step.note) })
      } else if (clock.now() >= lineAt) {
        lineAt = clock.now() + LINE_MS
        const share =
          step.total === undefined || step.total === 0 ? '' : ` ${Math.floor((100 * step.done) / step.total)}%,`
        printNote(io, `${label}:${share} ${step.note}`)
      }
    },
    close() {
      bar?.stop()
      bar = undefined
    },
  }
}

function startBar(label: string, io: Io, step: Step): SingleBar {
  const bar = new SingleBar({
    stream: io.stderr,
    format: `${label} [{bar}] {percentage}% {note}`,
    clearOnComplete: true,
    hideCursor: true,
    // Signals are main.ts's own; a bar that hooks them would end the process early.
    gracefulExit: false,
  })
  bar.start(step.total ?? 0, step.done, { note: show(step.note) })
  return bar
}
