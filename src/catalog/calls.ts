import type { Call, CallKind, NewCall } from '../domain/call.ts'
import { type CallRow, toCall, toKey } from './call-rows.ts'
import { type CallSteps, openCallSteps } from './call-steps.ts'
import { openCallSummary, type SummaryOf, type TargetSummary } from './call-summary.ts'
import type { ScanRuns } from './scan-runs.ts'
import type { Spend } from './spend.ts'
import { type JudgeCalls, openJudgeCalls } from './judge-calls.ts'
import type { Store } from './store.ts'

/** The queue of paid calls. */
export interface Calls extends CallSteps, JudgeCalls {
  /**
   * Plans calls of a site and day. One that is there stays as it is, unless nothing was bought by it: those that were
   * skipped, refused or never sent are planned again. Gives those that are now to be asked, in the given order.
   */
  plan(siteId: string, day: string, calls: readonly NewCall[]): Call[]
  /**
   * `uncertain → planned`, which may buy a second time; what was settled stays spent. Gives their numbers, with those that an
   * earlier retry planned and left.
   */
  planUncertain(siteId: string, kind: CallKind, day: string): number[]
  /** What `plan` would not give: calls for answers of a site and day that were asked, or may have been. */
  listMade(siteId: string, day: string): readonly MadeCall[]
  /** Planned calls of a site and day, whoever planned them. */
  listPlanned(siteId: string, kind: CallKind, day: string): Call[]
  /** Calls of a run that are asked or tasks. */
  listUnderWay(runId: string): Call[]
  /** Takes over the tasks of runs that have ended, to poll them on. */
  adoptTasks(siteId: string, kind: CallKind, runId: string): Call[]
  /** What a spool file of the run holds is in the lake. */
  markImported(runId: string, spool: string): void
  /** Bought calls of a site whose reply could not be read, those to main targets. */
  listUnread(siteId: string): Call[]
  /** `failed → answered` or `no_answer`: an adapter reads now what was bought then. */
  markRead(callNo: number, status: 'answered' | 'no_answer'): void
  /** Counts, costs and reasons by target. */
  summarize(of: SummaryOf): TargetSummary[]
}

/** A call for an answer, by what makes it itself. */
export interface MadeCall {
  readonly promptNo: number
  readonly target: string
  readonly sample: number
}

/** Nothing was bought by these. */
const UNBOUGHT = `(status IN ('planned', 'skipped_budget') OR (status = 'failed' AND asked_ms IS NULL))`

export function openCalls(store: Store, parts: { readonly runs: ScanRuns; readonly spend: Spend }): Calls {
  const { db } = store
  const prepareUpsert = (conflict: string) =>
    db.prepare<[object]>(`
      INSERT INTO calls
        (kind, site_id, day, prompt_no, answer_id, target, sample, role, engine, provider, model, status)
      VALUES
        (@kind, @siteId, @day, @promptNo, @answerId, @target, @sample, @role, @engine, @provider, @model, 'planned')
      ON CONFLICT ${conflict} DO UPDATE SET
        status = 'planned', day = excluded.day, role = excluded.role, engine = excluded.engine,
        provider = excluded.provider, model = excluded.model, reason = NULL, ended_ms = NULL, tries = 0
      WHERE ${UNBOUGHT}`)
  const upsert = {
    answer: prepareUpsert(`(site_id, day, prompt_no, target, sample) WHERE kind = 'answer'`),
    judgement: prepareUpsert(`(site_id, answer_id, target) WHERE kind = 'judgement'`),
  }
  const selectByKey = {
    answer: db.prepare<[object], CallRow>(`
      SELECT * FROM calls WHERE kind = 'answer' AND site_id = @siteId AND day = @day AND prompt_no = @promptNo
        AND target = @target AND sample = @sample`),
    judgement: db.prepare<[object], CallRow>(`
      SELECT * FROM calls
      WHERE kind = 'judgement' AND site_id = @siteId AND answer_id = @answerId AND target = @target`),
  }
  const planUncertain = db
    .prepare<[string, CallKind, string], number>(`
      UPDATE calls SET status = 'planned', ended_ms = NULL, task_id = NULL, tries = 0
      WHERE site_id = ? AND kind = ? AND day = ? AND asked_ms IS NOT NULL AND status IN ('uncertain', 'planned')
      RETURNING call_no`)
    .pluck()
  const selectMade = db.prepare<[string, string], MadeCall>(`
    SELECT prompt_no AS promptNo, target, sample FROM calls
    WHERE kind = 'answer' AND site_id = ? AND day = ? AND NOT ${UNBOUGHT}`)
  const selectPlanned = db.prepare<[string, CallKind, string], CallRow>(
    `SELECT * FROM calls WHERE site_id = ? AND kind = ? AND day = ? AND status = 'planned' ORDER BY call_no`,
  )
  const selectUnderWay = db.prepare<[string], CallRow>(
    `SELECT * FROM calls WHERE run_id = ? AND status IN ('asked', 'task') ORDER BY call_no`,
  )
  const selectLeftTasks = db.prepare<[string, CallKind], CallRow>(`
    SELECT * FROM calls
    WHERE site_id = ? AND kind = ? AND status = 'task'
      AND run_id IN (SELECT id FROM scan_runs WHERE status <> 'running')`)
  const moveToRun = db.prepare<[string, number]>('UPDATE calls SET run_id = ? WHERE call_no = ?')
  const selectUnread = db.prepare<[string], CallRow>(`
    SELECT * FROM calls
    WHERE site_id = ? AND kind = 'answer' AND role = 'main' AND status = 'failed' AND spool IS NOT NULL
    ORDER BY call_no`)
  const markRead = db.prepare<[string, number]>(
    `UPDATE calls SET status = ?, reason = NULL, imported = 1 WHERE call_no = ? AND status = 'failed'`,
  )
  const markImported = db.prepare<[string, string]>('UPDATE calls SET imported = 1 WHERE run_id = ? AND spool = ?')

  return {
    ...openJudgeCalls(store),
    ...openCallSteps(store, parts),
    plan: (siteId, day, calls) =>
      store.write(() =>
        calls.flatMap((call) => {
          const key = toKey(siteId, day, call)
          const { role, engine, provider, model } = call
          upsert[key.kind].run({ ...key, role, engine, provider, model: model ?? null })
          const row = selectByKey[key.kind].get(key)
          return row?.status === 'planned' ? [toCall(row)] : []
        }),
      ),
    planUncertain: (siteId, kind, day) => store.write(() => planUncertain.all(siteId, kind, day)),
    listMade: (siteId, day) => store.read(() => selectMade.all(siteId, day)),
    listPlanned: (siteId, kind, day) => store.read(() => selectPlanned.all(siteId, kind, day)).map(toCall),
    listUnderWay: (runId) => store.read(() => selectUnderWay.all(runId)).map(toCall),
    adoptTasks: (siteId, kind, runId) =>
      store.write(() =>
        selectLeftTasks.all(siteId, kind).map((row) => {
          moveToRun.run(runId, row.call_no)
          // What was reserved is settled with the run that has the call.
          parts.runs.addSpent(row.run_id ?? '', -row.reserved_micros)
          parts.runs.addSpent(runId, row.reserved_micros)
          return toCall({ ...row, run_id: runId })
        }),
      ),
    markImported: (runId, spool) => {
      store.write(() => markImported.run(runId, spool))
    },
    listUnread: (siteId) => store.read(() => selectUnread.all(siteId)).map(toCall),
    markRead: (callNo, status) => {
      store.write(() => markRead.run(status, callNo))
    },
    summarize: openCallSummary(store),
  }
}
