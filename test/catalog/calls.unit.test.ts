import { describe, expect, test } from 'vitest'
import type { Budget, NewCall } from '../../src/domain/call.ts'
import { openTestCatalog } from './support/test-catalog.ts'

const DAY = '2026-11-20'
const NO_LIMIT: Budget = { dayMicros: undefined, monthMicros: undefined, targets: new Map() }

function toNewCall(promptNo: number, given: Partial<NewCall> & { sample?: number } = {}): NewCall {
  const { sample = 1, ...rest } = given
  return {
    subject: { kind: 'answer', promptNo, sample },
    target: 'chatgpt',
    role: 'main',
    engine: 'chatgpt',
    provider: 'openai',
    model: 'gpt-5.5',
    ...rest,
  }
}

function openWithRun() {
  const opened = openTestCatalog()
  const { catalog } = opened
  const { id: siteId, organizationId } = catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
  const { token } = catalog.leases.enter()
  const startRun = (id: string, given = {}) =>
    catalog.scanRuns.start({ id, siteId, kind: 'answer', day: DAY, seed: 1, token, ...given })
  startRun('run_1')
  const spent = (day = DAY, target?: string) => catalog.spend.sum(organizationId, day, target)
  const plan = (count: number, given: Partial<NewCall> = {}) =>
    catalog.calls.plan(
      siteId,
      DAY,
      Array.from({ length: count }, (_, index) => toNewCall(index + 1, given)),
    )
  const order = (highMicros: number, budget = NO_LIMIT, runId = 'run_1') => ({ runId, highMicros, budget })
  return { ...opened, ...catalog, siteId, organizationId, token, startRun, spent, plan, order }
}

type World = ReturnType<typeof openWithRun>
const statusOf = ({ calls, siteId }: World, target = 'chatgpt') => {
  const summary = calls.summarize({ siteId, kind: 'answer' }).find((each) => each.target === target)
  return Object.fromEntries(Object.entries(summary?.byStatus ?? {}).filter(([, count]) => count > 0))
}

describe('a plan', () => {
  test('gives the calls in its order, and the same ones when it is made again', () => {
    const { calls, siteId } = openWithRun()
    const wanted = [toNewCall(2), toNewCall(1, { sample: 2 }), toNewCall(1)]
    const first = calls.plan(siteId, DAY, wanted)
    expect(first.map(({ subject }) => subject)).toEqual(wanted.map(({ subject }) => subject))
    expect(first[0]).toMatchObject({ status: 'planned', tries: 0, day: DAY, costMicros: 0, model: 'gpt-5.5' })
    expect(calls.plan(siteId, DAY, wanted)).toEqual(first)
    expect(calls.plan(siteId, '2026-11-21', wanted)).not.toEqual(first)
  })

  test('leaves out what was asked, and plans again what is proven unbought', () => {
    const world = openWithRun()
    const { calls, plan, order } = world
    const [answered, refused, skipped, uncertain, unreadable, open] = plan(6).map(({ callNo }) => callNo)
    calls.ask(answered!, order(10))
    calls.settle(answered!, 'run_1', { status: 'answered', costMicros: 4 })
    calls.ask(refused!, order(10))
    calls.fail(refused!, 'run_1', 'it has no such model')
    calls.skip([skipped!], 'spent')
    calls.ask(uncertain!, order(10))
    calls.settle(uncertain!, 'run_1', { status: 'uncertain', costMicros: undefined, reason: 'cut off' })
    calls.ask(unreadable!, order(10))
    calls.settle(unreadable!, 'run_1', { status: 'failed', costMicros: 0, reason: 'it fits no format' })
    expect(statusOf(world)).toEqual({ planned: 1, answered: 1, failed: 2, uncertain: 1, skipped_budget: 1 })
    expect(plan(6).map(({ callNo }) => callNo)).toEqual([refused, skipped, open])
    expect(statusOf(world)).toEqual({ planned: 3, answered: 1, failed: 1, uncertain: 1 })
  })

  test('takes a target for another one of the same name as long as nothing was bought', () => {
    const { calls, plan, order } = openWithRun()
    const [first, second] = plan(2)
    calls.ask(first!.callNo, order(10))
    const [replanned] = plan(2, { model: 'gpt-6', provider: 'custom' })
    expect(replanned).toEqual({ ...second, model: 'gpt-6', provider: 'custom' })
  })

  test('knows a judgement by its answer and judge, whatever the day', () => {
    const { calls, siteId } = openWithRun()
    const judgement = toNewCall(1, { subject: { kind: 'judgement', answerId: 'ans_1' }, target: 'judge-1' })
    const [first] = calls.plan(siteId, DAY, [judgement])
    expect(calls.plan(siteId, '2026-11-21', [judgement])).toEqual([{ ...first, day: '2026-11-21' }])
    expect(calls.listPlanned(siteId, 'judgement', '2026-11-21')).toHaveLength(1)
    expect(calls.listPlanned(siteId, 'answer', DAY)).toEqual([])
  })
})

