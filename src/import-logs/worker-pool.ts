import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { CommandError } from '../errors.ts'
import { LOG_BLOCK_BYTES, LOG_THREAD_YOUNG_MIB, LOG_THREADS_MAX } from '../log-limits.ts'
import type { Batch } from './batch.ts'
import { type Classification, type ClassifyOptions, createClassification } from './classify.ts'
import { BlockClassifier, type LogKind } from './classify-block.ts'
import { getWorkerFile } from './worker-file.ts'

/** Whole lines at the beginning of a block of memory, which is handed over with them. */
export interface BlockTask {
  readonly kind: LogKind
  readonly memory: ArrayBuffer
  readonly bytes: number
  /** Where they start in the content. */
  readonly offset: number
}

export interface BlockAnswer {
  readonly batch: Batch
  /** Given back. */
  readonly memory: ArrayBuffer
}

/** As threads send it: with those paths alone that they have not sent before. */
export interface ThreadAnswer extends BlockAnswer {
  /** Indexes of paths count from the first of these on. */
  readonly isNewList: boolean
}

/** Classifies the blocks of all logs of an import: in this thread at first, once there is much to read in several beside it. */
export class WorkerPool implements AsyncDisposable {
  /** This thread's. */
  readonly classification: Classification
  readonly #options: ClassifyOptions
  readonly #spare: ArrayBuffer[] = []
  #starting: Promise<void> | undefined
  #threads: readonly Thread[] = []

  constructor(options: ClassifyOptions) {
    this.#options = options
    this.classification = createClassification(options)
  }

  /** How many blocks may be under way: enough to keep all threads busy while one is filled. */
  get blocksMax(): number {
    return 2 * this.#threads.length
  }

  /** Room for LOG_BLOCK_BYTES. */
  takeMemory(): ArrayBuffer {
    return this.#spare.pop() ?? new ArrayBuffer(LOG_BLOCK_BYTES)
  }

  giveBack(memory: ArrayBuffer): void {
    this.#spare.push(memory)
  }

  /** Starts the threads, once; where they don't help or can't be started, this one goes on. */
  start(): void {
    this.#starting ??= this.#startThreads()
  }

  /** What the lines come to. The memory may not be used until it is given back. */
  async classify(task: BlockTask): Promise<BlockAnswer> {
    const thread = this.#threads.toSorted((a, b) => a.waiting - b.waiting)[0]
    if (thread) return thread.ask(task)
    const classifier = new BlockClassifier(task.kind, this.classification)
    return { batch: classifier.classify(Buffer.from(task.memory, 0, task.bytes), task.offset), memory: task.memory }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#starting
    await Promise.all(this.#threads.map((thread) => thread.stop()))
  }

  async #startThreads(): Promise<void> {
    const count = Math.min(availableParallelism(), LOG_THREADS_MAX)
    const threads: Thread[] = []
    try {
      if (count > 1) for (let no = 0; no < count; no++) threads.push(new Thread(this.#options))
      await Promise.all(threads.map(({ ready }) => ready))
      this.#threads = threads
    } catch {
      // The system gives no thread more, or no memory for it.
      await Promise.all(threads.map((thread) => thread.stop()))
    }
  }
}

/** A thread beside this one that answers tasks, in their order. */
class Thread {
  /** Fails when the thread can't be started. */
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #answers: PromiseWithResolvers<BlockAnswer>[] = []
  #paths: string[] = []
  #failure: { readonly error: unknown } | undefined

  constructor(options: ClassifyOptions) {
    const ready = Promise.withResolvers<void>()
    this.ready = ready.promise
    this.#worker = new Worker(getWorkerFile(), {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: LOG_THREAD_YOUNG_MIB },
    })
    this.#worker.once('message', () => {
      ready.resolve()
      this.#worker.on('message', (answer: ThreadAnswer) => this.#answers.shift()?.resolve(this.#complete(answer)))
    })
    const fail = (error: unknown): void => {
      ready.reject(error)
      this.#failure ??= { error }
      for (const { reject } of this.#answers.splice(0)) reject(error)
    }
    this.#worker.on('error', fail)
    this.#worker.on('exit', () => fail(new CommandError(STOPPED)))
    // A failure to start is met where the pool waits for it, which may be later.
    this.ready.catch(() => undefined)
  }

  /** How many tasks it has not answered yet. */
  get waiting(): number {
    return this.#answers.length
  }

  /** Fails when the thread has stopped. */
  ask(task: BlockTask): Promise<BlockAnswer> {
    const answer = Promise.withResolvers<BlockAnswer>()
    if (this.#failure) answer.reject(this.#failure.error)
    else {
      this.#answers.push(answer)
      this.#worker.postMessage(task, [task.memory])
    }
    return answer.promise
  }

  #complete({ batch, memory, isNewList }: ThreadAnswer): BlockAnswer {
    if (isNewList) this.#paths = []
    for (const path of batch.paths) this.#paths.push(path)
    return { batch: { ...batch, paths: this.#paths }, memory }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

const STOPPED =
  'a thread that reads log lines stopped; the machine may be short of memory. Nothing was imported: repeat the import.'
