import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../domain/manifest.ts'
import { readCells } from './cells.ts'
import { readFiles } from './files-relation.ts'
import { type ChangeDatabase, openChangeDatabase } from './instance.ts'
import type { HitRows } from './hit-keys.ts'
import { type LogRows, stageChunk, stageHitMonths } from './log-stage.ts'
import {
  fillPathTexts,
  type NamedPaths,
  type NumberedPaths,
  numberPaths,
  openPathNumbers,
  orderPaths,
} from './path-numbers.ts'
import { LOG_MONTH_ROWS_MAX } from '../limits.ts'
import type { Staging } from './staging.ts'
import { openTableAppender } from './table-appender.ts'

/** A part of a log; its rows have paths by their places in a list. */
export interface LogChunk extends LogRows {
  /** Where the list starts anew: the places, in the list before it, of the paths that it begins with. */
  readonly keptPaths: Uint32Array | undefined
  /** Paths that are listed behind those before; the same one may be listed several times. */
  readonly paths: readonly NamedPaths[]
  /** Engines, all that were named so far. */
  readonly sources: readonly string[]
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
  /** The site's live files of `paths`. */
  readonly liveFiles: readonly LakeFile[]
  readonly counters: { readonly path_no: number }
}

export async function openLogWriter(options: LogWriterOptions): Promise<LogWriter> {
  const { staging, lakeDir, liveFiles, counters } = options
  const database = await openChangeDatabase(staging.spillDir)
  try {
    const connection = await database.connect()
    const hasPaths = liveFiles.some(({ dataset }) => dataset === 'paths')
    await openPathNumbers(connection, counters.path_no, hasPaths ? readFiles(lakeDir, 'paths', liveFiles) : undefined)
    return createWriter(database, [connection, await database.connect()], options)
  } catch (error) {
    database[Symbol.dispose]()
    throw error
  }
}

function createWriter(
  database: ChangeDatabase,
  connections: readonly [DuckDBConnection, DuckDBConnection],
  { staging, counters }: LogWriterOptions,
): LogWriter {
  const [connection] = connections
  let paths: NumberedPaths = { pathNos: new Uint32Array(), pageTypeNos: new Uint32Array() }
  let order = orderPaths(paths)
  /** Staged, but for their sums by month, which are the fewer the more hits they are made of. */
  let monthHits: HitRows[] = []
  let monthRows = 0
  let pending: Promise<void> = Promise.resolve()

  async function stage({ keptPaths, sources, hits, visits }: Omit<LogChunk, 'paths'>): Promise<void> {
    if (keptPaths) {
      await stageMonths()
      paths = pick(paths, keptPaths)
    }
    paths = concat(paths, await numberPaths(connection))
    order = orderPaths(paths)
    if (monthRows + hits.path.length > LOG_MONTH_ROWS_MAX) await stageMonths()
    monthHits.push(hits)
    monthRows += hits.path.length
    await nameSources(connection, sources)
    await stageChunk(connections, staging, { hits, visits }, { ...paths, ...order })
  }

  async function stageMonths(): Promise<void> {
    if (monthRows === 0) return
    const hits = monthHits
    monthHits = []
    monthRows = 0
    await stageHitMonths(connection, staging, hits, order)
  }

  return {
    async write({ paths: newPaths, ...chunk }) {
      await pending
      await fillPathTexts(connection, newPaths)
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
        // They are in the order of their numbers already.
        `SELECT path_no, path, page_type_no FROM known_paths WHERE path_no >= ${counters.path_no}`,
      )
      const [[next] = []] = await readCells(connection, 'SELECT path_no FROM next_path')
      return { path_no: Number(next) }
    },
    async close() {
      await pending.catch(() => undefined)
      database[Symbol.dispose]()
    },
  }
}

function pick({ pathNos, pageTypeNos }: NumberedPaths, seqs: Uint32Array): NumberedPaths {
  return {
    pathNos: seqs.map((seq) => pathNos[seq] ?? 0),
    pageTypeNos: seqs.map((seq) => pageTypeNos[seq] ?? 0),
  }
}

function concat(paths: NumberedPaths, more: NumberedPaths): NumberedPaths {
  const join = (a: Uint32Array, b: Uint32Array): Uint32Array => {
    const both = new Uint32Array(a.length + b.length)
    both.set(a)
    both.set(b, a.length)
    return both
  }
  return { pathNos: join(paths.pathNos, more.pathNos), pageTypeNos: join(paths.pageTypeNos, more.pageTypeNos) }
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
