import type { Call, RunStatus } from '../domain/call.ts'
import type { Ending } from './ask.ts'
import type { PaidCall } from './paid-call.ts'

/** What a run has done so far. */
export interface RunTotals {
  /** Calls that it was to ask, with the tasks that it took over. */
  readonly calls: number
  /** Those that are over, of whichever end. */
  readonly done: number
  readonly answered: number
  readonly noAnswer: number
  readonly failed: number
  readonly uncertain: number
  readonly skippedBudget: number
  /** Not asked, or tasks that aren't ready: for the next run. */
  readonly left: number
  /** What answers cost, and what uncertain calls may have cost, in micro-dollars. */
  readonly costMicros: number
  /** Why calls failed, were skipped or are uncertain; the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly calls: number }[]
}

/** A call that is not begun: its provider is off, or the budget has no room for it. */
export interface NotAsked {
  readonly status: 'off' | 'skipped'
  readonly reason: string
}

/** Counts the ends of a run's calls. */
export class RunCounts {
  readonly #calls: number
  readonly #onProgress: ((totals: RunTotals) => void) | undefined
  readonly #byStatus = { answered: 0, noAnswer: 0, failed: 0, uncertain: 0, skippedBudget: 0, left: 0 }
  readonly #reasons = new Map<string, number>()
  #costMicros = 0
  /** Asked by another run at the same time, or tasks of a prompt or target that is gone. */
  #foreign = 0

  constructor(calls: number, onProgress: ((totals: RunTotals) => void) | undefined) {
    this.#calls = calls
    this.#onProgress = onProgress
  }

  note(call: PaidCall, ending: Ending | NotAsked): void {
    if ('costMicros' in ending) this.#costMicros += ending.costMicros ?? call.highMicros
    if ('reason' in ending && ending.reason !== undefined) this.#noteReason(ending.reason)
    if (ending.status === 'taken') this.#foreign += 1
    else this.#byStatus[COUNTED[ending.status]] += 1
    this.#onProgress?.(this.totals())
  }

  /** A call that can't be asked any more; a task of this kind stays as it is. */
  noteGone({ status }: Pick<Call, 'status'>, reason: string): void {
    this.#noteReason(reason)
    if (status === 'task') this.#foreign += 1
    else this.#byStatus.failed += 1
  }

  #noteReason(reason: string): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  totals(): RunTotals {
    const counted = Object.values(this.#byStatus).reduce((sum, count) => sum + count, this.#foreign)
    return {
      calls: this.#calls,
      done: counted - this.#byStatus.left,
      ...this.#byStatus,
      costMicros: this.#costMicros,
      reasons: [...this.#reasons].map(([reason, calls]) => ({ reason, calls })).toSorted((a, b) => b.calls - a.calls),
    }
  }

  toStatus(): Exclude<RunStatus, 'running'> {
    const { answered, noAnswer, ...others } = this.#byStatus
    if (Object.values(others).every((count) => count === 0)) return 'complete'
    return answered + noAnswer > 0 ? 'partial' : 'failed'
  }
}

const COUNTED = {
  answered: 'answered',
  no_answer: 'noAnswer',
  failed: 'failed',
  unbought: 'failed',
  off: 'failed',
  uncertain: 'uncertain',
  skipped: 'skippedBudget',
  over: 'left',
  task: 'left',
  left: 'left',
} as const
