import type { Asker, Ending } from './ask.ts'
import { exchangeParts, keepAnswer, keepUncertain } from './ask.ts'
import type { Gate } from './gate.ts'
import type { PaidCall } from './paid-call.ts'

export interface TaskWaits {
  /** How long a run waits for a task before it leaves it to the next one. */
  readonly waitMsMax: number
  /** Age at which a task is given up. */
  readonly ageMsMax: number
}

export interface TaskContext {
  readonly asker: Asker
  readonly gate: Gate
  readonly waits: TaskWaits
  /** Aborted: the task is left to the next run. */
  readonly signal: AbortSignal
  readonly now: () => number
}

/**
 * Polls a task, whose id is in the queue already, until its result is there, each time in a slot of its provider. Polling
 * costs nothing, so any failure on the way is waited out. A task that isn't ready stays one, for the next run; one that is too old is uncertain.
 */
export async function pollTask(
  { asker, gate, waits, signal, now }: TaskContext,
  call: PaidCall,
  { taskId, askedMs }: { readonly taskId: string; readonly askedMs: number },
): Promise<Ending> {
  const { step, runId } = asker
  const startedMs = performance.now()
  let nextBackoffMs = gate.openBackoff()
  for (;;) {
    const request = call.poll?.(taskId)
    if (!request) return keepUncertain(asker, call, { replies: [], status: undefined }, { askedMs, reason: NO_POLL })
    const attempt = await gate.attempt(async () => {
      const exchange = await exchangeParts(asker, gate, call, { request, taskId })
      const { verdict, status = 0 } = exchange
      return { exchange, isFailure: verdict.kind === 'unsent' || (verdict.kind === 'uncertain' && !isRead(status)) }
    })
    if (!attempt) return { status: 'left' }
    const { exchange } = attempt
    const { verdict } = exchange
    if (verdict.kind === 'answer') return keepAnswer(asker, call, exchange, askedMs)
    if (verdict.kind === 'refused') {
      const isOwn = await step((calls) => calls.fail(call.call.callNo, runId, verdict.reason))
      return isOwn ? { status: 'unbought', reason: verdict.reason } : { status: 'taken' }
    }
    if (verdict.kind === 'uncertain' && isRead(exchange.status ?? 0)) {
      return keepUncertain(asker, call, exchange, { askedMs, reason: verdict.reason })
    }
    if (verdict.kind === 'off') gate.turnOff(verdict.reason)
    if (now() - askedMs > waits.ageMsMax) {
      const reason = `its task wasn't ready after ${Math.round(waits.ageMsMax / 3_600_000)} hours`
      return keepUncertain(asker, call, exchange, { askedMs, reason })
    }
    if (verdict.kind === 'pending') nextBackoffMs = gate.openBackoff()
    const waitMs = 'afterMs' in verdict && verdict.afterMs !== undefined ? verdict.afterMs : nextBackoffMs()
    if (signal.aborted || performance.now() - startedMs + waitMs > waits.waitMsMax) return { status: 'left' }
    await gate.wait(waitMs)
  }
}

/** Whether the service has looked at the task; an error of its own, or no reply at all (0), says nothing of it. */
function isRead(status: number): boolean {
  return status > 0 && status < 500
}

const NO_POLL = 'its provider gave a task and has no way to ask for it'
