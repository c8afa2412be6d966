import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { LOG_CHUNK_PATH_CHARACTERS_MAX, LOG_CHUNK_PATHS_MAX, LOG_CHUNK_ROWS_MAX } from '../../log-limits.ts'
import { DATASET } from '../datasets.ts'
import { readFiles } from '../read/files-relation.ts'
import { integer, type Sql, sql, text } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { GrowableColumn } from './growable-column.ts'
import { HIT_SUMS, selectHitSum } from './bot-rollups.ts'
import { type ChangeDatabase, openChangeDatabase } from '../instance.ts'
import { makeNumberTable } from './number-table.ts'
import { numberPaths, openPathDictionary } from './path-dictionary.ts'
import type { Staging } from './staging.ts'
import { StringInterner } from './string-interner.ts'
import { openTableAppender } from './table-appender.ts'

/** Bot hits: each column has one entry a hit. */
export interface HitRows {
  /** Index of the path in `paths`, which may hold others too. */
  readonly path: Uint32Array
  /** Seconds since 1970, UTC. */
  readonly time: Uint32Array
  readonly bot: Uint32Array
  /** Index in VERIFICATIONS, from 0. */
  readonly verification: Uint32Array
  /** 1 when answered with 4xx or 5xx, else 0. */
  readonly error: Uint32Array
}

/** Visits: each column has one entry a visit. */
export interface VisitRows {
  readonly path: Uint32Array
  readonly time: Uint32Array
  /** Index of the engine in `sources`. */
  readonly source: Uint32Array
}

/** What a part of a log tells. */
export interface LogRows {
  /** Several parts may share a list that grows: each of them is numbered once a chunk. */
  readonly paths: readonly string[]
  readonly sources: readonly string[]
  readonly hits: HitRows
  readonly visits: VisitRows
}

/** Stages what logs tell, chunk by chunk and month by month. Memory is bounded by two chunks. */
export interface LogWriter {
  /** Resolves at once, but where a chunk is full and the one before it is still being staged. */
  write(rows: LogRows): Promise<void>
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
  /** The import's own: each hit and visit is stored with it. */
  readonly importNo: number
  /** A path's type as its number in PAGE_TYPES, from 1; asked of each path once a chunk. */
  readonly toPageTypeNo: (path: string) => number
}

/** Opens a DuckDB for one log import; the site's dictionary of paths is read when a path is new to the import. Close it in the end. */
export async function openLogWriter(options: LogWriterOptions): Promise<LogWriter> {
  const { staging, lakeDir, liveFiles, counters } = options
  const database = await openChangeDatabase(staging.spillDir)
  try {
    const connection = await database.connect()
    const hasPaths = liveFiles.some(({ dataset }) => dataset === 'paths')
    await openPathDictionary(
      connection,
      counters.path_no,
      hasPaths ? readFiles(lakeDir, 'paths', liveFiles) : undefined,
    )
    return createWriter(database, connection, options)
  } catch (error) {
    database[Symbol.dispose]()
    throw error
  }
}

function createWriter(
  database: ChangeDatabase,
  connection: DuckDBConnection,
  { staging, counters, importNo, toPageTypeNo }: LogWriterOptions,
): LogWriter {
  const paths = new StringInterner({ detach: true })
  const sources = new StringInterner({ detach: true })
  const hits = {
    path: new GrowableColumn(),
    time: new GrowableColumn(),
    bot: new GrowableColumn(),
    verification: new GrowableColumn(),
    error: new GrowableColumn(),
  }
  const visits = { path: new GrowableColumn(), time: new GrowableColumn(), source: new GrowableColumn() }
  /** Ids that paths of a list have in the chunk, by their indexes in the list, plus 1. */
  let pathIds = new WeakMap<readonly string[], Uint32Array>()
  let pending: Promise<void> = Promise.resolve()

  /** Indexes in the list as ids in the chunk. */
  function toPathIds(list: readonly string[], indexes: Uint32Array): Uint32Array {
    let ids = pathIds.get(list) ?? new Uint32Array(list.length)
    if (ids.length < list.length) {
      const larger = new Uint32Array(2 * list.length)
      larger.set(ids)
      ids = larger
    }
    pathIds.set(list, ids)
    return indexes.map((index) => (ids[index] ||= paths.intern(list[index] ?? '') + 1) - 1)
  }

  async function stageChunk(): Promise<void> {
    const chunk = { paths: paths.take(), sources: sources.take(), hits: takeAll(hits), visits: takeAll(visits) }
    pathIds = new WeakMap()
    await pending
    pending = stage(connection, staging, { ...chunk, pageTypeNos: chunk.paths.map(toPageTypeNo), importNo })
    // A failure is met at the next chunk; until then nobody waits for it.
    pending.catch(() => undefined)
  }

  return {
    async write(rows) {
      const sourceIds = Uint32Array.from(rows.sources, (source) => sources.intern(source))
      appendAll(hits, { ...rows.hits, path: toPathIds(rows.paths, rows.hits.path) })
      appendAll(visits, {
        ...rows.visits,
        path: toPathIds(rows.paths, rows.visits.path),
        source: rows.visits.source.map((index) => sourceIds[index] ?? 0),
      })
      const isFull =
        hits.path.length + visits.path.length >= LOG_CHUNK_ROWS_MAX ||
        paths.size >= LOG_CHUNK_PATHS_MAX ||
        paths.characters >= LOG_CHUNK_PATH_CHARACTERS_MAX
      if (isFull) await stageChunk()
    },
    async finish() {
      if (paths.size > 0) await stageChunk()
      await pending
      await staging.write(
        connection,
        'paths',
        'all',
        // They are in the order of their numbers already.
        sql`SELECT path_no, path, page_type_no FROM known_paths WHERE path_no >= ${integer(counters.path_no)}`,
      )
      const [[next] = []] = await readCells(connection, sql`SELECT path_no FROM next_path`)
      return { path_no: Number(next) }
    },
    async close() {
      await pending.catch(() => undefined)
      database[Symbol.dispose]()
    },
  }
}

