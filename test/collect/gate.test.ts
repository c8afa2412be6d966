import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { GATE_LIMITS, type GateOptions, openGate } from '../../src/collect/gate.ts'

const LIMITS = { ...GATE_LIMITS, restMs: 60, backoffMs: { first: 10, most: 40 } }

function open(given: Partial<GateOptions> = {}) {
  return openGate({
    name: 'Test',
    pace: { concurrency: 3, perMinute: 1_000_000 },
    signal: new AbortController().signal,
    limits: LIMITS,
    now: () => 0,
    ...given,
  })
}

const succeed = async () => ({ isFailure: false })
const fail = async () => ({ isFailure: true })

test('no more attempts are under way at once than there are slots', async () => {
  const gate = open()
  let [underWay, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, (underWay += 1))
    await sleep(5)
    underWay -= 1
    return { isFailure: false }
  }
  await Promise.all(Array.from({ length: 20 }, () => gate.inTurn(() => gate.attempt(work))))
  expect(most).toBe(3)
})

test('no more attempts are begun a minute than the pace allows, beyond the first ones', async () => {
  const gate = open({ pace: { concurrency: 2, perMinute: 1_200 } })
  const startedMs = performance.now()
  for (let i = 0; i < 6; i++) await gate.attempt(succeed)
  // Two at once, then one each fiftieth of a second.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(4 * 50 - 5)
})

describe('failures in a row', () => {
  test('make the provider rest, and end its rest with the first success', async () => {
    const gate = open()
    for (let i = 0; i < 5; i++) await gate.attempt(fail)
    const startedMs = performance.now()
    expect(await gate.attempt(succeed)).toEqual({ isFailure: false })
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(LIMITS.restMs - 5)
    expect(gate.off).toBeUndefined()
  })

  test('after several rests switch it off', async () => {
    const gate = open()
    let tries = 0
    while (gate.off === undefined) {
      await gate.attempt(fail)
      tries += 1
    }
    // Five, then one after each of three rests.
    expect([tries, gate.off]).toEqual([8, 'Test failed again and again, also after 3 rests'])
    expect(await gate.attempt(succeed)).toBeUndefined()
  })

  test('are not those with a success between them', async () => {
    const gate = open({ limits: { ...LIMITS, restMs: 60_000 } })
    for (let i = 0; i < 20; i++) await gate.attempt(i % 5 === 4 ? succeed : fail)
    expect(gate.off).toBeUndefined()
  })
})

describe('a provider that is asked too fast', () => {
  test('is left alone as long as it wants', async () => {
    const gate = open()
    gate.slowDown(80)
    const startedMs = performance.now()
    await Promise.all([gate.attempt(succeed), gate.attempt(succeed)])
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(75)
  })

  test('is asked half as fast afterwards, however many calls were told so at once', async () => {
    const gate = open({ pace: { concurrency: 1, perMinute: 6_000 } })
    await gate.attempt(succeed)
    for (let i = 0; i < 3; i++) gate.slowDown(20)
    await gate.attempt(succeed)
    const startedMs = performance.now()
    for (let i = 0; i < 5; i++) await gate.attempt(succeed)
    const ms = performance.now() - startedMs
    expect(ms).toBeGreaterThanOrEqual(5 * 20 - 5)
  })

  test('that wants a very long pause is off', () => {
    const gate = open()
    gate.slowDown(60 * 60_000)
    expect(gate.off).toBe('Test asks to come back in 60 minutes')
  })

  test('ends the waits of its calls, those that begin later too', async () => {
    const gate = open()
    const waiting = gate.wait(60_000)
    gate.turnOff('closed')
    await waiting
    await gate.wait(60_000)
    expect(await gate.attempt(succeed)).toBeUndefined()
  })

  test('says so in headers before it refuses', async () => {
    const gate = open({ pace: { concurrency: 1, perMinute: 1_000_000 } })
    await gate.attempt(succeed)
    gate.learn(new Headers({ ratelimit: 'limit=10, remaining=0, reset=1' }))
    const startedMs = performance.now()
    await gate.attempt(succeed)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(995)
    gate.learn(new Headers({ ratelimit: 'limit=10, remaining=10, reset=1' }))
    const then = performance.now()
    for (let i = 0; i < 3; i++) await gate.attempt(succeed)
    expect(performance.now() - then).toBeGreaterThanOrEqual(2 * 100 - 5)
  })
})

test('waits end when the run stops, and no attempt is begun any more', async () => {
  const stop = new AbortController()
  const gate = open({ signal: stop.signal })
  gate.slowDown(60_000)
  const waiting = [gate.attempt(succeed), gate.wait(60_000)]
  stop.abort()
  expect(await Promise.all(waiting)).toEqual([undefined, undefined])
  expect(await gate.attempt(succeed)).toBeUndefined()
})

test('waits between the tries of a call grow, by chance', () => {
  const next = open().openBackoff()
  const waits = Array.from({ length: 50 }, next)
  expect(waits[0]).toBeLessThan(10)
  expect(waits[1]).toBeLessThan(20)
  expect(Math.max(...waits)).toBeLessThan(40)
  expect(Math.max(...waits)).toBeGreaterThan(20)
  expect(new Set(waits).size).toBeGreaterThan(5)
})