describe('the steps of a call', () => {
  test('reserve the upper bound before it is sent, and settle what it cost', () => {
    const { calls, clock, plan, order, spent, scanRuns } = openWithRun()
    const [call] = plan(1)
    expect(calls.ask(call!.callNo, order(100))).toEqual({ kind: 'asked', askedMs: clock.nowMs })
    expect([spent().dayMicros, scanRuns.find('run_1')?.spentMicros]).toEqual([100, 100])
    clock.nowMs += 5_000
    expect(calls.settle(call!.callNo, 'run_1', { status: 'answered', costMicros: 30, searched: true })).toBe(true)
    expect([spent().dayMicros, scanRuns.find('run_1')?.spentMicros]).toEqual([30, 30])
  })

  test('settle the upper bound where the cost is not known', () => {
    const { calls, plan, order, spent } = openWithRun()
    const [call] = plan(1)
    calls.ask(call!.callNo, order(100))
    calls.settle(call!.callNo, 'run_1', { status: 'uncertain', costMicros: undefined, reason: 'cut off' })
    expect(spent().dayMicros).toBe(100)
  })

  test('free what was reserved when nothing was bought, and count the tries', () => {
    const { calls, siteId, plan, order, spent } = openWithRun()
    const [call] = plan(1)
    for (const tries of [1, 2]) {
      calls.ask(call!.callNo, order(100))
      expect(calls.listUnderWay('run_1')).toMatchObject([{ tries, reservedMicros: 100, status: 'asked' }])
      expect(calls.release(call!.callNo, 'run_1', 'too many requests')).toBe(true)
      expect(spent().dayMicros).toBe(0)
    }
    expect(calls.listPlanned(siteId, 'answer', DAY)).toMatchObject([{ tries: 2, reason: 'too many requests' }])
    expect(calls.fail(call!.callNo, 'run_1', 'too many requests, 4 times')).toBe(true)
    expect(calls.listPlanned(siteId, 'answer', DAY)).toEqual([])
  })

  test('count for the day on which it was asked, whatever day it was planned for', () => {
    const { calls, clock, plan, order, spent } = openWithRun()
    const [call] = plan(1)
    clock.nowMs = Date.parse('2026-12-01T00:00:00Z') - 1
    calls.ask(call!.callNo, order(100))
    clock.nowMs += 1
    calls.settle(call!.callNo, 'run_1', { status: 'answered', costMicros: 30 })
    expect(spent('2026-11-30')).toEqual({ dayMicros: 30, monthMicros: 30 })
    expect(spent('2026-12-01')).toEqual({ dayMicros: 0, monthMicros: 0 })
  })

  test('belong to one run alone', () => {
    const { calls, plan, order, startRun } = openWithRun()
    startRun('run_2')
    const [call] = plan(1)
    calls.ask(call!.callNo, order(10))
    expect(calls.ask(call!.callNo, order(10, NO_LIMIT, 'run_2'))).toEqual({ kind: 'taken' })
    expect(calls.settle(call!.callNo, 'run_2', { status: 'answered', costMicros: 1 })).toBe(false)
    expect(calls.release(call!.callNo, 'run_2', 'x')).toBe(false)
    expect(calls.toTask(call!.callNo, 'run_2', 't')).toBe(false)
    expect(calls.fail(call!.callNo, 'run_2', 'x')).toBe(false)
    expect(calls.settle(call!.callNo, 'run_1', { status: 'answered', costMicros: 1 })).toBe(true)
    expect(calls.settle(call!.callNo, 'run_1', { status: 'failed', costMicros: 1 })).toBe(false)
    expect(calls.release(call!.callNo, 'run_1', 'x')).toBe(false)
  })

  test('leave a task to the run that comes after, with the money that is reserved for it', () => {
    const { calls, siteId, plan, order, scanRuns, startRun, token, spent } = openWithRun()
    const [call] = plan(1)
    calls.ask(call!.callNo, order(100))
    expect(calls.toTask(call!.callNo, 'run_1', 'task-7')).toBe(true)
    expect(calls.release(call!.callNo, 'run_1', 'a task is bought')).toBe(false)
    startRun('run_2')
    expect(calls.adoptTasks(siteId, 'answer', 'run_2')).toEqual([])
    scanRuns.end('run_1', token, 'partial')
    expect(calls.adoptTasks(siteId, 'answer', 'run_2')).toMatchObject([{ taskId: 'task-7', runId: 'run_2' }])
    expect(calls.settle(call!.callNo, 'run_2', { status: 'no_answer', costMicros: 40 })).toBe(true)
    expect(spent().dayMicros).toBe(40)
    expect([scanRuns.find('run_1')?.spentMicros, scanRuns.find('run_2')?.spentMicros]).toEqual([0, 40])
  })

  test('repeat an uncertain call only where that is said, and both costs stay spent', () => {
    const { calls, siteId, plan, order, spent } = openWithRun()
    const [call] = plan(1)
    calls.ask(call!.callNo, order(100))
    calls.settle(call!.callNo, 'run_1', { status: 'uncertain', costMicros: undefined, reason: 'cut off' })
    expect(plan(1)).toEqual([])
    expect(calls.planUncertain(siteId, 'answer', '2026-11-19')).toEqual([])
    expect(calls.planUncertain(siteId, 'answer', DAY)).toEqual([call!.callNo])
    calls.ask(call!.callNo, order(100))
    calls.settle(call!.callNo, 'run_1', { status: 'answered', costMicros: 30 })
    expect(spent().dayMicros).toBe(130)
    expect(calls.summarize({ siteId, kind: 'answer' })).toMatchObject([{ costMicros: 130, reservedMicros: 0 }])
  })
})

