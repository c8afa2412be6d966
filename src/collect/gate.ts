import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  fullJitterGenerator,
  handleWhenResult,
} from 'cockatiel'
import { TokenBucket } from 'limiter'
import pLimit from 'p-limit'
import { readRateHeaders } from './rate-headers.ts'
import type { Pace } from './targets.ts'

/** What a provider lets through: so many calls at once, so many a minute, none while it rests. */
export interface Gate {
  /** Why no call of the provider is begun any more in this run. */
  readonly off: string | undefined
  turnOff(reason: string): void
  /** Does a call's work in its turn: twice as many as there are slots, so that a slot isn't idle while replies are stored. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /**
   * Makes one attempt in one of the provider's slots, when it may be asked. Attempts with `isFailure` in a row make it rest, and end with it being
   * off. Undefined: no attempt was made, because the provider is off or the run stops.
   */
  attempt<T extends { readonly isFailure: boolean }>(work: () => Promise<T>): Promise<T | undefined>
  /** Learns from a reply how fast it may be asked. */
  learn(headers: Headers): void
  /** A pause that the provider asked for because it was asked too fast: all its calls wait, and go on more slowly. */
  slowDown(afterMs: number): void
  /** Ends early when the run stops or the provider is switched off. */
  wait(ms: number): Promise<void>
  /** Growing waits for the tries of one call, with full jitter. */
  openBackoff(): () => number
}

export interface GateOptions {
  readonly name: string
  readonly pace: Pace
  /** Aborted: no attempt is begun any more, and waits end. */
  readonly signal: AbortSignal
  readonly limits: GateLimits
  readonly now: () => number
}

export interface GateLimits {
  /** Failures in a row that make a provider rest, how long, and after how many rests in a row it is off. */
  readonly failuresMax: number
  readonly restMs: number
  readonly restsMax: number
  /** The first and the longest wait before a call is tried again, before jitter. */
  readonly backoffMs: { readonly first: number; readonly most: number }
  /** A provider that asks for a longer pause is off for the run. */
  readonly pauseMsMax: number
}

export const GATE_LIMITS: GateLimits = {
  failuresMax: 5,
  restMs: 5 * 60_000,
  restsMax: 3,
  backoffMs: { first: 1_000, most: 60_000 },
  pauseMsMax: 15 * 60_000,
}

/** After a pause a provider is asked half as fast as before; each call that it takes brings back a twentieth. */
const SLOWER = 0.5
const FASTER = 1.05

export function openGate({ name, pace, signal, limits, now }: GateOptions): Gate {
  const turns = pLimit(2 * pace.concurrency)
  const slots = pLimit(pace.concurrency)
  const bucket = new TokenBucket({
    bucketSize: Math.max(1, Math.min(pace.concurrency, pace.perMinute)),
    tokensPerInterval: pace.perMinute,
    interval: 'minute',
  })
  bucket.content = bucket.bucketSize
  const breaker = circuitBreaker(
    handleWhenResult((result) => (result as { isFailure: boolean }).isFailure),
    { breaker: new ConsecutiveBreaker(limits.failuresMax), halfOpenAfter: limits.restMs },
  )
  let off: string | undefined
  const closing = new AbortController()
  const ended = AbortSignal.any([signal, closing.signal])
  // One listener a wait, of which there are as many as calls.
  setMaxListeners(0, ended)
  let pausedUntil = 0
  let restedUntil = 0
  let rests = 0

  const turnOff = (reason: string): void => {
    off ??= reason
    closing.abort()
  }
  const setRate = (perMinute: number): void => {
    bucket.drip()
    bucket.tokensPerInterval = Math.min(pace.perMinute, Math.max(1, perMinute))
  }
  breaker.onBreak(() => {
    rests += 1
    restedUntil = performance.now() + limits.restMs
    if (rests > limits.restsMax) turnOff(`${name} failed again and again, also after ${limits.restsMax} rests`)
  })
  breaker.onReset(() => (rests = 0))

  const wait = async (ms: number): Promise<void> => {
    if (ms > 0) await pause(ms, undefined, { signal: ended }).catch(() => {})
  }
  const mayGoOn = (): boolean => !ended.aborted

  /** Waits for the end of a pause and for a token; false when nothing is begun any more. */
  async function pass(): Promise<boolean> {
    while (mayGoOn()) {
      const waitMs = Math.max(pausedUntil - performance.now(), bucket.getWaitTime(1))
      if (waitMs <= 0 && bucket.tryRemoveTokens(1)) return true
      await wait(Math.max(1, waitMs))
    }
    return false
  }

  async function attempt<T extends { readonly isFailure: boolean }>(work: () => Promise<T>): Promise<T | undefined> {
    while (mayGoOn()) {
      try {
        const done = await breaker.execute(async (): Promise<T | typeof NOT_BEGUN> =>
          (await pass()) ? await work() : NOT_BEGUN,
        )
        return done === NOT_BEGUN ? undefined : (done as T)
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error
        await wait(Math.max(1, restedUntil - performance.now()))
      }
    }
    return undefined
  }

  return {
    get off() {
      return off
    },
    turnOff,
    inTurn: (work) => turns(work),
    attempt: (work) => slots(() => attempt(work)),
    learn(headers) {
      const notice = readRateHeaders(headers, now())
      setRate(Math.min(bucket.tokensPerInterval * FASTER, notice?.perMinute ?? Number.POSITIVE_INFINITY))
      if (notice && notice.pauseMs > 0) {
        pausedUntil = Math.max(pausedUntil, performance.now() + Math.min(notice.pauseMs, limits.pauseMsMax))
      }
    },
    slowDown(afterMs) {
      if (afterMs > limits.pauseMsMax) {
        turnOff(`${name} asks to come back in ${Math.ceil(afterMs / 60_000)} minutes`)
        return
      }
      // Calls that were under way together are told so together.
      if (performance.now() >= pausedUntil) setRate(bucket.tokensPerInterval * SLOWER)
      pausedUntil = Math.max(pausedUntil, performance.now() + afterMs)
    },
    wait,
    openBackoff() {
      const { first, most } = limits.backoffMs
      const factory = new ExponentialBackoff({ generator: fullJitterGenerator, initialDelay: first, maxDelay: most })
      let backoff: ReturnType<typeof factory.next> | undefined
      return () => {
        backoff = backoff ? backoff.next(undefined) : factory.next()
        return backoff.duration
      }
    },
  }
}

const NOT_BEGUN = { isFailure: false }
