import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { LakeFile } from '../domain/manifest.ts'
import { readCells } from './cells.ts'
import { readFiles } from './files-relation.ts'
import { openChangeInstance } from './instance.ts'
import { stageChunk } from './log-stage.ts'
import { makeNumberTable } from './number-table.ts'
import { openPathNumbers, type RequestedPath } from './path-numbers.ts'
import type { Staging } from './staging.ts'
import { openTableAppender } from './table-appender.ts'

/** Bot hits, one place of each column a hit. */
export interface HitRows {
  /** Place of the path among the chunk's `paths`. */
  readonly path: Uint32Array
  /** Seconds since 1970, UTC. */
  readonly time: Uint32Array
  readonly bot: Uint32Array
  /** Place in VERIFICATIONS, from 0. */
  readonly verification: Uint32Array
  /** 1 when answered with 4xx or 5xx, else 0. */
  readonly error: Uint32Array
}

/** Visits, one place of each column a visit. */
export interface VisitRows {
  readonly path: Uint32Array
  readonly time: Uint32Array
  /** Place of the engine among the chunk's `sources`. */
  readonly source: Uint32Array
}

/** A part of a log. */
export interface LogChunk {
  readonly paths: Iterable<RequestedPath>
  readonly sources: readonly string[]
  readonly hits: HitRows
  readonly visits: VisitRows
}

/** Stages what logs tell, month by month. Memory is bounded by a chunk. */
export interface LogWriter {
  /** Takes a chunk over; resolves once it is copied, while it is still being staged. */
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
  let pending: Promise<void> = Promise.resolve()
  return {
    async write(chunk) {
      await pending
      await appendChunk(connection, chunk)
      pending = stageChunk(connections, staging)
      // A failure is met at the next call; until then nobody waits for it.
      pending.catch(() => undefined)
    },
    async finish() {
      await pending
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

async function appendChunk(connection: DuckDBConnection, { paths, sources, hits, visits }: LogChunk): Promise<void> {
  const pathTable = await openTableAppender(connection, 'chunk_paths', {
    path_seq: 'integer',
    path: 'text',
    page_type_no: 'integer',
  })
  let pathSeq = 0
  for (const { path, pageTypeNo } of paths) {
    pathTable.cells.path_seq.push(pathSeq)
    pathTable.cells.path.push(path)
    pathTable.cells.page_type_no.push(pageTypeNo)
    pathTable.endRow()
    pathSeq += 1
  }
  pathTable.close()
  const sourceTable = await openTableAppender(connection, 'chunk_sources', { source_no: 'integer', source: 'text' })
  for (const [sourceNo, source] of sources.entries()) {
    sourceTable.cells.source_no.push(sourceNo)
    sourceTable.cells.source.push(source)
    sourceTable.endRow()
  }
  sourceTable.close()
  await makeNumberTable(connection, 'chunk_hits', { ...hits })
  await makeNumberTable(connection, 'chunk_visits', { ...visits })
}
