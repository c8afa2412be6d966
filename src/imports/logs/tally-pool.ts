import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { LOG_THREAD_YOUNG_MIB, LOG_THREADS_MAX } from '../../limits.ts'
import type { LogFormat } from './log-line.ts'
import type { LogBatch, TallyOptions } from './log-tally.ts'
import type { LogReaderOptions } from './reader.ts'
import { getTallyWorkerFile } from './tally-worker-file.ts'

export interface TallyPoolOptions {
  readonly format: LogFormat | { readonly logFormat: string }
  readonly reader: LogReaderOptions
  readonly tally: TallyOptions
  /** Of one slot, in bytes. */
  readonly slotBytes: number
}

/** What a thread needs to judge lines. */
export interface TallyWorkerData extends Omit<TallyPoolOptions, 'slotBytes'> {
  readonly slots: readonly SharedArrayBuffer[]
}

/** Whole lines at the beginning of a slot. */
export interface TallyTask {
  /** Place among the slots. */
  readonly slot: number
  readonly bytes: number
  /** Where they begin in the content. */
  readonly offset: number
}

/** Threads that judge batches of lines beside each other, each in a slot of memory that all of them see. */
export interface TallyPool extends AsyncDisposable {
  /** Enough to keep all threads busy while one slot is being filled. */
  readonly slots: readonly Buffer[]
  /** What the lines come to; until then the slot must stay as it is. */
  tally(task: TallyTask): Promise<LogBatch>
}

/** Undefined where threads don't help or can't be started: then one thread does it all. */
export async function startTallyPool({ slotBytes, ...data }: TallyPoolOptions): Promise<TallyPool | undefined> {
  const count = Math.min(availableParallelism(), LOG_THREADS_MAX)
  if (count < 2) return undefined
  const slots = Array.from({ length: 2 * count + 1 }, () => new SharedArrayBuffer(slotBytes))
  const threads = startThreads(count, { ...data, slots })
  const stop = async (): Promise<void> => {
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
  const started = await Promise.all(threads.map(({ ready }) => ready))
  if (started.length < count || started.includes(false)) {
    await stop()
    return undefined
  }
  let next = 0
  return {
    slots: slots.map((slot) => Buffer.from(slot)),
    tally(task) {
      const thread = threads[next]
      if (!thread) throw new Error('the pool has no thread')
      next = (next + 1) % count
      return thread.tally(task)
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** Fewer than asked for where the system gives no more. */
function startThreads(count: number, data: TallyWorkerData): Thread[] {
  const threads: Thread[] = []
  try {
    while (threads.length < count) {
      threads.push(startThread({ ...data, tally: { ...data.tally, tallyNo: threads.length + 1 } }))
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
  tally(task: TallyTask): Promise<LogBatch>
}

/** Batches are answered in the order in which they were sent. */
function startThread(data: TallyWorkerData): Thread {
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
  worker.on('exit', () => fail(new Error('a thread that reads log lines stopped')))
  return {
    worker,
    ready: ready.promise,
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