type Columns<Rows> = { readonly [Name in keyof Rows]: GrowableColumn }

function appendAll<Rows extends object>(columns: Columns<Rows>, rows: Rows & Record<keyof Rows, Uint32Array>): void {
  for (const name of Object.keys(columns) as (keyof Rows)[]) columns[name].append(rows[name])
}

function takeAll<Name extends string>(columns: Readonly<Record<Name, GrowableColumn>>): Record<Name, Uint32Array> {
  const taken = Object.entries<GrowableColumn>(columns).map(([name, column]) => [name, column.take()])
  return Object.fromEntries(taken) as Record<Name, Uint32Array>
}

interface TakenRows extends LogRows {
  readonly pageTypeNos: readonly number[]
  readonly importNo: number
}

/** Writes a chunk's hits and visits by quarters of an hour, and the sums over its hits, month by month. */
async function stage(
  connection: DuckDBConnection,
  staging: Staging,
  { paths, pageTypeNos, sources, hits, visits, importNo }: TakenRows,
): Promise<void> {
  await numberPaths(connection, paths, pageTypeNos)
  await makeNumberTable(connection, 'hit_rows', { ...hits })
  await makeNumberTable(connection, 'visit_rows', { ...visits })
  await nameSources(connection, sources)
  await runStatement(connection, GROUP_ROWS)
  const numbered = sql`SELECT *, ${integer(importNo)} AS import_no FROM`
  for (const month of await listMonths(connection, sql`chunk_hits`)) {
    const ofMonth = sql`(FROM chunk_hits WHERE month = ${text(month)})`
    await staging.write(
      connection,
      'bot_hits',
      month,
      sql`${numbered} ${ofMonth} ORDER BY ${DATASET.bot_hits.sortedBy}`,
    )
    for (const sum of HIT_SUMS) await staging.write(connection, sum, month, selectHitSum(sum, ofMonth))
  }
  for (const month of await listMonths(connection, sql`chunk_visits`)) {
    const ofMonth = sql`${numbered} chunk_visits WHERE month = ${text(month)} ORDER BY ${DATASET.visits.sortedBy}`
    await staging.write(connection, 'visits', month, ofMonth)
  }
}

const DAY_AND_QUARTER = sql`DATE '1970-01-01' + (time // 86400)::INTEGER AS day, (time // 900 % 96)::SMALLINT AS quarter`

const GROUP_ROWS = sql`
  CREATE OR REPLACE TABLE chunk_hits AS
  SELECT strftime(day, '%Y-%m') AS month, grouped.* EXCLUDE (path), path_no, page_type_no
  FROM (
    SELECT
      ${DAY_AND_QUARTER}, path, bot AS bot_no, verification AS verification_no,
      count(*) AS hits, sum(error) AS error_hits, max(time % 900) AS last_second
    FROM hit_rows
    GROUP BY ALL) AS grouped
  JOIN numbered_paths ON path = path_id;
  CREATE OR REPLACE TABLE chunk_visits AS
  SELECT strftime(day, '%Y-%m') AS month, grouped.* EXCLUDE (path, source), path_no, sources.source
  FROM (
    SELECT ${DAY_AND_QUARTER}, path, source, count(*) AS visits, max(time % 900) AS last_second
    FROM visit_rows
    GROUP BY ALL) AS grouped
  JOIN numbered_paths ON path = path_id
  JOIN sources ON grouped.source = source_no`

async function listMonths(connection: DuckDBConnection, table: Sql): Promise<readonly string[]> {
  const rows = await readCells(connection, sql`SELECT DISTINCT month FROM ${table} ORDER BY month`)
  return rows.map(([month]) => String(month))
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
