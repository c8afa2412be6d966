import { availableParallelism } from 'node:os'
import { LOG_THREADS_MAX } from '../../limits.ts'
import type { BatchTask } from './batch-judge.ts'
import { openLineMemory } from './line-memory.ts'
import type { LogBatch } from './log-batch.ts'
import type { LogFormat } from './log-line.ts'
import type { TallyOptions } from './log-tally.ts'
import { type LogThread, startLogThread } from './log-thread.ts'
import type { LogReaderOptions } from './reader.ts'

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

/** Threads beside this one, for batches of lines in memory that all of them see. */
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
  await using stack = new AsyncDisposableStack()
  try {
    const judging = Array.from({ length: count }, (_, no) => {
      const { memory, slots } = openLineMemory(SLOTS)
      const tally = { ...options.tally, tallyNo: no + 1 }
      const data: TallyWorkerData = { ...options, tally, memory, slotCount: SLOTS }
      return { slots, thread: stack.use(startLogThread<BatchTask, LogBatch>('tally-worker', data)) }
    })
    const started = await Promise.all(judging.map(({ thread }) => isReady(thread)))
    if (started.includes(false)) return undefined
    const places = Array.from({ length: SLOTS }, (_, slot) => judging.map(({ thread }) => ({ thread, slot }))).flat()
    const threads = stack.move()
    return {
      slots: Array.from({ length: SLOTS }, (_, slot) => judging.flatMap(({ slots }) => slots[slot] ?? [])).flat(),
      tally({ slot, ...task }) {
        const place = places[slot]
        if (!place) throw new Error('the pool has no such slot')
        return place.thread.ask({ ...task, slot: place.slot })
      },
      [Symbol.asyncDispose]: () => threads.disposeAsync(),
    }
  } catch {
    // The system gives no thread more, or no memory for it.
    return undefined
  }
}

/** Of each thread: one is judged, the next one waits, one is filled. */
const SLOTS = 3

function isReady({ ready }: Pick<LogThread<unknown, unknown>, 'ready'>): Promise<boolean> {
  return ready
}
