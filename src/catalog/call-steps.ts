import type { Budget } from '../domain/call.ts'
import { toDay } from '../domain/day.ts'
import type { CallRow } from './call-rows.ts'
import type { ScanRuns } from './scan-runs.ts'
import type { Spend } from './spend.ts'
import type { Store } from './store.ts'

/**
 * The steps of one paid call, each durable when it returns, with its money in the same transaction: what may cost is
 * reserved before anything is sent, and settled afterwards. A step that comes too late, after another process took the call
 * over or its site was deleted, changes nothing and gives false.
 */
export interface CallSteps {
  /** The limit, in words, that the call would exceed now; undefined when it fits. Reserves nothing. */
  findExceeded(callNo: number, order: Order): string | undefined
  /** `planned → asked` with its upper bound reserved, when the budget has room for it. */
  ask(callNo: number, order: Order): Asked
  /** `asked → planned`: it is proven that nothing was bought. What was reserved is free again. */
  release(callNo: number, runId: string, reason: string): boolean
  /** `asked → task`: bought, and to be polled. */
  toTask(callNo: number, runId: string, taskId: string): boolean
  /** `asked` or `task` to its end; the real cost takes the place of what was reserved. */
  settle(callNo: number, runId: string, outcome: CallOutcome): boolean
  /** `planned`, `asked` or `task → failed`, with nothing bought; a call that may have been bought before is `uncertain` again. */
  fail(callNo: number, runId: string, reason: string): boolean
  /** `planned → skipped_budget`; a call that may have been bought before is `uncertain` again. */
  skip(callNos: readonly number[], reason: string): void
}

export interface Order {
  readonly runId: string
  /** Upper bound of the cost, in micro-dollars. */
  readonly highMicros: number
  readonly budget: Budget
}

export type Asked =
  | { readonly kind: 'asked'; readonly askedMs: number }
  /** Another run has it, or its site is gone. */
  | { readonly kind: 'taken' }
  /** `limit` is the exceeded one in words. */
  | { readonly kind: 'over'; readonly limit: string }

export interface CallOutcome {
  readonly status: 'answered' | 'no_answer' | 'failed' | 'uncertain'
  /** Undefined: it can't be told, and the reserved upper bound is taken for it. */
  readonly costMicros: number | undefined
  readonly reason?: string | undefined
  /** Whether the engine searched the web. */
  readonly searched?: boolean | undefined
  /** The file with the raw reply, below the data directory, without the ending of its compression. */
  readonly spool?: string | undefined
}

interface Parts {
  readonly runs: ScanRuns
  readonly spend: Spend
}

type OwnedRow = CallRow & { readonly organization_id: string }

export function openCallSteps(store: Store, { runs, spend }: Parts): CallSteps {
  const { db } = store
  const select = db.prepare<[number], OwnedRow>(`
    SELECT calls.*, organization_id FROM calls JOIN sites ON sites.id = calls.site_id WHERE call_no = ?`)
  const update = db.prepare<[CallRow]>(`
    UPDATE calls SET status = @status, run_id = @run_id, tries = @tries, task_id = @task_id,
      reserved_micros = @reserved_micros, cost_micros = @cost_micros, asked_ms = @asked_ms, ended_ms = @ended_ms,
      reason = @reason, searched = @searched, spool = @spool
    WHERE call_no = @call_no`)
  const skip = db.prepare<[string, number, number]>(
    `UPDATE calls SET status = CASE WHEN asked_ms IS NULL THEN 'skipped_budget' ELSE 'uncertain' END,
       reason = ?, ended_ms = ?
     WHERE call_no = ? AND status = 'planned'`,
  )

  /** The row, when the run has it under way. */
  const findOwn = (callNo: number, runId: string): OwnedRow | undefined => {
    const row = select.get(callNo)
    return row?.run_id === runId && (row.status === 'asked' || row.status === 'task') ? row : undefined
  }

  /** The time that stands for an earlier asking, which may have bought something too; null where this was the first one. */
  const findEarlier = (row: CallRow): number | null => (row.cost_micros > 0 ? row.asked_ms : null)

  /** Puts an amount in the place of the reserved one. */
  const settleMoney = (row: OwnedRow, micros: number): void => {
    if (row.asked_ms === null || row.run_id === null) return
    const change = micros - row.reserved_micros
    spend.add(row.organization_id, row.target, toDay(row.asked_ms), change)
    runs.addSpent(row.run_id, change)
  }

  const findExceeded = (row: OwnedRow, { runId, highMicros, budget }: Order): string | undefined =>
    spend.findExceeded(
      {
        organizationId: row.organization_id,
        target: row.target,
        day: toDay(store.clock.now()),
        micros: highMicros,
        runMicros: runs.find(runId)?.spentMicros ?? 0,
      },
      budget,
    )

  return {
    findExceeded: (callNo, order) =>
      store.read(() => {
        const row = select.get(callNo)
        return row && findExceeded(row, order)
      }),
    ask: (callNo, order) =>
      store.write((): Asked => {
        const row = select.get(callNo)
        if (row?.status !== 'planned') return { kind: 'taken' }
        const limit = findExceeded(row, order)
        if (limit !== undefined) return { kind: 'over', limit }
        const askedMs = store.clock.now()
        spend.add(row.organization_id, row.target, toDay(askedMs), order.highMicros)
        runs.addSpent(order.runId, order.highMicros)
        const tries = row.tries + 1
        const asked = { status: 'asked', run_id: order.runId, tries, reserved_micros: order.highMicros } as const
        update.run({ ...row, ...asked, asked_ms: askedMs, ended_ms: null, task_id: null, reason: null })
        return { kind: 'asked', askedMs }
      }),
    release: (callNo, runId, reason) =>
      store.write(() => {
        const row = findOwn(callNo, runId)
        if (row?.status !== 'asked') return false
        settleMoney(row, 0)
        update.run({ ...row, status: 'planned', reserved_micros: 0, asked_ms: findEarlier(row), reason })
        return true
      }),
    toTask: (callNo, runId, taskId) =>
      store.write(() => {
        const row = findOwn(callNo, runId)
        if (row?.status !== 'asked') return false
        update.run({ ...row, status: 'task', task_id: taskId })
        return true
      }),
    settle: (callNo, runId, { status, costMicros, reason = null, searched, spool }) =>
      store.write(() => {
        const row = findOwn(callNo, runId)
        if (!row) return false
        const cost = costMicros ?? row.reserved_micros
        settleMoney(row, cost)
        const money = { reserved_micros: 0, cost_micros: row.cost_micros + cost }
        const told = {
          reason,
          searched: searched === undefined ? null : searched ? 1 : 0,
          spool: spool ?? null,
        } as const
        update.run({ ...row, ...money, ...told, status, ended_ms: store.clock.now() })
        return true
      }),
    fail: (callNo, runId, reason) =>
      store.write(() => {
        const row = select.get(callNo)
        if (!row || (row.status !== 'planned' && !findOwn(callNo, runId))) return false
        if (row.status !== 'planned') settleMoney(row, 0)
        const nothing = { reserved_micros: 0, asked_ms: findEarlier(row), task_id: null }
        const status = nothing.asked_ms === null ? 'failed' : 'uncertain'
        update.run({ ...row, ...nothing, status, run_id: runId, reason, ended_ms: store.clock.now() })
        return true
      }),
    skip: (callNos, reason) => {
      store.write(() => {
        const nowMs = store.clock.now()
        for (const callNo of callNos) skip.run(reason, nowMs, callNo)
      })
    },
  }
}
