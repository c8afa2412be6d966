import { expect, it } from 'vitest'
import { createQuerySlots } from '../../src/lake/read/query-slots.ts'
import { Abandoned, startWork, type StartedWork } from '../../src/lake/read/work.ts'

const workOf = (caller?: string): StartedWork => {
  const work = startWork(60_000, caller)
  work[Symbol.dispose]()
  return work
}

/** Takes a place and tells whether it is had by now. */
function take(slots: ReturnType<typeof createQuerySlots>, work: StartedWork) {
  const state = { has: false, error: undefined as unknown }
  void slots.take(work).then(
    () => (state.has = true),
    (error: unknown) => (state.error = error),
  )
  return state
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('a caller has half of the slots, so that others find one at once', async () => {
  const slots = createQuerySlots({ runningMax: 4, waitingMax: 4, waitMsMax: 60_000 })
  const busy = Array.from({ length: 4 }, () => workOf('busy'))
  const taken = busy.map((work) => take(slots, work))
  const refused = take(slots, workOf('busy'))
  const other = take(slots, workOf('other'))
  const unnamed = take(slots, workOf())
  await turn()
  expect(taken.map(({ has }) => has)).toEqual([true, true, false, false])
  expect(refused.error).toMatchObject({ code: 'overloaded' })
  expect([other.has, unnamed.has]).toEqual([true, true])
  slots.release(busy[0]!)
  await turn()
  expect(taken.map(({ has }) => has)).toEqual([true, true, true, false])
})

it('a slot that is released goes to the first who may have it', async () => {
  const slots = createQuerySlots({ runningMax: 2, waitingMax: 8, waitMsMax: 60_000 })
  const [a, b] = [workOf('a'), workOf('b')]
  take(slots, a)
  take(slots, b)
  const [nextOfB, nextOfA] = [take(slots, workOf('b')), take(slots, workOf('a'))]
  await turn()
  slots.release(a)
  await turn()
  expect([nextOfB.has, nextOfA.has]).toEqual([false, true])
})

it('who gives up while waiting gets no slot, and nobody waits for ever', async () => {
  const slots = createQuerySlots({ runningMax: 1, waitingMax: 8, waitMsMax: 100 })
  const [first, gone] = [workOf('a'), workOf('b')]
  take(slots, first)
  const waiting = take(slots, gone)
  const late = take(slots, workOf('c'))
  gone.stop(new Abandoned('gone'))
  await turn()
  expect(waiting.error).toBeInstanceOf(Abandoned)
  await expect.poll(() => late.error).toMatchObject({ code: 'overloaded' })
  slots.release(first)
  const next = take(slots, workOf('d'))
  await turn()
  expect([waiting.has, late.has, next.has]).toEqual([false, false, true])
})
