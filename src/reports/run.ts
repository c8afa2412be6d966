import type { Catalog } from '../catalog/catalog.ts'
import type { Dataset, LakeFile } from '../domain/manifest.ts'
import { WHOLE_ROWS_MAX } from '../limits.ts'
import type { Lake } from '../lake/lake.ts'
import type { Row } from '../lake/cells.ts'
import type { Sql } from '../lake/sql.ts'
import { digestRequest, openWalk, toCursor, type Walk } from './cursor.ts'
import type { ReportCache } from './cache.ts'
import type { Days, RangeRequest, ReportPage, WholeReport } from './request.ts'
import type { SiteFacts, SiteLookup } from './site-facts.ts'
import { readState } from './site-state.ts'
import { completeBatches, endRightly, toWholeInfo } from './whole-result.ts'

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
  toQuery(state: SiteState, page: PageBounds): Sql | Promise<Sql>
  /**
   * Reads what rows hold beside the SELECT's columns, and gives them in slices; may give fewer of them, from the first on, and
   * the page ends there.
   */
  complete?(state: SiteState, rows: readonly Row[]): Promise<Iterable<readonly Row[]>>
  /** Makes a row of the answer from one of the SELECT. */
  toRow(state: SiteState): (row: Row) => R
}

/** A report whose rows depend on each other: all are made at once and remembered, and pages are cut from them. */
export interface ComputedReportDefinition<R> extends ReportSource {
  readonly request: RangeRequest
  readonly walk?: Walk | undefined
  /** A row of what `toInfo` needs, and behind it those of all pages in their order. */
  readAll(state: SiteState): Promise<readonly Row[]>
  /** What `info` says besides. */
  toInfo(first: Row): Partial<ReportPage<R>['info']>
  toRow(row: Row): R
}

/** A report that was asked for, of a site that exists. */
export interface ReportRun<R> {
  /**
   * One page, on the snapshot that the request's cursor names, or on the newest. Rejects with ApiError `invalid_cursor`,
   * `cursor_expired`, and what `Lake` throws.
   */
  page(): Promise<ReportPage<R>>
  /** All rows of the newest snapshot (contract/api 14.4), whatever the request's page. Rejects with what `Lake` throws. */
  whole(): Promise<WholeReport<R>>
}

/** A report whose rows come from one SELECT. */
export function runReport<R>(context: ReportContext, report: ReportDefinition<R>): ReportRun<R> {
  const { catalog, lake } = context
  const { request } = report
  return {
    async page() {
      const walk = report.walk ?? openWalk(catalog.cursorSecret, report.endpoint, request)
      const bounds = { limit: request.limit, offset: walk.position?.offset ?? 0 }
      const read = async (state: SiteState): Promise<readonly Row[]> => {
        const found = await lake.select(await report.toQuery(state, bounds))
        return report.complete === undefined ? found : Array.from(await report.complete(state, found)).flat()
      }
      const { state, rows } = await readRows(context, report, walk, { key: [bounds.offset, bounds.limit], read })
      const total = Number(rows[0]?.['total_results'] ?? bounds.offset)
      return {
        info: { ...toRangeInfo(request), ...toPageInfo(context, { state, walk, count: rows.length, total }) },
        data: rows.map(report.toRow(state)),
      }
    },
    async whole() {
      const { state, found: rows } = await readState(context, report, undefined, async (at) =>
        lake.selectInBatches(await report.toQuery(at, { limit: WHOLE_ROWS_MAX, offset: 0 })),
      )
      const first = await rows.next().catch(async (error: unknown) => {
        await rows[Symbol.asyncDispose]()
        throw error
      })
      const total = Number(first[0]?.['total_results'] ?? 0)
      return {
        info: { ...toRangeInfo(request), ...toWholeInfo(total) },
        batches: endRightly(total, completeBatches(state, report, first, rows)),
        [Symbol.asyncDispose]: () => rows[Symbol.asyncDispose](),
      }
    },
  }
}

/** A report whose rows are made at once. */
export function runComputedReport<R>(context: ReportContext, report: ComputedReportDefinition<R>): ReportRun<R> {
  const { request } = report
  const readAll = async (walk: Walk) => {
    const read = async (state: SiteState): Promise<readonly Row[]> => report.readAll(state)
    const { state, rows } = await readRows(context, report, walk, { key: [], read })
    const [first = {}, ...all] = rows
    return { state, info: { ...toRangeInfo(request), ...report.toInfo(first) }, all }
  }
  return {
    async page() {
      const walk = report.walk ?? openWalk(context.catalog.cursorSecret, report.endpoint, request)
      const { state, info, all } = await readAll(walk)
      const offset = walk.position?.offset ?? 0
      const ofPage = all.slice(offset, offset + request.limit)
      return {
        info: { ...info, ...toPageInfo(context, { state, walk, count: ofPage.length, total: all.length }) },
        data: ofPage.map((row) => report.toRow(row)),
      }
    },
    async whole() {
      const { info, all } = await readAll({ digest: digestRequest(report.endpoint, request), position: undefined })
      const rows = all.slice(0, WHOLE_ROWS_MAX).map((row) => report.toRow(row))
      return {
        info: { ...info, ...toWholeInfo(all.length) },
        batches: endRightly(all.length, [rows]),
        async [Symbol.asyncDispose]() {},
      }
    },
  }
}

function toRangeInfo({ site_id, start_date, end_date, timezone }: ReportDefinition<unknown>['request']) {
  return { site_id, start_date, end_date, ...(timezone === undefined ? {} : { timezone }) }
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
 * Rows that `read` makes of the walk's state, remembered under the walk's request and `key`, and the state. Throws ApiError
 * `cursor_expired`, and what `Lake` throws.
 */
export async function readRows(
  context: ReportContext,
  report: ReportSource,
  { digest, position }: Walk,
  { key, read }: { readonly key: readonly number[]; readonly read: (state: SiteState) => Promise<readonly Row[]> },
): Promise<{ state: SiteState; rows: readonly Row[] }> {
  const { state, found } = await readState(context, report, position, async (at, variant) =>
    context.cache.get(JSON.stringify([digest, at.snapshot, at.site.rev, ...key, variant]), async () => read(at)),
  )
  return { state, rows: found }
}
