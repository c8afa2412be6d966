import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRateLimiter, type RateLimits, toLimitHeader, toPolicyHeader } from '../../src/http/rate-limit.ts'

const LIMITS: RateLimits = { requestsPerMinute: 600, writesPerMinute: 20 }

// The limiter's clock is the monotonic one, which Vitest holds still.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('createRateLimiter', () => {
  it('counts a request against its key and tells what is left', () => {
    const limiter = createRateLimiter()
    limiter.take('key_a', LIMITS, false)
    const state = limiter.take('key_a', LIMITS, false)
    expect(state.exceeded).toBeUndefined()
    expect(toPolicyHeader(state)).toBe('"requests";q=600;w=60, "writes";q=20;w=60')
    expect(toLimitHeader(state)).toBe('"requests";r=598;t=1, "writes";r=20;t=0')
  })

  it('counts a write against both limits', () => {
    const state = createRateLimiter().take('key_a', LIMITS, true)
    expect(toLimitHeader(state)).toBe('"requests";r=599;t=1, "writes";r=19;t=3')
  })

  it('lets a burst of the whole limit pass and not one more', () => {
    const limiter = createRateLimiter()
    const passed = Array.from({ length: 25 }, () => limiter.take('key_a', LIMITS, true).exceeded === undefined)
    expect(passed).toEqual([...Array(20).fill(true), ...Array(5).fill(false)])
  })

  it('refills smoothly: one write every three seconds of twenty a minute', () => {
    const limiter = createRateLimiter()
    for (let i = 0; i < 20; i++) limiter.take('key_a', LIMITS, true)
    vi.advanceTimersByTime(2_999)
    expect(limiter.take('key_a', LIMITS, true).exceeded).toMatchObject({ policy: 'writes', secondsToMore: 1 })
    vi.advanceTimersByTime(1)
    expect(limiter.take('key_a', LIMITS, true).exceeded).toBeUndefined()
    expect(limiter.take('key_a', LIMITS, true).exceeded).toMatchObject({ policy: 'writes', secondsToMore: 3 })
  })

  it('never holds more than the limit, however long nothing is asked', () => {
    const limiter = createRateLimiter()
    limiter.take('key_a', LIMITS, true)
    vi.advanceTimersByTime(3_600_000)
    expect(toLimitHeader(limiter.look('key_a', LIMITS))).toBe('"requests";r=600;t=0, "writes";r=20;t=0')
  })

  it('counts a refused request against nothing', () => {
    const limiter = createRateLimiter()
    for (let i = 0; i < 20; i++) limiter.take('key_a', LIMITS, true)
    const before = toLimitHeader(limiter.look('key_a', LIMITS))
    expect(limiter.take('key_a', LIMITS, true).exceeded?.policy).toBe('writes')
    expect(toLimitHeader(limiter.look('key_a', LIMITS))).toBe(before)
  })

  it('counts each key for itself', () => {
    const limiter = createRateLimiter()
    for (let i = 0; i < 20; i++) limiter.take('key_a', LIMITS, true)
    expect(limiter.take('key_a', LIMITS, true).exceeded?.policy).toBe('writes')
    expect(limiter.take('key_b', LIMITS, true).exceeded).toBeUndefined()
  })

  it('takes a changed limit at once: more when raised, no more than it when lowered', () => {
    const limiter = createRateLimiter()
    const few: RateLimits = { requestsPerMinute: 2, writesPerMinute: 20 }
    limiter.take('key_a', few, false)
    limiter.take('key_a', few, false)
    expect(limiter.take('key_a', few, false).exceeded?.policy).toBe('requests')
    expect(toLimitHeader(limiter.take('key_a', LIMITS, false))).toBe('"requests";r=597;t=1, "writes";r=20;t=0')
    expect(toLimitHeader(limiter.look('key_a', few))).toBe('"requests";r=2;t=0, "writes";r=20;t=0')
  })

  it('names the limit that keeps the caller waiting longest', () => {
    const limiter = createRateLimiter()
    const few: RateLimits = { requestsPerMinute: 2, writesPerMinute: 1 }
    limiter.take('key_a', few, true)
    limiter.take('key_a', few, false)
    expect(limiter.take('key_a', few, true).exceeded).toEqual({
      policy: 'writes',
      limit: 1,
      remaining: 0,
      secondsToMore: 60,
    })
  })

  it('forgets only keys that have used nothing when it holds too many', () => {
    const limiter = createRateLimiter()
    for (let i = 0; i < 20; i++) limiter.take('key_busy', LIMITS, true)
    for (let i = 0; i < 10_500; i++) limiter.look(`key_${i}`, LIMITS)
    expect(limiter.take('key_busy', LIMITS, true).exceeded?.policy).toBe('writes')
  })
})
