import { TokenBucket } from 'limiter'
import { RATE_LIMITED_KEYS_MAX } from '../limits.ts'

const WINDOW_SECONDS = 60

/** Limits of an organization, each counted per key (contract/api 11.5). */
export interface RateLimits {
  readonly requestsPerMinute: number
  readonly writesPerMinute: number
}

/** What one limit has left: `remaining` calls now, one more after `secondsToMore` (0 when none is used). */
interface Quota {
  readonly policy: 'requests' | 'writes'
  readonly limit: number
  readonly remaining: number
  readonly secondsToMore: number
}

/** The state of both limits after a request was counted or refused. */
export interface RateState {
  readonly quotas: readonly Quota[]
  /** The limit that refuses the request; undefined when it may go on. */
  readonly exceeded: Quota | undefined
}

export interface RateLimiter {
  /** Counts a request, as a write too where `isWrite`. A refused one counts against nothing. */
  take(keyId: string, limits: RateLimits, isWrite: boolean): RateState
  /** The state without counting. */
  look(keyId: string, limits: RateLimits): RateState
}

/**
 * Counts per key in token buckets: a burst of the whole limit passes, then one call each `60 / limit` seconds
 * (contract/api 3.2). Time is the library's own, monotonic: a wall clock set back neither locks out nor lets in.
 */
export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, { requests: TokenBucket; writes: TokenBucket }>()

  const bucketsOf = (keyId: string, limits: RateLimits): { requests: TokenBucket; writes: TokenBucket } => {
    let pair = buckets.get(keyId)
    if (pair === undefined) {
      if (buckets.size >= RATE_LIMITED_KEYS_MAX) dropUnused(buckets)
      pair = { requests: createBucket(limits.requestsPerMinute), writes: createBucket(limits.writesPerMinute) }
      buckets.set(keyId, pair)
    }
    resize(pair.requests, limits.requestsPerMinute)
    resize(pair.writes, limits.writesPerMinute)
    return pair
  }

  const toState = (pair: { requests: TokenBucket; writes: TokenBucket }, exceeded?: Quota['policy']): RateState => {
    const quotas = [toQuota('requests', pair.requests), toQuota('writes', pair.writes)]
    return { quotas, exceeded: quotas.find(({ policy }) => policy === exceeded) }
  }

  return {
    take(keyId, limits, isWrite) {
      const pair = bucketsOf(keyId, limits)
      const counted: Quota['policy'][] = isWrite ? ['requests', 'writes'] : ['requests']
      const waits = counted.map((policy) => ({ policy, ms: pair[policy].getWaitTime(1) }))
      const longest = waits.toSorted((a, b) => b.ms - a.ms)[0]
      if (longest !== undefined && longest.ms > 0) return toState(pair, longest.policy)
      for (const policy of counted) pair[policy].tryRemoveTokens(1)
      return toState(pair)
    },
    look: (keyId, limits) => toState(bucketsOf(keyId, limits)),
  }
}

/** `"requests";q=600;w=60, "writes";q=20;w=60` */
export function toPolicyHeader({ quotas }: RateState): string {
  return quotas.map(({ policy, limit }) => `"${policy}";q=${limit};w=${WINDOW_SECONDS}`).join(', ')
}

/** `"requests";r=598;t=1, "writes";r=20;t=0` */
export function toLimitHeader({ quotas }: RateState): string {
  return quotas
    .map(({ policy, remaining, secondsToMore }) => `"${policy}";r=${remaining};t=${secondsToMore}`)
    .join(', ')
}

function createBucket(limit: number): TokenBucket {
  const bucket = new TokenBucket({ bucketSize: limit, tokensPerInterval: limit, interval: WINDOW_SECONDS * 1_000 })
  bucket.content = limit
  return bucket
}

/** A raised limit gives the difference at once, a lowered one takes what is above it. */
function resize(bucket: TokenBucket, limit: number): void {
  bucket.drip()
  // Many small drips sum up to a hair less than a whole: a client that waited as told must not be refused for it.
  const whole = Math.round(bucket.content)
  if (Math.abs(bucket.content - whole) < 1e-6) bucket.content = whole
  if (bucket.bucketSize === limit) return
  bucket.content = Math.min(limit, bucket.content + Math.max(0, limit - bucket.bucketSize))
  bucket.bucketSize = limit
  bucket.tokensPerInterval = limit
}

function toQuota(policy: Quota['policy'], bucket: TokenBucket): Quota {
  const remaining = Math.floor(bucket.content)
  const waitMs = remaining >= bucket.bucketSize ? 0 : bucket.getWaitTime(remaining + 1)
  return { policy, limit: bucket.bucketSize, remaining, secondsToMore: Math.ceil(waitMs / 1_000) }
}

/** A full bucket is the same as none. */
function dropUnused(buckets: Map<string, { requests: TokenBucket; writes: TokenBucket }>): void {
  for (const [keyId, { requests, writes }] of buckets) {
    requests.drip()
    writes.drip()
    if (requests.content >= requests.bucketSize && writes.content >= writes.bucketSize) buckets.delete(keyId)
  }
}
