import type { Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'
import { shiftDay } from '../domain/day.ts'
import { ApiError } from '../errors.ts'
import { day, sql } from '../lake/sql.ts'
import { expired, type Position } from './cursor.ts'
import type { Days } from './request.ts'
import type { ReportContext, ReportSource, SiteState } from './run.ts'

/**
 * What `read` finds at the position, or in the newest snapshot, once the files are known to be intact, and the state that it
 * read; `variant` is the report's. Throws ApiError `cursor_expired`, `not_found` for a site that was deleted, and what `Lake` throws.
 */
export async function readState<T>(
  context: ReportContext,
  report: ReportSource,
  position: Position | undefined,
  read: (state: SiteState, variant: unknown) => Promise<T>,
): Promise<{ state: SiteState; found: T }> {
  const { catalog, lake, lookup } = context
  const state = findState(context, report, position?.snapshot)
  if (position && position.rev !== state.site.rev) throw expired()
  const variant = report.variant?.(state)
  try {
    await lake.ensureIntact(state.files)
    return { state, found: await read(state, variant) }
  } catch (error) {
    // Throws where the site was deleted meanwhile, whatever became of its files.
    lookup.get(report.siteId)
    // A collection with a short grace deletes files that a report has just chosen; a newer snapshot has others.
    const isCollected = !catalog.manifest.isReadable(report.siteId, state.snapshot, Number.POSITIVE_INFINITY)
    if (isCollected && error instanceof ApiError && error.code === 'data_unavailable') {
      return readState(context, report, position, read)
    }
    throw error
  }
}

/** Decided things, revision and manifest of one moment. */
function findState(
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
