import type { Catalog } from '../catalog/catalog.ts'
import type { Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'
import { ApiError } from '../errors.ts'
import type { Lake } from '../lake/lake.ts'
import type { Row } from '../lake/cells.ts'
import { day, type Sql, sql } from '../lake/sql.ts'
import { shiftDay } from '../domain/day.ts'
import { expired, openWalk, toCursor, type Walk } from './cursor.ts'
import type { ReportCache } from './cache.ts'
import type { RangeRequest, ReportPage } from './request.ts'
import type { SiteFacts, SiteLookup } from './site-facts.ts'

/** What reports stand on. */
export interface ReportContext {
  readonly catalog: Catalog
  readonly lake: Lake
  readonly cache: ReportCache
  readonly lookup: SiteLookup
  /** How long a replaced snapshot stays readable; `SNAPSHOT_GRACE_MS` at least. */
  readonly snapshotGraceMs: number
}

/** A site at one moment: what was decided, and the files of one snapshot that a report may need. */
export interface SiteState extends SiteFacts {
  filesOf(dataset: Dataset): Sql
  /** The condition that a row's `day` is in the request's range; no day is read where the files hold no other. */
  inRange(dataset: Dataset): Sql
}

export interface PageBounds {
  readonly limit: number
  readonly offset: number
}

/** One report: how its SQL is made and what its rows look like. */
export interface ReportDefinition<R> {
  /** Names the report in cursors. */
  readonly endpoint: string
  readonly siteId: string
  readonly request: RangeRequest & { readonly timezone?: string }
  /** The request's walk, where its cursor was opened before; opened from the request unless given. */
  readonly walk?: Walk | undefined
  /** Data sets that the SQL reads. */
  readonly datasets: readonly Dataset[]
  /**
   * What the answer depends on beside request, snapshot and revision; throws ApiError for what needs the site (unknown
   * brand names), also when the answer is in the cache.
   */
  variant?(state: SiteState): unknown
  /** Whether a file of these data sets is read; every one in the range unless given. */
  needs?(file: LakeFile): boolean
  /** Extra days before and after the range that may hold rows of it, for days of a time zone. */
  readonly extraDays?: number
  /** The SELECT of one page; its rows carry `total_results`. */
  toQuery(state: SiteState, page: PageBounds): Sql
  /** Reads what rows hold beside the SELECT's columns; may give fewer of them, from the first on, and the page ends there. */
  complete?(state: SiteState, rows: readonly Row[]): Promise<readonly Row[]>
  /** Makes a row of the answer from one of the SELECT. */
  toRow(state: SiteState): (row: Row) => R
}

/**
 * Runs one page of a report on the snapshot that its cursor names, or on the newest. Throws ApiError `invalid_cursor`,
 * `cursor_expired`, and what `Lake` throws. The site must exist.
 */
export async function runReport<R>(context: ReportContext, report: ReportDefinition<R>): Promise<ReportPage<R>> {
  const { request, endpoint } = report
  const { catalog } = context
  const walk = report.walk ?? openWalk(catalog.cursorSecret, endpoint, request)
  const { digest, position } = walk
  const offset = position?.offset ?? 0
  const { state, rows } = await readRows(context, report, walk)
  const total = Number(rows[0]?.['total_results'] ?? offset)
  const next = offset + rows.length
  return {
    info: {
      site_id: request.site_id,
      start_date: request.start_date,
      end_date: request.end_date,
      ...(request.timezone === undefined ? {} : { timezone: request.timezone }),
      count: rows.length,
      total_results: total,
      next_cursor:
        next < total
          ? toCursor(catalog.cursorSecret, digest, { snapshot: state.snapshot, rev: state.site.rev, offset: next })
          : null,
    },
    data: rows.map(report.toRow(state)),
  }
}

/** Rows of one page, and the state they come from. */
async function readRows<R>(
  context: ReportContext,
  report: ReportDefinition<R>,
  walk: Walk,
): Promise<{ state: SiteState; rows: readonly Row[] }> {
  const { catalog, lake, cache } = context
  const { digest, position } = walk
  const { limit } = report.request
  const state = readState(context, report, position?.snapshot)
  if (position && position.rev !== state.site.rev) throw expired()

  const offset = position?.offset ?? 0
  const variant = report.variant?.(state)
  const key = JSON.stringify([digest, state.snapshot, state.site.rev, offset, limit, variant])
  try {
    await lake.ensureIntact(state.files)
    const read = async (): Promise<readonly Row[]> => {
      const found = await lake.select(report.toQuery(state, { limit, offset }))
      return report.complete?.(state, found) ?? found
    }
    return { state, rows: await cache.get(key, read) }
  } catch (error) {
    // A collection with a short grace deletes files that a report has just chosen; a newer snapshot has others.
    const isCollected = !catalog.manifest.isReadable(report.siteId, state.snapshot, Number.POSITIVE_INFINITY)
    if (isCollected && error instanceof ApiError && error.code === 'data_unavailable') {
      return readRows(context, report, walk)
    }
    throw error
  }
}

/** Decided things, revision and manifest of one moment. */
function readState(
  { catalog, lake, lookup, snapshotGraceMs }: ReportContext,
  report: ReportDefinition<unknown>,
  wanted: Snapshot | undefined,
): SiteState {
  const { siteId, request, datasets, extraDays = 0 } = report
  if (wanted !== undefined && !catalog.manifest.isReadable(siteId, wanted, snapshotGraceMs)) throw expired()
  const facts = lookup.get(siteId, wanted)
  const first = shiftDay(request.start_date, -extraDays)
  const last = shiftDay(request.end_date, extraDays)
  const files = facts.files
    .filter((file) => datasets.includes(file.dataset) && overlaps(file, first, last))
    .filter((file) => report.needs?.(file) ?? true)
  return {
    ...facts,
    files,
    filesOf: (dataset) => lake.filesOf(dataset, files),
    inRange: (dataset) =>
      isWithin(files, dataset, request)
        ? sql`true`
        : sql`day BETWEEN ${day(request.start_date)} AND ${day(request.end_date)}`,
  }
}

function overlaps({ minDay, maxDay }: LakeFile, first: string, last: string): boolean {
  return minDay === null || maxDay === null || (minDay <= last && maxDay >= first)
}

function isWithin(files: readonly LakeFile[], wanted: Dataset, { start_date, end_date }: RangeRequest): boolean {
  return files
    .filter(({ dataset }) => dataset === wanted)
    .every(({ minDay, maxDay }) => minDay !== null && maxDay !== null && minDay >= start_date && maxDay <= end_date)
}
