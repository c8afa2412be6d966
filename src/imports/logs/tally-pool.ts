import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { CommandError } from '../../errors.ts'
import { LOG_THREAD_YOUNG_MIB, LOG_THREADS_MAX } from '../../limits.ts'
import type { LogFormat } from './log-line.ts'
import type { BatchTask } from './batch-judge.ts'
import { openLineMemory } from './line-memory.ts'
import type { LogBatch } from './log-batch.ts'
import type { TallyOptions } from './log-tally.ts'
import type { LogReaderOptions } from './reader.ts'
import { getTallyWorkerFile } from './tally-worker-file.ts'

export interface TallyPoolOptions {
  readonly format: LogFormat | { readonly logFormat: string }
  readonly reader: LogReaderOptions
  readonly tally: TallyOptions
}

/** What a thread needs to judge lines. */
export interface TallyWorkerData extends TallyPoolOptions {
  readonly memory: WebAssembly.Memory
  readonly slotCount: number
}

/** Threads that judge batches of lines beside each other, each in memory of its own that this thread sees, too. */
export interface TallyPool extends AsyncDisposable {
  /** Enough to keep all threads busy while one slot is being filled; those of a thread stand apart. */
  readonly slots: readonly Buffer[]
  /** What the lines come to; until then the slot must stay as it is. */
  tally(task: BatchTask): Promise<LogBatch>
}

/** Undefined where threads don't help or can't be started: then one thread does it all. */
export async function startTallyPool(options: TallyPoolOptions): Promise<TallyPool | undefined> {
  const count = Math.min(availableParallelism(), LOG_THREADS_MAX)
  if (count < 2) return undefined
  const threads = startThreads(count, options)
  const stop = async (): Promise<void> => {
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
  const started = await Promise.all(threads.map(({ ready }) => ready))
  if (started.length < count || started.includes(false)) {
    await stop()
    return undefined
  }
  const places = Array.from({ length: SLOTS }, (_, slot) => threads.map((thread) => ({ thread, slot }))).flat()
  return {
    slots: places.flatMap(({ thread, slot }) => thread.slots[slot] ?? []),
    tally({ slot, ...task }) {
      const place = places[slot]
      if (!place) throw new Error('the pool has no such slot')
      return place.thread.tally({ ...task, slot: place.slot })
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** Of each thread: one is judged, the next one waits, one is filled. */
const SLOTS = 3

/** Fewer than asked for where the system gives no more. */
function startThreads(count: number, options: TallyPoolOptions): Thread[] {
  const threads: Thread[] = []
  try {
    while (threads.length < count) {
      threads.push(startThread({ ...options, tally: { ...options.tally, tallyNo: threads.length + 1 } }))
    }
  } catch {
    // The caller sees it by their number.
  }
  return threads
}

interface Thread {
  readonly worker: Worker
  /** False when the thread can't be started. */
  readonly ready: Promise<boolean>
  readonly slots: readonly Buffer[]
  tally(task: BatchTask): Promise<LogBatch>
}

/** Batches are answered in the order in which they were sent. */
function startThread(options: TallyPoolOptions): Thread {
  const { memory, slots } = openLineMemory(SLOTS)
  const data: TallyWorkerData = { ...options, memory, slotCount: SLOTS }
  const worker = new Worker(getTallyWorkerFile(), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: LOG_THREAD_YOUNG_MIB },
  })
  const waiting: PromiseWithResolvers<LogBatch>[] = []
  const ready = Promise.withResolvers<boolean>()
  let failure: { readonly error: unknown } | undefined
  worker.on('message', (message: 'ready' | LogBatch) => {
    if (message === 'ready') ready.resolve(true)
    else waiting.shift()?.resolve(message)
  })
  const fail = (error: unknown): void => {
    ready.resolve(false)
    failure ??= { error }
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new CommandError(STOPPED)))
  return {
    worker,
    ready: ready.promise,
    slots,
    tally(task) {
      const answer = Promise.withResolvers<LogBatch>()
      // A failure is met where the batch is waited for, which may be later.
      answer.promise.catch(() => undefined)
      if (failure) answer.reject(failure.error)
      else {
        waiting.push(answer)
        worker.postMessage(task, [])
      }
      return answer.promise
    },
  }
}

const STOPPED =
  'a thread that reads log lines stopped; the machine may be short of memory. Nothing was imported: repeat the import.'
