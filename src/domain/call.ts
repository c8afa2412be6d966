import type { EngineId, ProviderId } from './enums.ts'

/**
 * States of a paid call: `planned → asked → (task) → answered | no_answer | failed | uncertain`, or `skipped_budget` from
 * `planned`. What is `asked` may have been bought; `uncertain` is one of which that will never be known.
 */
export const CALL_STATUSES = [
  'planned',
  'asked',
  'task',
  'answered',
  'no_answer',
  'failed',
  'uncertain',
  'skipped_budget',
] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

/** What is bought: an engine's answer to a prompt, or a model's judgement of a stored answer. */
export type CallKind = 'answer' | 'judgement'

/** Targets of reports are `main`; what a `shadow` answers is kept beside them. */
export type TargetRole = 'main' | 'shadow'

/** What makes a call itself and not another one; a second plan finds the same call by it. */
export type CallSubject =
  | { readonly kind: 'answer'; readonly promptNo: number; readonly sample: number }
  | { readonly kind: 'judgement'; readonly answerId: string }

/** A call to be planned. */
export interface NewCall {
  readonly subject: CallSubject
  /** Id of the target, 1 to 64 characters; a judge's names its prompt's version too. */
  readonly target: string
  readonly role: TargetRole
  readonly engine: EngineId
  readonly provider: ProviderId
  readonly model: string | undefined
}

/** A planned call, as the catalog has it. Money is in micro-dollars, moments in milliseconds since 1970. */
export interface Call extends NewCall {
  readonly callNo: number
  readonly siteId: string
  /** UTC day that it is planned for, which becomes the answer's. */
  readonly day: string
  readonly status: CallStatus
  /** The run that asked it last. */
  readonly runId: string | undefined
  /** Times that it was asked. */
  readonly tries: number
  readonly taskId: string | undefined
  readonly reservedMicros: number
  readonly costMicros: number
  /** Of the last time that something may have been bought. */
  readonly askedMs: number | undefined
  readonly endedMs: number | undefined
  readonly reason: string | undefined
  /** The file with the raw reply, below the data directory, without the ending of its compression. */
  readonly spool: string | undefined
}

/** Bounds of what is spent, in micro-dollars, in a UTC day and month; undefined: none. */
export interface SpendLimits {
  readonly dayMicros: number | undefined
  readonly monthMicros: number | undefined
}

/** What an organization may spend in all, and on its single targets. */
export interface Budget extends SpendLimits {
  /** By the id of the target. */
  readonly targets: ReadonlyMap<string, SpendLimits>
  /** Of one run. */
  readonly runMicros?: number | undefined
}

/** One asking of a site's prompts or answers by one process. */
export interface ScanRun {
  readonly id: string
  readonly siteId: string
  readonly kind: CallKind
  readonly day: string
  /** Orders its calls. */
  readonly seed: number
  readonly status: RunStatus
  /** Names the process that asks; a dead one's run is taken over by the next. */
  readonly token: string
  /** Reserved and spent, in micro-dollars. */
  readonly spentMicros: number
  readonly startedMs: number
  readonly endedMs: number | undefined
  /** Why it could not start, where it failed so. */
  readonly reason: string | undefined
}

export const RUN_STATUSES = ['running', 'complete', 'partial', 'failed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]
