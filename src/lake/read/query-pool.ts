import { rm } from 'node:fs/promises'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { ApiError } from '../../errors.ts'
import { INTERRUPT_REPEAT_MS } from '../../limits.ts'
import { makeDirectory } from '../../make-directory.ts'
import type { Row } from '../cells.ts'
import { prepareDuckdbLibrary } from '../duckdb-library.ts'
import { createPlaces, type PlacesOptions } from './places.ts'
import type { Sql } from '../sql.ts'
import { Abandoned, startWork, toReason, type Work } from './work.ts'

export interface QueryPoolOptions extends PlacesOptions {
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
  /** Loads DuckDB, which the first SELECT does otherwise. Rejects when its library can't be loaded. */
  load(): Promise<void>
  close(): Promise<void>
}

/** A pool over the lake's directory. DuckDB is opened by the first SELECT, and anew after it broke. Close it in the end. */
export function openQueryPool(options: QueryPoolOptions): QueryPool {
  let current: Opened | undefined
  const places = createPlaces(options)
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  /** The next query opens another one: a full disk, a missing permission or a broken state may be gone by then. */
  function retire(opened: Opened): void {
    if (opened === current) current = undefined
  }

  async function select(query: Sql, given: Work | undefined): Promise<Row[]> {
    using own = given === undefined ? startWork(options.timeoutMs) : undefined
    const work = given ?? own
    if (work === undefined) throw new Error('a query belongs to no work')
    await places.take(work)
    const promise = runRepeated(query, AbortSignal.any([work.signal, closing.signal]))
    underWay.add(promise)
    try {
      return toRows(await promise, query)
    } finally {
      underWay.delete(promise)
      places.leave(work)
    }
  }

  /**
   * A query that broke its DuckDB by a fault of DuckDB's own is repeated once, alone in another; one that met a broken
   * one is repeated in the next.
   */
  async function runRepeated(query: Sql, signal: AbortSignal): Promise<Outcome> {
    for (let repeats = BROKEN_MET_MAX; ; repeats -= 1) {
      const outcome = await runShared(query, signal)
      if (signal.aborted) throw toReason(signal)
      if (repeats === 0) return outcome
      if (hasBroken(outcome.error)) return runAlone(query, signal)
      if (!metBroken(outcome.error)) return outcome
    }
  }

  async function runShared(query: Sql, signal: AbortSignal): Promise<Outcome> {
    const used = (current ??= { instance: open(options), idle: [], running: 0 })
    used.running += 1
    try {
      const connection = used.idle.pop() ?? (await connect(used))
      const outcome = await runUntil(connection, query, signal)
      used.idle.push(connection)
      if (hasBroken(outcome.error) || metBroken(outcome.error)) retire(used)
      return outcome
    } finally {
      used.running -= 1
      if (used !== current && used.running === 0) await closeOpened(used)
    }
  }

  /** With one thread: DuckDB's faults that don't always show are races. */
  async function runAlone(query: Sql, signal: AbortSignal): Promise<Outcome> {
    const instance = await open({ ...options, threads: 1 })
    const connection = await instance.connect()
    try {
      return await runUntil(connection, query, signal)
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
    select: (query, work) => select(query, work),
    load: async () => void (await loadDuckdb()),
    async close() {
      closing.abort(new Abandoned('the lake is being closed'))
      await Promise.allSettled(underWay)
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
  running: number
}

async function closeOpened({ instance, idle }: Opened): Promise<void> {
  for (const connection of idle.splice(0)) connection.closeSync()
  const opened = await instance.catch(() => undefined)
  opened?.closeSync()
}

/** DuckDB and what is written against it: loading it takes longer than all else that a server needs to start. */
async function loadDuckdb() {
  await prepareDuckdbLibrary()
  const [{ openInstance, lockInstance }, { runSelect }] = await Promise.all([
    import('../instance.ts'),
    import('./select.ts'),
  ])
  return { openInstance, lockInstance, runSelect }
}

interface Outcome {
  readonly rows: Row[]
  readonly error?: unknown
}

/** Interrupts the query when the signal is aborted, until it ends. */
async function runUntil(connection: DuckDBConnection, query: Sql, signal: AbortSignal): Promise<Outcome> {
  const { runSelect } = await loadDuckdb()
  let ticker: NodeJS.Timeout | undefined
  const stop = (): void => {
    connection.interrupt()
    ticker = setInterval(() => connection.interrupt(), INTERRUPT_REPEAT_MS)
  }
  if (signal.aborted) return { rows: [], error: toReason(signal) }
  signal.addEventListener('abort', stop, { once: true })
  try {
    return { rows: await runSelect(connection, query) }
  } catch (error) {
    return { rows: [], error }
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(ticker)
  }
}

function toRows({ rows, error }: Outcome, query: Sql): Row[] {
  if (error === undefined) return rows
  throw toApiError(error, query)
}

// Only the beginning of a message is DuckDB's own: the rest may repeat a value.
/** Whether a query met a fault of DuckDB's own, which makes that DuckDB refuse all that follows. */
function hasBroken(error: unknown): boolean {
  return error instanceof Error && /^(INTERNAL|FATAL) Error/.test(error.message) && !metBroken(error)
}

/** Whether DuckDB refused a query because another one had broken it. */
function metBroken(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('FATAL Error: Failed: database has been invalidated')
}

function toApiError(error: unknown, query: Sql): unknown {
  if (!(error instanceof Error)) return error
  if (/^Out of Memory/i.test(error.message)) {
    return new ApiError(
      'overloaded',
      'The report needs more memory than it may use. Ask for fewer days, or filter more.',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    )
  }
  // Messages repeat values, such as a pattern, and a value may hold any of these words.
  const readsFiles = query.texts.some((part) => part.includes('read_parquet('))
  if (
    readsFiles &&
    /^(IO Error|Invalid Error|Serialization Error|TProtocolException)|snappy|zstd|thrift|parquet/i.test(error.message)
  ) {
    return new ApiError(
      'data_unavailable',
      'A file that this report needs is missing or damaged. Ask the operator to run `answerlake lake verify`.',
      {
        retryAfterSeconds: 60,
        cause: error,
      },
    )
  }
  return error
}
