import type { CallOutcome, CallSteps } from '../catalog/call-steps.ts'
import type { Budget } from '../domain/call.ts'
import { CALL_FOLLOWS_MAX, CALL_TRIES_MAX } from '../call-limits.ts'
import type { Gate } from './gate.ts'
import type { PaidCall } from './paid-call.ts'
import type { ProviderRequest, Reply, Verdict } from './providers/provider.ts'
import type { Sender, SendFailure } from './send.ts'
import type { Spool } from './spool.ts'
import { toFailureLine, toSpoolLine } from './spool-line.ts'

/** What calls of a run are asked with. */
export interface Asker {
  readonly runId: string
  readonly budget: Budget
  /** The steps of the queue, each done when its promise is. */
  readonly step: <T>(work: (calls: CallSteps) => T) => Promise<T>
  readonly sender: Sender
  readonly spool: Spool
  readonly secretOf: (call: PaidCall) => string | undefined
  /** Aborted: calls under way are given up, and are uncertain. */
  readonly abandon: AbortSignal | undefined
}

/** What became of a call. */
export type Ending =
  | CallOutcome
  /** Failed with nothing bought. */
  | { readonly status: 'unbought'; readonly reason: string }
  /** Bought, and to be polled. */
  | { readonly status: 'task'; readonly taskId: string; readonly askedMs: number }
  /** Still planned, because the budget has no room now. */
  | { readonly status: 'over'; readonly limit: string }
  /** Still planned or a task, because the run stops or the provider is off. */
  | { readonly status: 'left' }
  /** Another run has it. */
  | { readonly status: 'taken' }

/**
 * Asks one call: tries it, each time in a slot of its provider, until something was bought, at most CALL_TRIES_MAX times, and
 * only as long as it is proven that nothing was. What was bought stands in the spool before the queue says so.
 */
export async function askCall(asker: Asker, gate: Gate, call: PaidCall): Promise<Ending> {
  const nextBackoffMs = gate.openBackoff()
  for (let tries = 1; ; tries++) {
    const attempt = await gate.attempt(() => tryCall(asker, gate, call))
    if (attempt === undefined) return { status: 'left' }
    const { ending } = attempt
    if (ending.status === 'reply') return keepReply(asker, call, ending)
    if (ending.status !== 'retry') return ending
    if (tries === CALL_TRIES_MAX) return giveUp(asker, call, `${ending.reason} (${tries} tries)`)
    await gate.wait(ending.afterMs ?? nextBackoffMs())
  }
}

interface Retry {
  readonly status: 'retry'
  readonly reason: string
  readonly afterMs: number | undefined
}

/** Something was bought, or may have been; the slot is free for the next call while it is stored. */
interface Bought {
  readonly status: 'reply'
  readonly exchange: Exchange
  readonly askedMs: number
}

interface Attempt {
  readonly ending: Ending | Retry | Bought
  /** Whether the provider is in trouble. */
  readonly isFailure: boolean
}

async function giveUp({ step, runId }: Asker, { call }: PaidCall, reason: string): Promise<Ending> {
  const isOwn = await step((calls) => calls.fail(call.callNo, runId, reason))
  return isOwn ? { status: 'unbought', reason } : { status: 'taken' }
}

/** One try: from the reservation to what came of it. */
async function tryCall(asker: Asker, gate: Gate, call: PaidCall): Promise<Attempt> {
  const { step, runId, budget } = asker
  const { callNo } = call.call
  const asked = await step((calls) => calls.ask(callNo, { runId, highMicros: call.highMicros, budget }))
  if (asked.kind === 'taken') return { ending: { status: 'taken' }, isFailure: false }
  if (asked.kind === 'over') return { ending: { status: 'over', limit: asked.limit }, isFailure: false }
  const release = async (reason: string, afterMs: number | undefined): Promise<Retry> => {
    await step((calls) => calls.release(callNo, runId, reason))
    return { status: 'retry', reason, afterMs }
  }
  const exchange = await exchangeParts(asker, gate, call, { request: call.toRequest() })
  const { verdict } = exchange
  switch (verdict.kind) {
    case 'unsent':
      return { ending: await release(`nothing could be sent: ${verdict.reason}`, undefined), isFailure: true }
    case 'retry': {
      const isTooFast = exchange.status === 429
      if (isTooFast) gate.slowDown(verdict.afterMs ?? 0)
      return {
        ending: await release(`HTTP ${exchange.status}, to be tried later`, verdict.afterMs),
        isFailure: !isTooFast,
      }
    }
    case 'refused':
      return { ending: await giveUp(asker, call, verdict.reason), isFailure: false }
    case 'off':
      gate.turnOff(verdict.reason)
      return { ending: await giveUp(asker, call, verdict.reason), isFailure: false }
    case 'task': {
      const { taskId } = verdict
      await step((calls) => calls.toTask(callNo, runId, taskId))
      return { ending: { status: 'task', taskId, askedMs: asked.askedMs }, isFailure: false }
    }
    case 'answer':
      return { ending: { status: 'reply', exchange, askedMs: asked.askedMs }, isFailure: false }
    case 'pending':
    case 'follow':
    case 'uncertain':
      return { ending: { status: 'reply', exchange, askedMs: asked.askedMs }, isFailure: true }
  }
}

