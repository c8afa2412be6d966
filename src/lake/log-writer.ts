import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { LakeFile } from '../domain/manifest.ts'
import { IMPORT_MEMORY_MIB, SPILL_GIB_MAX } from '../limits.ts'
import { readCells } from './cells.ts'
import { DATASET } from './datasets.ts'
import { readFiles } from './files-relation.ts'
import { openInstance } from './instance.ts'
import { numberPaths, openPathNumbers, type RequestedPath } from './path-numbers.ts'
import type { Staging } from './staging.ts'
import { openTableAppender } from './table-appender.ts'

/** Hits of one bot on one path in one quarter of an hour. */
export interface HitRow {
  /** Place of the path among the chunk's `paths`. */
  readonly pathSeq: number
  /** Quarters of an hour since 1970, UTC. */
  readonly slot: number
  readonly botNo: number
  /** Place in VERIFICATIONS, from 0. */
  readonly verificationNo: number
  readonly hits: number
  readonly errorHits: number
  /** Of the newest hit, within the quarter. */
  readonly lastSecond: number
}

/** Visits from one engine to one path in one quarter of an hour. */
export interface VisitRow {
  readonly pathSeq: number
  readonly slot: number
  readonly source: string
  readonly visits: number
  readonly lastSecond: number
}

/** A part of a log, summed up. Rows of equal keys may come in several chunks. */
export interface LogChunk {
  readonly paths: Iterable<RequestedPath>
  readonly hits: Iterable<HitRow>
  readonly visits: Iterable<VisitRow>
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
  const instance = await openInstance({ threads: 2, memoryMib: IMPORT_MEMORY_MIB, spillGib: SPILL_GIB_MAX, spillDir })
  const connection = await instance.connect()
  const hasPaths = liveFiles.some(({ dataset }) => dataset === 'paths')
  await openPathNumbers(connection, counters.path_no, hasPaths ? readFiles(lakeDir, 'paths', liveFiles) : undefined)
  return createWriter(instance, connection, options)
}

function createWriter(
  instance: DuckDBInstance,
  connection: DuckDBConnection,
  { staging, counters }: LogWriterOptions,
): LogWriter {
  let pending: Promise<void> = Promise.resolve()
  return {
    async write(chunk) {
      await pending
      await appendChunk(connection, chunk)
      pending = stageChunk(connection, staging)
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
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function appendChunk(connection: DuckDBConnection, { paths, hits, visits }: LogChunk): Promise<void> {
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
  await appendHits(connection, hits)
  await appendVisits(connection, visits)
}

async function appendHits(connection: DuckDBConnection, hits: Iterable<HitRow>): Promise<void> {
  const table = await openTableAppender(connection, 'chunk_hits', {
    path_seq: 'integer',
    slot: 'integer',
    bot_no: 'integer',
    verification_no: 'integer',
    hits: 'integer',
    error_hits: 'integer',
    last_second: 'integer',
  })
  const { cells } = table
  for (const row of hits) {
    cells.path_seq.push(row.pathSeq)
    cells.slot.push(row.slot)
    cells.bot_no.push(row.botNo)
    cells.verification_no.push(row.verificationNo)
    cells.hits.push(row.hits)
    cells.error_hits.push(row.errorHits)
    cells.last_second.push(row.lastSecond)
    table.endRow()
  }
  table.close()
}

async function appendVisits(connection: DuckDBConnection, visits: Iterable<VisitRow>): Promise<void> {
  const table = await openTableAppender(connection, 'chunk_visits', {
    path_seq: 'integer',
    slot: 'integer',
    source: 'text',
    visits: 'integer',
    last_second: 'integer',
  })
  const { cells } = table
  for (const row of visits) {
    cells.path_seq.push(row.pathSeq)
    cells.slot.push(row.slot)
    cells.source.push(row.source)
    cells.visits.push(row.visits)
    cells.last_second.push(row.lastSecond)
    table.endRow()
  }
  table.close()
}

async function stageChunk(connection: DuckDBConnection, staging: Staging): Promise<void> {
  await numberPaths(connection)
  for (const name of ['hits', 'visits'] as const) {
    await connection.run(`
      CREATE OR REPLACE TABLE placed_${name} AS
      SELECT
        chunk.*,
        DATE '1970-01-01' + (slot // ${SLOTS_A_DAY})::INTEGER AS day,
        slot % ${SLOTS_A_DAY} AS quarter,
        path_no,
        page_type_no
      FROM chunk_${name} AS chunk JOIN numbered_paths USING (path_seq)`)
  }
  const months = await readCells(
    connection,
    `SELECT strftime(day, '%Y-%m') AS month FROM placed_hits UNION SELECT strftime(day, '%Y-%m') FROM placed_visits ORDER BY month`,
  )
  for (const [value] of months) {
    const month = String(value)
    const ofMonth = `day BETWEEN DATE '${month}-01' AND last_day(DATE '${month}-01')`
    for (const dataset of HIT_DATASETS) {
      const { sortedBy } = DATASET[dataset]
      const { day, last } = SUMS[dataset]
      const keys = sortedBy.replace(/^day, /, '')
      await staging.write(
        connection,
        dataset,
        month,
        `SELECT ${day} AS day, ${keys}, sum(hits) AS hits, sum(error_hits) AS error_hits, ${last}
         FROM placed_hits WHERE ${ofMonth} GROUP BY ALL ORDER BY ${sortedBy}`,
      )
    }
    await staging.write(
      connection,
      'visits',
      month,
      `SELECT day, path_no, source, quarter, sum(visits) AS visits, max(last_second) AS last_second
       FROM placed_visits WHERE ${ofMonth} GROUP BY ALL ORDER BY ${DATASET.visits.sortedBy}`,
    )
  }
}

/** Quarters of an hour in a day. */
const SLOTS_A_DAY = 96

const HIT_DATASETS = ['bot_hits', 'bot_rollup', 'bot_page_types', 'bot_months'] as const

const OF_QUARTER = { day: 'placed_hits.day', last: 'max(last_second) AS last_second' }

/** How each data set sums hits up beside its keys. */
const SUMS: Readonly<Record<(typeof HIT_DATASETS)[number], { day: string; last: string }>> = {
  bot_hits: OF_QUARTER,
  bot_rollup: OF_QUARTER,
  bot_page_types: OF_QUARTER,
  bot_months: {
    day: "date_trunc('month', placed_hits.day)",
    last: 'max(slot::BIGINT * 900 + last_second) AS last_epoch',
  },
}
