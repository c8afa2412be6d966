import { setMaxListeners } from 'node:events'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import type { Budget, Call, ScanRun } from '../domain/call.ts'
import type { ProviderId } from '../domain/enums.ts'
import { newId } from '../ids.ts'
import { CALL_DEADLINE_MS, INTAKE_ANSWERS, INTAKE_MS, TASK_AGE_MS_MAX, TASK_WAIT_MS_MAX } from '../call-limits.ts'
import { type Asker, askCall, type Ending } from './ask.ts'
import { type Gate, GATE_LIMITS, type GateLimits, openGate } from './gate.ts'
import { type IntakeLimits, openIntake } from './intake.ts'
import type { Errand, PaidCall } from './paid-call.ts'
import { writePatiently } from './patience.ts'
import { pollTask, type TaskWaits } from './poll-task.ts'
import { type Recovered, recoverRuns } from './recover.ts'
import { type NotAsked, RunCounts, type RunTotals } from './run-counts.ts'
import type { Secrets } from './secrets.ts'
import { openSender } from './send.ts'
import { openSpool, proveRoom } from './spool.ts'
import { openStepQueue } from './step-queue.ts'
import type { Pace } from './targets.ts'

/** What a run of paid calls stands on. */
export interface RunContext {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly dataDir: string
  /** For proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly secrets: Secrets
  readonly toPace: (provider: ProviderId) => Pace
  readonly budget: Budget
  /** Aborted: no further call is begun; those under way are waited for. */
  readonly signal?: AbortSignal | undefined
  /** Aborted: those under way are given up, and are uncertain. */
  readonly abandon?: AbortSignal | undefined
  readonly limits?: Partial<RunLimits> | undefined
  readonly onProgress?: ((totals: RunTotals) => void) | undefined
  /** Called with the run's id inside the transaction that begins it, for what is to be noted with it; of a repeated one again. */
  readonly noteBegun?: ((runId: string) => void) | undefined
  /** Called with the run's id when it stands in the catalog. */
  readonly onBegun?: ((runId: string) => void) | undefined
}

export interface RunLimits {
  readonly deadlineMs: number
  readonly gate: GateLimits
  readonly tasks: TaskWaits
  readonly intake: IntakeLimits
}

const RUN_LIMITS: RunLimits = {
  deadlineMs: CALL_DEADLINE_MS,
  gate: GATE_LIMITS,
  tasks: { waitMsMax: TASK_WAIT_MS_MAX, ageMsMax: TASK_AGE_MS_MAX },
  intake: { answers: INTAKE_ANSWERS, ms: INTAKE_MS },
}

export interface RunRequest {
  readonly siteId: string
  /** UTC day of the plan. */
  readonly day: string
  readonly seed: number
  readonly errand: Errand
  /** Plans the calls, after what dead runs left has been put in order: rows of the queue in the order of asking. */
  plan(): Promise<readonly Call[]>
}

export interface RunResult extends RunTotals {
  readonly runId: string
  readonly recovered: Recovered
  /** Providers that were switched off, and why. */
  readonly off: readonly { readonly provider: ProviderId; readonly reason: string }[]
  readonly wasStopped: boolean
  readonly seconds: number
}

/**
 * Asks paid calls: puts in order what dead runs left, polls their tasks, asks what is planned, and takes the replies into the
 * lake. Rejects with CommandError when replies can't be kept or taken in: nothing further is asked then, and the next run
 * goes on with what is there. For a stopped organization (catalog/moves.ts) nothing is begun: rejects as its changes do.
 */
export async function runCalls(context: RunContext, request: RunRequest): Promise<RunResult> {
  const { catalog, clock, dataDir } = context
  const { siteId, day, seed, errand } = request
  const limits = { ...RUN_LIMITS, ...context.limits }
  const startedMs = performance.now()
  catalog.moves.refuseStopped(siteId)
  const presence = catalog.leases.enter()
  try {
    const { token } = presence
    const recovered = await recoverRuns({ catalog, dataDir, siteId, errand, token })
    const run = { id: newId('run', clock.now()), siteId, kind: errand.kind, day, seed, token }
    await writePatiently(catalog, () =>
      catalog.transaction(() => {
        // It may have been stopped meanwhile; from here on the run keeps it from being stopped.
        catalog.moves.refuseStopped(siteId)
        catalog.scanRuns.start(run)
        context.noteBegun?.(run.id)
      }),
    )
    context.onBegun?.(run.id)
    const tasks = await writePatiently(catalog, () => catalog.calls.adoptTasks(siteId, errand.kind, run.id))
    const calls = await request.plan()
    if (calls.length + tasks.length > 0) await proveRoom(dataDir, run)
    const counts = new RunCounts(calls.length + tasks.length, context.onProgress)
    const gates = await askAll({ context, limits, run, errand, counts }, { calls, tasks })
    await writePatiently(catalog, () => catalog.scanRuns.end(run.id, token, counts.toStatus()))
    return {
      ...counts.totals(),
      runId: run.id,
      recovered,
      off: [...gates].flatMap(([provider, { off }]) => (off === undefined ? [] : [{ provider, reason: off }])),
      wasStopped: context.signal?.aborted === true,
      seconds: (performance.now() - startedMs) / 1_000,
    }
  } finally {
    presence.leave()
  }
}

interface Running {
  readonly context: RunContext
  readonly limits: RunLimits
  readonly run: Pick<ScanRun, 'id' | 'day' | 'token'>
  readonly errand: Errand
  readonly counts: RunCounts
}

