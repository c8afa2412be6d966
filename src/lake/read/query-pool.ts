import { rm } from 'node:fs/promises'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { INTERRUPT_REPEAT_MS, WHOLE_BATCH_ROWS } from '../../limits.ts'
import { makeDirectory } from '../../make-directory.ts'
import type { Row } from '../cells.ts'
import { prepareDuckdbLibrary } from '../duckdb-library.ts'
import { createQuerySlots, type QuerySlotsOptions } from './query-slots.ts'
import { hasBroken, metBroken, toApiError } from './query-error.ts'
import { releaseAfter, type RowBatches, toBatches } from './row-batches.ts'
import type { Sql } from '../sql.ts'
import { Abandoned, startWork, toReason, type Work } from './work.ts'

export interface QueryPoolOptions extends QuerySlotsOptions {
  readonly lakeDir: string
  readonly spillDir: string
  readonly threads: number
  readonly memoryMib: number
  readonly spillGib: number
  readonly timeoutMs: number
}

/** Runs SELECTs over the lake, a bounded number at once, each under a deadline. */
export interface QueryPool {
  /**
   * Rows of one SELECT, cells as JSON values (integers as numbers; days and other types must be made text in the SQL).
   * Ends with `work`, or without it after the pool's own time. Throws why the work was given up (ApiError `query_timeout`
   * where it took too long), ApiError `overloaded` or, for a query that reads files, `data_unavailable`; DuckDB's own error
   * for anything else.
   */
  select(query: Sql, work?: Work): Promise<Row[]>
  /** The same for `count` rows with long texts, in slices that are read as they are asked for. */
  selectTexts(query: Sql, count: number, work?: Work): Promise<Iterable<readonly Row[]>>
  /** The same; the rows stay in DuckDB until they are asked for, which may take as long as it likes. Dispose of them. */
  selectInBatches(query: Sql, work?: Work): Promise<RowBatches>
  /** Loads DuckDB, which the first SELECT does otherwise. Rejects when its library can't be loaded. */
  load(): Promise<void>
  close(): Promise<void>
}

