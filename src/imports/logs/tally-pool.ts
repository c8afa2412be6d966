import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { LOG_THREADS_MAX } from '../../limits.ts'
import type { LogFormat } from './log-line.ts'
import type { LogBatch, TallyOptions } from './log-tally.ts'
import type { LogReaderOptions } from './reader.ts'
import { getTallyWorkerFile } from './tally-worker-file.ts'

/** What a thread needs to judge lines. */
export interface TallyWorkerData {
  readonly format: LogFormat | { readonly logFormat: string }
  readonly reader: LogReaderOptions
  readonly tally: TallyOptions
}

/** Whole lines, and where they begin in the content. */
export interface BatchTask {
  readonly bytes: Uint8Array
  readonly offset: number
}

/** Threads that judge batches of lines beside each other. */
export interface TallyPool extends AsyncDisposable {
  /** How many batches keep all threads busy. */
  readonly width: number
  /** What the lines come to. The memory of `bytes` is gone afterwards. */
  tally(bytes: Uint8Array<ArrayBuffer>, offset: number): Promise<LogBatch>
}

/** Undefined where threads don't help or can't be started: then one thread does it all. */
export async function startTallyPool(data: TallyWorkerData): Promise<TallyPool | undefined> {
  const count = Math.min(availableParallelism(), LOG_THREADS_MAX)
  if (count < 2) return undefined
  const threads = startThreads(count, data)
  const started = await Promise.all(threads.map(({ ready }) => ready))
  const stop = async (): Promise<void> => {
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
  if (started.length === 0 || started.includes(false)) {
    await stop()
    return undefined
  }
  let next = 0
  return {
    width: 2 * count,
    tally(bytes, offset) {
      const thread = threads[next]
      if (!thread) throw new Error('the pool has no thread')
      next = (next + 1) % count
      return thread.tally({ bytes, offset })
    },
    [Symbol.asyncDispose]: stop,
  }
}

function startThreads(count: number, data: TallyWorkerData): Thread[] {
  try {
    return Array.from({ length: count }, (_, index) =>
      startThread({ ...data, tally: { ...data.tally, tallyNo: index + 1 } }),
    )
  } catch {
    return []
  }
}

interface Thread {
  readonly worker: Worker
  /** False when the thread can't be started. */
  readonly ready: Promise<boolean>
  tally(task: BatchTask & { readonly bytes: Uint8Array<ArrayBuffer> }): Promise<LogBatch>
}

/** Batches are answered in the order in which they were sent. */
function startThread(data: TallyWorkerData): Thread {
  const worker = new Worker(getTallyWorkerFile(), { workerData: data })
  const waiting: PromiseWithResolvers<LogBatch>[] = []
  const ready = Promise.withResolvers<boolean>()
  worker.on('message', (message: 'ready' | LogBatch) => {
    if (message === 'ready') ready.resolve(true)
    else waiting.shift()?.resolve(message)
  })
  const fail = (error: unknown): void => {
    ready.resolve(false)
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('a thread that reads log lines stopped')))
  return {
    worker,
    ready: ready.promise,
    tally(task) {
      const answer = Promise.withResolvers<LogBatch>()
      waiting.push(answer)
      worker.postMessage(task, [task.bytes.buffer])
      return answer.promise
    },
  }
}