describe('a call that may have been bought and is not asked again after all', () => {
  const openRetried = () => {
    const world = openWithRun()
    const [call] = world.plan(1)
    const callNo = call!.callNo
    world.calls.ask(callNo, world.order(100))
    world.calls.settle(callNo, 'run_1', { status: 'uncertain', costMicros: undefined, reason: 'cut off' })
    const retry = () => world.calls.planUncertain(world.siteId, 'answer', DAY)
    expect(retry()).toEqual([callNo])
    return { ...world, callNo, retry }
  }

  test.each<[string, (world: ReturnType<typeof openRetried>) => void]>([
    ['the budget is spent', ({ calls, callNo }) => calls.skip([callNo], 'used up')],
    ['its provider is off', ({ calls, callNo }) => void calls.fail(callNo, 'run_1', 'no credit')],
    [
      'it is refused',
      ({ calls, callNo, order }) => {
        calls.ask(callNo, order(100))
        calls.fail(callNo, 'run_1', 'HTTP 400')
      },
    ],
  ])('is uncertain again where %s', (_, end) => {
    const world = openRetried()
    end(world)
    expect(statusOf(world)).toEqual({ uncertain: 1 })
    expect(world.plan(1)).toEqual([])
    expect(world.spent().dayMicros).toBe(100)
    expect(world.retry()).toEqual([world.callNo])
  })

  test('is found by the next retry where the run was stopped', () => {
    const { calls, retry, callNo, order, spent } = openRetried()
    expect(retry()).toEqual([callNo])
    calls.ask(callNo, order(100))
    calls.release(callNo, 'run_1', 'HTTP 429')
    expect(retry()).toEqual([callNo])
    expect(spent().dayMicros).toBe(100)
  })
})

