import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { LakeFile } from '../domain/manifest.ts'
import { readCells } from './cells.ts'
import { readFiles } from './files-relation.ts'
import { openChangeInstance } from './instance.ts'
import type { HitRows } from './hit-keys.ts'
import { stageChunk, stageHitMonths } from './log-stage.ts'
import {
  fillChunkPaths,
  type NumberedPaths,
  numberPaths,
  openPathNumbers,
  orderPaths,
  type RequestedPath,
} from './path-numbers.ts'
import { LOG_MONTH_ROWS_MAX } from '../limits.ts'
import type { Staging } from './staging.ts'
import { openTableAppender } from './table-appender.ts'

/** Visits, one place of each column a visit. */
export interface VisitRows {
  readonly path: Uint32Array
  readonly time: Uint32Array
  /** Place of the engine among `sources`. */
  readonly source: Uint32Array
}

/** A part of a log. */
export interface LogChunk {
  /** Paths that are named here for the first time; the first of them has the place `pathsBefore`. */
  readonly paths: Iterable<RequestedPath>
  /** 0 when the list of paths starts anew. */
  readonly pathsBefore: number
  /** Engines, all that were named so far. */
  readonly sources: readonly string[]
  readonly hits: HitRows
  readonly visits: VisitRows
}

/** Stages what logs tell, month by month. Memory is bounded by a chunk and LOG_MONTH_ROWS_MAX. */
export interface LogWriter {
  /** Takes a chunk over; resolves once its paths are copied, while it is still being staged. */
  write(chunk: LogChunk): Promise<void>
  /** The next free number of a path; the manifest's commit must store it. */
  finish(): Promise<{ readonly path_no: number }>
  close(): Promise<void>
}

export interface LogWriterOptions {
  readonly staging: Staging
  readonly lakeDir: string
  readonly spillDir: string
  /** The site's live files of `paths`. */
  readonly liveFiles: readonly LakeFile[]
  readonly counters: { readonly path_no: number }
}

export async function openLogWriter(options: LogWriterOptions): Promise<LogWriter> {
  const { lakeDir, spillDir, liveFiles, counters } = options
  const instance = await openChangeInstance(spillDir)
  const connection = await instance.connect()
  const second = await instance.connect()
  const hasPaths = liveFiles.some(({ dataset }) => dataset === 'paths')
  await openPathNumbers(connection, counters.path_no, hasPaths ? readFiles(lakeDir, 'paths', liveFiles) : undefined)
  return createWriter(instance, [connection, second], options)
}

function createWriter(
  instance: DuckDBInstance,
  connections: readonly [DuckDBConnection, DuckDBConnection],
  { staging, counters }: LogWriterOptions,
): LogWriter {
  const [connection] = connections
  let paths: NumberedPaths = { pathNos: new Uint32Array(), pageTypeNos: new Uint32Array() }
  let order = orderPaths(paths)
  /** Staged, but for their sums by month, which are the fewer the more hits they are made of. */
  let monthHits: HitRows[] = []
  let pending: Promise<void> = Promise.resolve()

  async function stage({ pathsBefore, sources, hits, visits }: Omit<LogChunk, 'paths'>): Promise<void> {
    if (pathsBefore === 0) await stageMonths()
    paths = append(paths, pathsBefore, await numberPaths(connection))
    order = orderPaths(paths)
    if (hits.path.length > 0) monthHits.push(hits)
    await nameSources(connection, sources)
    await stageChunk(connections, staging, { hits, visits }, { ...paths, ...order })
    const held = monthHits.reduce((sum, { path }) => sum + path.length, 0)
    if (held >= LOG_MONTH_ROWS_MAX) await stageMonths()
  }

  async function stageMonths(): Promise<void> {
    if (monthHits.length === 0) return
    const hits = monthHits
    monthHits = []
    await stageHitMonths(connection, staging, hits, order)
  }

  return {
    async write({ paths: newPaths, ...chunk }) {
      await pending
      await fillChunkPaths(connection, newPaths)
      pending = stage(chunk)
      // A failure is met at the next call; until then nobody waits for it.
      pending.catch(() => undefined)
    },
    async finish() {
      await pending
      await stageMonths()
      await staging.write(
        connection,
        'paths',
        'all',
        `SELECT path_no, path, page_type_no FROM known_paths WHERE path_no >= ${counters.path_no} ORDER BY path_no`,
      )
      const [[next] = []] = await readCells(connection, 'SELECT path_no FROM next_path')
      return { path_no: Number(next) }
    },
    async close() {
      await pending.catch(() => undefined)
      for (const one of connections) one.closeSync()
      instance.closeSync()
    },
  }
}

/** The first `before` paths, and more behind them. */
function append(paths: NumberedPaths, before: number, more: NumberedPaths): NumberedPaths {
  const concat = (a: Uint32Array, b: Uint32Array): Uint32Array => {
    const both = new Uint32Array(before + b.length)
    both.set(a.subarray(0, before))
    both.set(b, before)
    return both
  }
  return {
    pathNos: concat(paths.pathNos, more.pathNos),
    pageTypeNos: concat(paths.pageTypeNos, more.pageTypeNos),
  }
}

async function nameSources(connection: DuckDBConnection, sources: readonly string[]): Promise<void> {
  const table = await openTableAppender(connection, 'sources', { source_no: 'integer', source: 'text' })
  for (const [sourceNo, source] of sources.entries()) {
    table.cells.source_no.push(sourceNo)
    table.cells.source.push(source)
    table.endRow()
  }
  table.close()
}