function keepReply(asker: Asker, call: PaidCall, { exchange, askedMs }: Bought): Promise<Ending> {
  const { verdict } = exchange
  if (verdict.kind === 'answer') return keepAnswer(asker, call, exchange, askedMs)
  const reason = verdict.kind === 'uncertain' ? verdict.reason : `an unexpected reply (${verdict.kind})`
  return keepUncertain(asker, call, exchange, { askedMs, reason })
}

/** Replies that belong together, and the verdict on the last one. */
export interface Exchange {
  readonly verdict: Verdict | SendFailure
  /** HTTP status of the last reply. */
  readonly status: number | undefined
  /** Parts of the response, in their order; with the last reply's body whatever its verdict. */
  readonly replies: readonly Reply[]
}

/** Asks for the first part of a reply and, at once and in the same slot, for those that it leads to. */
export async function exchangeParts(
  { sender, secretOf, abandon }: Asker,
  gate: Gate,
  call: PaidCall,
  { request: first, taskId }: { readonly request: ProviderRequest; readonly taskId?: string },
): Promise<Exchange> {
  const replies: Reply[] = []
  const nextBackoffMs = gate.openBackoff()
  let request = first
  for (let follows = 0, tries = 1; ;) {
    const secret = secretOf(call)
    const sent = await sender.send({
      request,
      place: call.provider.secret,
      secret,
      ...(abandon ? { signal: abandon } : {}),
    })
    let verdict: Verdict | SendFailure
    if ('kind' in sent) verdict = sent
    else {
      gate.learn(sent.headers)
      const parts = replies.map(({ json }) => json)
      verdict = call.classify(sent, { parts, ...(taskId === undefined ? {} : { taskId }) })
    }
    const mayRepeat = verdict.kind === 'unsent' || verdict.kind === 'retry'
    // The parts before are bought: only the one that failed is asked for again.
    if (mayRepeat && replies.length > 0 && tries < CALL_TRIES_MAX) {
      tries += 1
      await gate.wait(('afterMs' in verdict ? verdict.afterMs : undefined) ?? nextBackoffMs())
      continue
    }
    const status = 'kind' in sent ? undefined : sent.status
    if (mayRepeat && replies.length > 0) {
      const reason = `a further part of the reply didn't come (${status === undefined ? 'nothing could be sent' : `HTTP ${status}`})`
      return { verdict: { kind: 'uncertain', reason }, status, replies }
    }
    if (!('kind' in sent)) replies.push(sent)
    if (verdict.kind !== 'follow') return { verdict, status, replies }
    if (follows === CALL_FOLLOWS_MAX) {
      return { verdict: { kind: 'uncertain', reason: `the reply has more than ${follows} parts` }, status, replies }
    }
    follows += 1
    request = verdict.request
  }
}

/** Keeps a whole reply in the spool, then says in the queue what it is worth. */
export async function keepAnswer(
  { step, spool, runId }: Asker,
  call: PaidCall,
  { replies }: Exchange,
  askedMs: number,
): Promise<Ending> {
  const parts = replies.map(({ json }) => json)
  const envelope = call.toEnvelope(askedMs)
  const reading = call.read(envelope, parts.length === 1 ? parts[0] : parts)
  const outcome = { ...reading, costMicros: call.cost(parts) }
  let isOwn = false
  await spool.keep(
    call.lane,
    toSpoolLine(
      envelope,
      replies.map(({ body }) => body),
    ),
    async (name) => {
      isOwn = await step((calls) => calls.settle(call.call.callNo, runId, { ...outcome, spool: name }))
    },
  )
  return isOwn ? outcome : { status: 'taken' }
}

/** Ends a call that may have been bought; what came of its reply is kept for whoever looks into it. */
export async function keepUncertain(
  { step, spool, runId }: Asker,
  call: PaidCall,
  { replies, status }: Pick<Exchange, 'replies' | 'status'>,
  { askedMs, reason }: { readonly askedMs: number; readonly reason: string },
): Promise<Ending> {
  const outcome = { status: 'uncertain', reason, costMicros: undefined } as const
  let isOwn = false
  const settle = async (name?: string): Promise<void> => {
    isOwn = await step((calls) => calls.settle(call.call.callNo, runId, { ...outcome, spool: name }))
  }
  if (replies.length === 0) await settle()
  else {
    const bodies = replies.map(({ body }) => new TextDecoder().decode(body))
    await spool.keep('failed', toFailureLine({ ...call.toEnvelope(askedMs), status, reason }, bodies), settle)
  }
  return isOwn ? outcome : { status: 'taken' }
}