describe('a budget', () => {
  const limits = (dayMicros?: number, monthMicros?: number) => ({ dayMicros, monthMicros })
  test.each<[string, Budget, string]>([
    ['a day', { ...limits(250), targets: new Map() }, `the day's budget of 0.00 USD`],
    ['a month', { ...limits(undefined, 250), targets: new Map() }, `the month's budget of 0.00 USD`],
    ['a run', { ...limits(), targets: new Map(), runMicros: 250 }, `this run's budget of 0.00 USD`],
    [
      'a target',
      { ...limits(900), targets: new Map([['chatgpt', limits(250)]]) },
      `the day's budget of 0.00 USD for chatgpt`,
    ],
  ])('of %s is never exceeded by what is reserved', (_, budget, limit) => {
    const { calls, plan, order, spent } = openWithRun()
    const [first, second, third] = plan(3)
    calls.ask(first!.callNo, order(100, budget))
    calls.ask(second!.callNo, order(100, budget))
    expect(calls.findExceeded(third!.callNo, order(100, budget))).toBe(limit)
    expect(calls.ask(third!.callNo, order(100, budget))).toEqual({ kind: 'over', limit })
    expect(spent().dayMicros).toBe(200)
    calls.settle(first!.callNo, 'run_1', { status: 'answered', costMicros: 40 })
    expect(calls.findExceeded(third!.callNo, order(100, budget))).toBeUndefined()
    expect(calls.ask(third!.callNo, order(100, budget))).toMatchObject({ kind: 'asked' })
    expect(spent()).toEqual({ dayMicros: 240, monthMicros: 240 })
  })

  test('of nothing lets through what costs nothing', () => {
    const { calls, plan, order } = openWithRun()
    const [first, second] = plan(2)
    const nothing = { ...limits(0), targets: new Map() }
    expect(calls.ask(first!.callNo, order(0, nothing))).toMatchObject({ kind: 'asked' })
    expect(calls.ask(second!.callNo, order(1, nothing))).toMatchObject({ kind: 'over' })
  })

  test('of another target or organization is its own', () => {
    const { calls, siteId, organizations, sites, plan, order, startRun } = openWithRun()
    const budget = { ...limits(1_000), targets: new Map([['chatgpt', limits(100)]]) }
    const [first, second] = plan(2)
    calls.ask(first!.callNo, order(100, budget))
    expect(calls.ask(second!.callNo, order(100, budget))).toMatchObject({ kind: 'over' })
    const [other] = calls.plan(siteId, DAY, [toNewCall(1, { target: 'gemini' })])
    expect(calls.ask(other!.callNo, order(900, budget))).toMatchObject({ kind: 'asked' })
    const organizationId = organizations.create({ name: 'Bolt' }).id
    const bolt = sites.create({ name: 'Bolt', domain: 'bolt.com', organizationId })
    startRun('run_b', { siteId: bolt.id })
    const [theirs] = calls.plan(bolt.id, DAY, [toNewCall(1)])
    expect(calls.ask(theirs!.callNo, order(100, budget, 'run_b'))).toMatchObject({ kind: 'asked' })
  })

  test('counts what was spent for sites that are gone', () => {
    const { calls, siteId, organizationId, deletions, sites, plan, order, spent, startRun, scanRuns } = openWithRun()
    const [first, second] = plan(2)
    calls.ask(first!.callNo, order(60))
    calls.ask(second!.callNo, order(60))
    calls.settle(first!.callNo, 'run_1', { status: 'answered', costMicros: 50 })
    deletions.deleteSite(siteId)
    expect(calls.settle(second!.callNo, 'run_1', { status: 'answered', costMicros: 50 })).toBe(false)
    expect([spent().dayMicros, scanRuns.find('run_1')]).toEqual([110, undefined])
    const again = sites.create({ name: 'Acme', domain: 'acme.com', organizationId })
    startRun('run_2', { siteId: again.id })
    const [call] = calls.plan(again.id, DAY, [toNewCall(1)])
    const budget = { ...limits(150), targets: new Map() }
    expect(calls.ask(call!.callNo, order(60, budget, 'run_2'))).toMatchObject({ kind: 'over' })
    deletions.deleteOrganization(organizationId)
    expect(spent().dayMicros).toBe(110)
  })
})

