import { expect, it } from 'vitest'
import { createPlaces } from '../../src/lake/read/places.ts'
import { Abandoned, startWork, type StartedWork } from '../../src/lake/read/work.ts'

const workOf = (caller?: string): StartedWork => {
  const work = startWork(60_000, caller)
  work[Symbol.dispose]()
  return work
}

/** Takes a place and tells whether it is had by now. */
function take(places: ReturnType<typeof createPlaces>, work: StartedWork) {
  const state = { has: false, error: undefined as unknown }
  void places.take(work).then(
    () => (state.has = true),
    (error: unknown) => (state.error = error),
  )
  return state
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('a caller has half of the places, so that others find one at once', async () => {
  const places = createPlaces({ runningMax: 4, waitingMax: 4, waitMsMax: 60_000 })
  const busy = Array.from({ length: 4 }, () => workOf('busy'))
  const taken = busy.map((work) => take(places, work))
  const refused = take(places, workOf('busy'))
  const other = take(places, workOf('other'))
  const unnamed = take(places, workOf())
  await turn()
  expect(taken.map(({ has }) => has)).toEqual([true, true, false, false])
  expect(refused.error).toMatchObject({ code: 'overloaded' })
  expect([other.has, unnamed.has]).toEqual([true, true])
  places.leave(busy[0]!)
  await turn()
  expect(taken.map(({ has }) => has)).toEqual([true, true, true, false])
})

it('a place that is left goes to the first who may have it', async () => {
  const places = createPlaces({ runningMax: 2, waitingMax: 8, waitMsMax: 60_000 })
  const [a, b] = [workOf('a'), workOf('b')]
  take(places, a)
  take(places, b)
  const [nextOfB, nextOfA] = [take(places, workOf('b')), take(places, workOf('a'))]
  await turn()
  places.leave(a)
  await turn()
  expect([nextOfB.has, nextOfA.has]).toEqual([false, true])
})

it('who gives up while waiting gets no place, and nobody waits for ever', async () => {
  const places = createPlaces({ runningMax: 1, waitingMax: 8, waitMsMax: 100 })
  const [first, gone] = [workOf('a'), workOf('b')]
  take(places, first)
  const waiting = take(places, gone)
  const late = take(places, workOf('c'))
  gone.stop(new Abandoned('gone'))
  await turn()
  expect(waiting.error).toBeInstanceOf(Abandoned)
  await expect.poll(() => late.error).toMatchObject({ code: 'overloaded' })
  places.leave(first)
  const next = take(places, workOf('d'))
  await turn()
  expect([waiting.has, late.has, next.has]).toEqual([false, false, true])
})
