import type { Call, CallKind, CallStatus, NewCall, TargetRole } from '../domain/call.ts'
import type { EngineId, ProviderId } from '../domain/enums.ts'

export interface CallRow {
  readonly call_no: number
  readonly kind: CallKind
  readonly site_id: string
  readonly day: string
  readonly prompt_no: number | null
  readonly answer_id: string | null
  readonly target: string
  readonly sample: number
  readonly role: TargetRole
  readonly engine: EngineId
  readonly provider: ProviderId
  readonly model: string | null
  readonly status: CallStatus
  readonly run_id: string | null
  readonly tries: number
  readonly task_id: string | null
  readonly reserved_micros: number
  readonly cost_micros: number
  readonly asked_ms: number | null
  readonly ended_ms: number | null
  readonly reason: string | null
  readonly searched: 0 | 1 | null
  readonly spool: string | null
}

export function toCall(row: CallRow): Call {
  return {
    callNo: row.call_no,
    subject:
      row.kind === 'answer'
        ? { kind: 'answer', promptNo: row.prompt_no ?? 0, sample: row.sample }
        : { kind: 'judgement', answerId: row.answer_id ?? '' },
    siteId: row.site_id,
    day: row.day,
    target: row.target,
    role: row.role,
    engine: row.engine,
    provider: row.provider,
    model: row.model ?? undefined,
    status: row.status,
    runId: row.run_id ?? undefined,
    tries: row.tries,
    taskId: row.task_id ?? undefined,
    reservedMicros: row.reserved_micros,
    costMicros: row.cost_micros,
    askedMs: row.asked_ms ?? undefined,
    endedMs: row.ended_ms ?? undefined,
    reason: row.reason ?? undefined,
    spool: row.spool ?? undefined,
  }
}

/** What names the call, as columns. */
export function toKey(siteId: string, day: string, { subject, target }: NewCall): CallKey {
  return subject.kind === 'answer'
    ? { siteId, day, target, promptNo: subject.promptNo, answerId: null, sample: subject.sample, kind: 'answer' }
    : { siteId, day, target, promptNo: null, answerId: subject.answerId, sample: 1, kind: 'judgement' }
}

export interface CallKey {
  readonly siteId: string
  readonly day: string
  readonly target: string
  readonly promptNo: number | null
  readonly answerId: string | null
  readonly sample: number
  readonly kind: CallKind
}
