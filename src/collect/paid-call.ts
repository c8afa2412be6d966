import type { Call, CallKind } from '../domain/call.ts'
import type { Provider, ProviderRequest, Reply, Verdict } from './providers/provider.ts'
import type { Envelope } from './spool-line.ts'
import type { Lane } from './spool.ts'

/**
 * What is bought by one planned call, and how its reply is read: an engine's answer (`answer-call.ts`) or a model's judgement.
 * All else is the same for both: queue, budget, gate, sender, spool, recovery (`run-calls.ts`).
 */
export interface PaidCall {
  readonly call: Call
  /** Names the call in the spool, by which it is found again after a crash. Unique in the site. */
  readonly id: string
  readonly provider: Pick<Provider, 'id' | 'name' | 'secret'>
  /** What it costs at most, in micro-dollars: the budget reserves so much. */
  readonly highMicros: number
  /** Where its reply is kept. */
  readonly lane: Exclude<Lane, 'failed'>
  toRequest(): ProviderRequest
  /** The verdict on a reply. `parts` are the JSON bodies kept before it; `taskId` is there for replies to `poll`. */
  classify(reply: Reply, asked: { readonly parts: readonly unknown[]; readonly taskId?: string }): Verdict
  /** For providers that give tasks. */
  poll?(taskId: string): ProviderRequest | undefined
  /** In micro-dollars; undefined when the parts don't tell. */
  cost(parts: readonly unknown[]): number | undefined
  /** What the spool's line says beside `response`. */
  toEnvelope(askedMs: number): Envelope
  /** What the reply is worth that stands under `response` in the envelope: of several parts an array. */
  read(envelope: Envelope, response: unknown): Reading
}

export interface Reading {
  readonly status: 'answered' | 'no_answer' | 'failed'
  /** Why it can't be read. */
  readonly reason?: string | undefined
  readonly searched?: boolean | undefined
}

/** What a kind of paid calls needs beyond one call. */
export interface Errand {
  readonly kind: CallKind
  /** Where replies are kept that are taken in. */
  readonly lane: 'main' | 'judgements'
  /** The `id` of its paid call. */
  toId(call: Call): string
  /** The paid call of a row, as it would be made today; undefined when its prompt, answer or target is gone. */
  restore(call: Call): PaidCall | undefined
  /** Takes a whole file of its lane into the lake; one that was taken in before changes nothing. `path` is absolute. */
  takeIn(path: string): Promise<void>
}
