import { ApiError } from '../../errors.ts'
import { toReason, type Work } from './work.ts'

export interface QuerySlotsOptions {
  readonly runningMax: number
  readonly waitingMax: number
  readonly waitMsMax: number
}

/** Slots of queries that run at once, and a queue of those that wait for one. */
export interface QuerySlots {
  /**
   * Waits for a slot, first come, first served; but a caller has at most half of the slots, and of the queue, so that it
   * can't keep others from theirs. Throws ApiError `overloaded`, or the reason why the work was given up.
   */
  take(work: Work): Promise<void>
  /** Gives the slot of this work to the next. */
  release(work: Work): void
}

interface Waiting {
  readonly work: Work
  go(): void
}

/** No slot is taken yet. `runningMax` and `waitingMax` are numbers of queries or whole results, `waitMsMax` the longest wait. */
export function createQuerySlots({ runningMax, waitingMax, waitMsMax }: QuerySlotsOptions): QuerySlots {
  const running: Work[] = []
  const waiting: Waiting[] = []
  const half = (slots: number): number => Math.ceil(slots / 2)
  const mayRun = ({ caller }: Work): boolean =>
    running.length < runningMax &&
    (caller === undefined || running.filter((other) => other.caller === caller).length < half(runningMax))
  const mayWait = ({ caller }: Work): boolean =>
    waiting.length < waitingMax &&
    (caller === undefined || waiting.filter(({ work }) => work.caller === caller).length < half(waitingMax))

  async function wait(work: Work): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const own: Waiting = { work, go: resolve }
    const giveUp = (error: Error): void => {
      const index = waiting.indexOf(own)
      if (index >= 0) waiting.splice(index, 1)
      reject(error)
    }
    const stop = (): void => giveUp(toReason(work.signal))
    const timer = setTimeout(() => giveUp(overloaded()), waitMsMax)
    work.signal.addEventListener('abort', stop, { once: true })
    waiting.push(own)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      work.signal.removeEventListener('abort', stop)
    }
  }

  return {
    async take(work) {
      work.signal.throwIfAborted()
      if (mayRun(work)) running.push(work)
      else if (mayWait(work)) await wait(work)
      else throw overloaded()
    },
    release(work) {
      running.splice(running.indexOf(work), 1)
      const next = waiting.findIndex((other) => mayRun(other.work))
      const [chosen] = next < 0 ? [] : waiting.splice(next, 1)
      if (chosen === undefined) return
      running.push(chosen.work)
      chosen.go()
    },
  }
}

const overloaded = (): ApiError =>
  new ApiError('overloaded', 'Too many reports are running. Try again in a moment.', { retryAfterSeconds: 2 })
