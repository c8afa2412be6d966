import { ApiError } from '../../errors.ts'

/** Work for one caller, which its queries end with. */
export interface Work {
  /** Aborted when the work is given up; its reason is what queries then fail with. */
  readonly signal: AbortSignal
  /** Names the caller: one caller's queries take at most half of the slots. Without it they may take all. */
  readonly caller?: string | undefined
}

export interface StartedWork extends Work, Disposable {
  /** Gives it up. */
  stop(reason: Error): void
  /** Gives it this much time from now on. */
  renew(timeoutMs: number): void
}

/** Work that is given up after `timeoutMs` with ApiError `query_timeout`. Dispose it when it is done. */
export function startWork(timeoutMs: number, caller?: string): StartedWork {
  const controller = new AbortController()
  const start = (ms: number): NodeJS.Timeout => setTimeout(() => controller.abort(timedOut()), ms)
  let timer = start(timeoutMs)
  return {
    signal: controller.signal,
    caller,
    stop: (reason) => controller.abort(reason),
    renew(ms) {
      clearTimeout(timer)
      timer = start(ms)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Why work was given up that nobody waits for any more. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

/** What `promise` gives, unless the work is given up before. */
export async function whileWanted<T>({ signal }: Work, promise: Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(toReason(signal))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([stopped, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The reason of a signal of work that was given up. */
export function toReason({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the work was given up')
}

const timedOut = (): ApiError =>
  new ApiError('query_timeout', 'The request took too long. Ask for fewer days, or filter more.', {
    retryAfterSeconds: 5,
  })