describe('runs', () => {
  test('of a dead process are adopted once, those of a living one never', () => {
    const { catalog, openAgain, scanRuns, siteId, startRun } = openWithRun()
    const other = openAgain()
    const { token, leave } = other.leases.enter()
    startRun('run_2', { token })
    expect(scanRuns.findAlive(siteId, 'answer')?.id).toBe('run_2')
    const mine = catalog.leases.enter()
    expect(scanRuns.adoptDead('answer', mine.token)).toEqual([])
    leave()
    expect(scanRuns.findAlive(siteId, 'answer')?.id).toBe('run_1')
    expect(scanRuns.adoptDead('judgement', mine.token)).toEqual([])
    expect(scanRuns.adoptDead('answer', mine.token, 'other')).toEqual([])
    expect(scanRuns.adoptDead('answer', mine.token, siteId)).toMatchObject([{ id: 'run_2', token: mine.token }])
    expect(other.scanRuns.adoptDead('answer', token)).toEqual([])
    scanRuns.end('run_2', token, 'failed')
    expect(scanRuns.find('run_2')?.status).toBe('running')
    scanRuns.end('run_2', mine.token, 'partial')
    expect(scanRuns.list(siteId, 'answer').map(({ id, status }) => [id, status])).toEqual([
      ['run_2', 'partial'],
      ['run_1', 'running'],
    ])
  })

  test('make the last answer scan a running one', () => {
    const { scans, siteId, scanRuns, token } = openWithRun()
    expect(scans.last(siteId)).toEqual({ date: DAY, status: 'running' })
    scans.record(siteId, [{ day: '2026-11-19', platform: 'chatgpt', promptNos: [1], answers: 1, noAnswers: 0 }])
    expect(scans.last(siteId)).toEqual({ date: '2026-11-19', status: 'running' })
    scanRuns.end('run_1', token, 'complete')
    expect(scans.last(siteId)?.status).not.toBe('running')
  })
})

test('a summary counts by target, with reasons, medians and what searched', () => {
  const { calls, clock, siteId, plan, order } = openWithRun()
  const numbers = plan(6).map(({ callNo }) => callNo)
  const seconds = [1, 4, 2, 9]
  for (const [index, callNo] of numbers.slice(0, 4).entries()) {
    calls.ask(callNo, order(10))
    clock.nowMs += seconds[index]! * 1_000
    const status = index === 3 ? 'no_answer' : 'answered'
    calls.settle(callNo, 'run_1', { status, costMicros: 5, searched: index === 0 || index === 3 })
  }
  for (const callNo of numbers.slice(4)) calls.fail(callNo, 'run_1', 'it is switched off')
  expect(calls.summarize({ siteId, kind: 'answer', runId: 'run_1' })).toEqual([
    {
      target: 'chatgpt',
      role: 'main',
      engine: 'chatgpt',
      provider: 'openai',
      model: 'gpt-5.5',
      calls: 6,
      byStatus: {
        planned: 0,
        asked: 0,
        task: 0,
        answered: 3,
        no_answer: 1,
        failed: 2,
        uncertain: 0,
        skipped_budget: 0,
      },
      searched: 1,
      costMicros: 20,
      reservedMicros: 0,
      medianMs: 3_000,
      reasons: [{ status: 'failed', reason: 'it is switched off', calls: 2 }],
    },
  ])
  expect(calls.summarize({ siteId, kind: 'answer', day: '2026-11-21' })).toEqual([])
})
