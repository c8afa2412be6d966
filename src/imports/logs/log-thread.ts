import { Worker } from 'node:worker_threads'
import { CommandError } from '../../errors.ts'
import { LOG_THREAD_YOUNG_MIB } from '../../limits.ts'
import { getWorkerFile, type WorkerName } from './worker-file.ts'

/** A thread beside this one that answers requests, in their order. */
export interface LogThread<Request, Answer> extends AsyncDisposable {
  /** False when the thread can't be started. */
  readonly ready: Promise<boolean>
  /** What is in shared memory must stay as it is until the answer. Fails when the thread has stopped. */
  ask(request: Request): Promise<Answer>
}

/** The code says 'ready' first, then one answer to each message. Throws where the system gives no thread. */
export function startLogThread<Request, Answer>(name: WorkerName, data: unknown): LogThread<Request, Answer> {
  const worker = new Worker(getWorkerFile(name), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: LOG_THREAD_YOUNG_MIB },
  })
  const waiting: PromiseWithResolvers<Answer>[] = []
  const ready = Promise.withResolvers<boolean>()
  let isReady = false
  let failure: { readonly error: unknown } | undefined
  worker.on('message', (message: unknown) => {
    if (isReady) waiting.shift()?.resolve(message as Answer)
    isReady = true
    ready.resolve(true)
  })
  const fail = (error: unknown): void => {
    ready.resolve(false)
    failure ??= { error }
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new CommandError(STOPPED)))
  return {
    ready: ready.promise,
    ask(request) {
      const answer = Promise.withResolvers<Answer>()
      // A failure is met where the answer is waited for, which may be later.
      answer.promise.catch(() => undefined)
      if (failure) answer.reject(failure.error)
      else {
        waiting.push(answer)
        worker.postMessage(request, [])
      }
      return answer.promise
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

const STOPPED =
  'a thread that reads log lines stopped; the machine may be short of memory. Nothing was imported: repeat the import.'
