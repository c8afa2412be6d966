import type { Catalog } from '../catalog/catalog.ts'
import type { Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'
import { ApiError } from '../errors.ts'
import type { Lake } from '../lake/lake.ts'
import type { Row } from '../lake/cells.ts'
import { day, type Sql, sql } from '../lake/sql.ts'
import { shiftDay } from '../domain/day.ts'
import { expired, openWalk, toCursor, type Walk } from './cursor.ts'
import type { ReportCache } from './cache.ts'
import type { Days, RangeRequest, ReportPage } from './request.ts'
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

/** What a report reads. */
export interface ReportSource {
  /** Names the report in cursors. */
  readonly endpoint: string
  readonly siteId: string
  readonly request: Days & { readonly timezone?: string }
  /** A second range, of which files are read too. */
  readonly compared?: Days
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
}

/** One report: how its SQL is made and what its rows look like. */
export interface ReportDefinition<R> extends ReportSource {
  readonly request: RangeRequest & { readonly timezone?: string }
  /** The request's walk, where its cursor was opened before; opened from the request unless given. */
  readonly walk?: Walk | undefined
  /** The SELECT of one page; its rows carry `total_results`. */
  toQuery(state: SiteState, page: PageBounds): Sql
  /** Reads what rows hold beside the SELECT's columns; may give fewer of them, from the first on, and the page ends there. */
  complete?(state: SiteState, rows: readonly Row[]): Promise<readonly Row[]>
  /** Makes a row of the answer from one of the SELECT. */
  toRow(state: SiteState): (row: Row) => R
}

/** A report whose rows depend on each other: all are made at once and remembered, and pages are cut from them. */
export interface WholeReportDefinition<R> extends ReportSource {
  readonly request: RangeRequest
  readonly walk?: Walk | undefined
  /** A row of what `toInfo` needs, and behind it those of all pages in their order. */
  readAll(state: SiteState): Promise<readonly Row[]>
  /** What `info` says besides. */
  toInfo(first: Row): Partial<ReportPage<R>['info']>
  toRow(row: Row): R
}

/**
 * Runs one page of a report on the snapshot that its cursor names, or on the newest. Throws ApiError `invalid_cursor`,
 * `cursor_expired`, and what `Lake` throws. The site must exist.
 */
export async function runReport<R>(context: ReportContext, report: ReportDefinition<R>): Promise<ReportPage<R>> {
  const { request } = report
  const walk = report.walk ?? openWalk(context.catalog.cursorSecret, report.endpoint, request)
  const bounds = { limit: request.limit, offset: walk.position?.offset ?? 0 }
  const read = async (state: SiteState): Promise<readonly Row[]> => {
    const found = await context.lake.select(report.toQuery(state, bounds))
    return report.complete?.(state, found) ?? found
  }
  const { state, rows } = await readRows(context, report, walk, { key: [bounds.offset, bounds.limit], read })
  const total = Number(rows[0]?.['total_results'] ?? bounds.offset)
  return {
    info: {
      site_id: request.site_id,
      start_date: request.start_date,
      end_date: request.end_date,
      ...(request.timezone === undefined ? {} : { timezone: request.timezone }),
      ...toPageInfo(context, { state, walk, count: rows.length, total }),
    },
    data: rows.map(report.toRow(state)),
  }
}

/** Does what `runReport` does for a report whose rows are made at once. */
export async function runWholeReport<R>(
  context: ReportContext,
  report: WholeReportDefinition<R>,
): Promise<ReportPage<R>> {
  const { request } = report
  const walk = report.walk ?? openWalk(context.catalog.cursorSecret, report.endpoint, request)
  const read = async (state: SiteState): Promise<readonly Row[]> => report.readAll(state)
  const { state, rows } = await readRows(context, report, walk, { key: [], read })
  const offset = walk.position?.offset ?? 0
  const [first = {}, ...all] = rows
  const ofPage = all.slice(offset, offset + request.limit)
  return {
    info: {
      site_id: request.site_id,
      start_date: request.start_date,
      end_date: request.end_date,
      ...report.toInfo(first),
      ...toPageInfo(context, { state, walk, count: ofPage.length, total: all.length }),
    },
    data: ofPage.map((row) => report.toRow(row)),
  }
}

function toPageInfo(
  { catalog }: ReportContext,
  { state, walk, count, total }: { state: SiteState; walk: Walk; count: number; total: number },
) {
  const next = (walk.position?.offset ?? 0) + count
  const position = { snapshot: state.snapshot, rev: state.site.rev, offset: next }
  return {
    count,
    total_results: total,
    next_cursor: next < total ? toCursor(catalog.cursorSecret, walk.digest, position) : null,
  }
}

/**
 * What `read` makes of a site's state, remembered under the walk's request and `key`, and the state. Throws ApiError
 * `cursor_expired`, and what `Lake` throws.
 */
async function readRows(
  context: ReportContext,
  report: ReportSource,
  walk: Walk,
  { key, read }: { readonly key: readonly number[]; readonly read: (state: SiteState) => Promise<readonly Row[]> },
): Promise<{ state: SiteState; rows: readonly Row[] }> {
  const { catalog, lake, cache } = context
  const { digest, position } = walk
  const state = readState(context, report, position?.snapshot)
  if (position && position.rev !== state.site.rev) throw expired()

  const variant = report.variant?.(state)
  const name = JSON.stringify([digest, state.snapshot, state.site.rev, ...key, variant])
  try {
    await lake.ensureIntact(state.files)
    return { state, rows: await cache.get(name, async () => read(state)) }
  } catch (error) {
    // A collection with a short grace deletes files that a report has just chosen; a newer snapshot has others.
    const isCollected = !catalog.manifest.isReadable(report.siteId, state.snapshot, Number.POSITIVE_INFINITY)
    if (isCollected && error instanceof ApiError && error.code === 'data_unavailable') {
      return readRows(context, report, walk, { key, read })
    }
    throw error
  }
}

/** Decided things, revision and manifest of one moment. */
function readState(
  { catalog, lake, lookup, snapshotGraceMs }: ReportContext,
  report: ReportSource,
  wanted: Snapshot | undefined,
): SiteState {
  const { siteId, request, compared, datasets, extraDays = 0 } = report
  if (wanted !== undefined && !catalog.manifest.isReadable(siteId, wanted, snapshotGraceMs)) throw expired()
  const facts = lookup.get(siteId, wanted)
  const ranges = [request, ...(compared === undefined ? [] : [compared])]
  const mayHold = (file: LakeFile): boolean =>
    ranges.some(({ start_date, end_date }) =>
      overlaps(file, shiftDay(start_date, -extraDays), shiftDay(end_date, extraDays)),
    )
  const files = facts.files
    .filter((file) => datasets.includes(file.dataset) && mayHold(file))
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

function isWithin(files: readonly LakeFile[], wanted: Dataset, { start_date, end_date }: Days): boolean {
  return files
    .filter(({ dataset }) => dataset === wanted)
    .every(({ minDay, maxDay }) => minDay !== null && maxDay !== null && minDay >= start_date && maxDay <= end_date)
}