/** A pool over the lake's directory. DuckDB is opened by the first SELECT, and anew after it broke. Close it in the end. */
export function openQueryPool(options: QueryPoolOptions): QueryPool {
  let current: Opened | undefined
  const slots = createQuerySlots(options)
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const kept = new Set<RowBatches>()

  /** The next query opens another one: a full disk, a missing permission or a broken state may be gone by then. */
  function retire(opened: Opened): void {
    if (opened === current) current = undefined
  }

  async function run<T>(query: Sql, given: Work | undefined, ways: Ways<T>): Promise<T> {
    using own = given === undefined ? startWork(options.timeoutMs) : undefined
    const work = given ?? own
    if (work === undefined) throw new Error('a query belongs to no work')
    await slots.take(work)
    const promise = runRepeated(query, AbortSignal.any([work.signal, closing.signal]), ways)
    underWay.add(promise)
    try {
      return toValue(await promise, query)
    } finally {
      underWay.delete(promise)
      slots.release(work)
    }
  }

  /**
   * A query that broke its DuckDB by a fault of DuckDB's own is repeated once, alone in another; one that met a broken
   * one is repeated in the next.
   */
  async function runRepeated<T>(query: Sql, signal: AbortSignal, ways: Ways<T>): Promise<Outcome<T>> {
    for (let repeats = BROKEN_MET_MAX; ; repeats -= 1) {
      const outcome = await runShared(query, signal, ways)
      if (signal.aborted) {
        if (outcome.value !== undefined) await ways.discard?.(outcome.value)
        throw toReason(signal)
      }
      if (repeats === 0) return outcome
      if (hasBroken(outcome.error)) return runAlone(query, signal, ways)
      if (!metBroken(outcome.error)) return outcome
    }
  }

  async function runShared<T>(query: Sql, signal: AbortSignal, ways: Ways<T>): Promise<Outcome<T>> {
    const used = (current ??= { instance: open(options), idle: [], running: 0 })
    used.running += 1
    try {
      const connection = used.idle.pop() ?? (await connect(used))
      const outcome = await runUntil(connection, signal, () => ways.shared(connection, query, used))
      used.idle.push(connection)
      if (hasBroken(outcome.error) || metBroken(outcome.error)) retire(used)
      return outcome
    } finally {
      await leave(used)
    }
  }

  async function leave(used: Opened): Promise<void> {
    used.running -= 1
    if (used !== current && used.running === 0) await closeOpened(used)
  }

  const selecting: Ways<Row[]> = { shared: select, alone: select }

  /** What is read slice by slice needs its DuckDB no longer. */
  const selectingTexts = (count: number): Ways<Iterable<readonly Row[]>> => ({
    async shared(connection, query) {
      const { runTexts, giveBackMemory } = await loadDuckdb()
      // A page's few texts don't need it.
      const giveBack = async (): Promise<void> => {
        if (count >= WHOLE_BATCH_ROWS.first) await giveBackMemory(connection, options.memoryMib)
      }
      await giveBack()
      const slices = await runTexts(connection, query, count)
      await giveBack()
      return slices
    },
    alone: async (connection, query) => [await select(connection, query)],
  })

  /** Rows that are read while their DuckDB is held open; of one that is closed at once they are read before. */
  const keeping: Ways<RowBatches> = {
    async shared(connection, query, used) {
      const { runKept } = await loadDuckdb()
      const rows = await runKept(connection, query)
      used.running += 1
      const batches = releaseAfter(rows, async () => {
        kept.delete(batches)
        await leave(used)
      })
      kept.add(batches)
      return batches
    },
    alone: async (connection, query) => toBatches(await select(connection, query)),
    discard: (batches) => batches[Symbol.asyncDispose](),
  }

  /** With one thread: DuckDB's faults that don't always show are races. */
  async function runAlone<T>(query: Sql, signal: AbortSignal, ways: Ways<T>): Promise<Outcome<T>> {
    const instance = await open({ ...options, threads: 1 })
    const connection = await instance.connect()
    try {
      return await runUntil(connection, signal, () => ways.alone(connection, query))
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  }

  async function connect(used: Opened): Promise<DuckDBConnection> {
    try {
      return await (await used.instance).connect()
    } catch (error) {
      retire(used)
      throw error
    }
  }

  return {
    select: (query, work) => run(query, work, selecting),
    selectTexts: (query, count, work) => run(query, work, selectingTexts(count)),
    selectInBatches: (query, work) => run(query, work, keeping),
    load: async () => void (await loadDuckdb()),
    async close() {
      closing.abort(new Abandoned('the lake is being closed'))
      await Promise.allSettled(underWay)
      await Promise.all(Array.from(kept, (batches) => batches[Symbol.asyncDispose]()))
      if (current) await closeOpened(current)
      // On a disk that has turned read-only it stays, for the next collection.
      await rm(options.spillDir, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}

/** How often a query may meet a DuckDB that others broke before it fails with them. */
const BROKEN_MET_MAX = 3

async function open(options: QueryPoolOptions): Promise<DuckDBInstance> {
  const { openInstance, lockInstance } = await loadDuckdb()
  makeDirectory(options.lakeDir)
  const instance = await openInstance(options)
  try {
    const connection = await instance.connect()
    await lockInstance(connection, options.lakeDir)
    connection.closeSync()
    return instance
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

/** One DuckDB with its connections; closed when it was replaced and its last query is done. */
interface Opened {
  readonly instance: Promise<DuckDBInstance>
  readonly idle: DuckDBConnection[]
  /** Queries, and rows that are kept in it. */
  running: number
}

/** How a query runs in the DuckDB of all, and in one of its own that is closed at once. */
interface Ways<T> {
  shared(connection: DuckDBConnection, query: Sql, used: Opened): Promise<T>
  alone(connection: DuckDBConnection, query: Sql): Promise<T>
  /** Lets go of what nobody waits for any more. */
  discard?(value: T): PromiseLike<void>
}

async function select(connection: DuckDBConnection, query: Sql): Promise<Row[]> {
  const { runSelect } = await loadDuckdb()
  return runSelect(connection, query)
}

async function closeOpened({ instance, idle }: Opened): Promise<void> {
  for (const connection of idle.splice(0)) connection.closeSync()
  const opened = await instance.catch(() => undefined)
  opened?.closeSync()
}

/** DuckDB and what is written against it: loading it takes longer than all else that a server needs to start. */
async function loadDuckdb() {
  await prepareDuckdbLibrary()
  const [{ openInstance, lockInstance, giveBackMemory }, { runKept, runSelect, runTexts }] = await Promise.all([
    import('../instance.ts'),
    import('./select.ts'),
  ])
  return { openInstance, lockInstance, giveBackMemory, runKept, runSelect, runTexts }
}

type Outcome<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: unknown }

/** Interrupts the query when the signal is aborted, until it ends. */
async function runUntil<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<Outcome<T>> {
  let ticker: NodeJS.Timeout | undefined
  const stop = (): void => {
    connection.interrupt()
    ticker = setInterval(() => connection.interrupt(), INTERRUPT_REPEAT_MS)
  }
  if (signal.aborted) return { error: toReason(signal) }
  signal.addEventListener('abort', stop, { once: true })
  try {
    return { value: await run() }
  } catch (error) {
    return { error }
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(ticker)
  }
}

function toValue<T>(outcome: Outcome<T>, query: Sql): T {
  if (outcome.error === undefined) return outcome.value as T
  throw toApiError(outcome.error, query)
}