async function askAll(
  { context, limits, run, errand, counts }: Running,
  { calls, tasks }: { readonly calls: readonly Call[]; readonly tasks: readonly Call[] },
): Promise<ReadonlyMap<ProviderId, Gate>> {
  const { catalog, clock, dataDir, secrets, budget, abandon } = context
  const failure = new AbortController()
  const signal = AbortSignal.any([failure.signal, ...[context.signal, abandon].filter((each) => each !== undefined)])
  // One listener a wait, of which there are as many as slots.
  setMaxListeners(0, signal, ...(abandon ? [abandon] : []))
  await using sender = openSender({
    environment: context.environment,
    deadlineMs: limits.deadlineMs,
    redact: (text) => secrets.redact(text),
  })
  await using spool = openSpool(dataDir, run)
  using intake = openIntake({ catalog, dataDir, runId: run.id, spool, errand, limits: limits.intake })
  const asker: Asker = {
    runId: run.id,
    budget,
    sender,
    spool,
    abandon,
    step: openStepQueue(catalog).step,
    secretOf: ({ provider }) => secrets.get(provider.id),
  }
  const gates = new Map<ProviderId, Gate>()
  const gateOf = ({ provider: { id, name } }: PaidCall): Gate => {
    const known = gates.get(id)
    if (known) return known
    const gate = openGate({ name, pace: context.toPace(id), signal, limits: limits.gate, now: () => clock.now() })
    gates.set(id, gate)
    return gate
  }
  const room = new Room()
  const unasked: (NotAsked & { readonly callNo: number })[] = []

  const note = (call: PaidCall, ending: Ending | NotAsked): void => {
    counts.note(call, ending)
    if (ending.status === 'off' || ending.status === 'skipped') unasked.push({ ...ending, callNo: call.call.callNo })
    if (ending.status === 'answered' || ending.status === 'no_answer' || ending.status === 'failed') intake.note()
  }
  /** Asks a call when the budget has room for it. What others reserve may become free while they are under way. */
  async function ask(call: PaidCall, gate: Gate): Promise<Ending | NotAsked> {
    const order = { runId: run.id, highMicros: call.highMicros, budget }
    for (;;) {
      if (signal.aborted) return { status: 'left' }
      if (gate.off !== undefined) return { status: 'off', reason: gate.off }
      const limit = catalog.calls.findExceeded(call.call.callNo, order)
      if (limit === undefined) {
        const ending = await room.under(() => askCall(asker, gate, call))
        if (ending.status !== 'over' && (ending.status !== 'left' || signal.aborted)) return ending
      } else if (room.isEmpty) return { status: 'skipped', reason: `${limit} is used up` }
      else await room.next()
    }
  }
  const poll = async (call: PaidCall, task: { taskId: string; askedMs: number }): Promise<void> => {
    const now = (): number => clock.now()
    const context = { asker, gate: gateOf(call), waits: limits.tasks, signal, now }
    note(call, await pollTask(context, call, task))
  }
  const askAndPoll = async (call: PaidCall): Promise<void> => {
    const gate = gateOf(call)
    const ending = await gate.inTurn(() => ask(call, gate))
    if (ending?.status === 'task') await poll(call, ending)
    else note(call, ending)
  }
  const guard = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      failure.abort(error)
    }
  }
  const restore = (call: Call): PaidCall | undefined => {
    const paid = errand.restore(call)
    if (!paid) {
      counts.noteGone(call, GONE)
      // A task is bought: it is polled when its target is configured again.
      if (call.status === 'planned') unasked.push({ status: 'off', reason: GONE, callNo: call.callNo })
    }
    return paid
  }
  await Promise.all([
    ...tasks.map(restore).flatMap((paid) => {
      const { taskId, askedMs } = paid?.call ?? {}
      return paid && taskId !== undefined && askedMs !== undefined ? [guard(poll(paid, { taskId, askedMs }))] : []
    }),
    ...calls.map(restore).flatMap((paid) => (paid ? [guard(askAndPoll(paid))] : [])),
  ])
  await recordUnasked(catalog, run.id, unasked)
  await intake.finish().catch((error: unknown) => failure.abort(error))
  if (failure.signal.aborted) throw failure.signal.reason
  return gates
}

const GONE = 'its target is no longer in scan.json, or its prompt is gone'
const UNASKED_A_WRITE = 500

/** Says of calls that were never begun why: many at a time, since nothing depends on it. */
async function recordUnasked(
  catalog: Catalog,
  runId: string,
  unasked: readonly (NotAsked & { readonly callNo: number })[],
): Promise<void> {
  for (let at = 0; at < unasked.length; at += UNASKED_A_WRITE) {
    await writePatiently(catalog, () =>
      catalog.transaction(() => {
        for (const { callNo, status, reason } of unasked.slice(at, at + UNASKED_A_WRITE)) {
          if (status === 'skipped') catalog.calls.skip([callNo], reason)
          else catalog.calls.fail(callNo, runId, reason)
        }
      }),
    )
  }
}

/** Calls that are under way and have money reserved. */
class Room {
  #underWay = 0
  #next = Promise.withResolvers<void>()

  get isEmpty(): boolean {
    return this.#underWay === 0
  }

  /** Resolves when the next call ends. */
  next(): Promise<void> {
    return this.#next.promise
  }

  async under<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      this.#next.resolve()
      this.#next = Promise.withResolvers()
    }
  }
}
