import type { Row } from '../../lake/cells.ts'
import { integer, join, type Sql, sql } from '../../lake/sql.ts'
import { toLogOrder, toShown } from '../log-fields.ts'
import { type Dictionary, splitFilter } from '../log-filter.ts'
import { countPaths, toGroups } from '../log-groups.ts'
import { pageTypeNo, PATH_DICTIONARY, PATH_NAMES, toRequested } from '../log-paths.ts'
import { SLOT, toLogTime, toTimeKeys, ZONE_DAYS } from '../log-time.ts'
import { toTyped } from '../contract.ts'
import {
  DIMENSIONS,
  METRICS,
  REFERRALS,
  type ReferralsRequest,
  type ReferralsRow,
  VISIT_FILTER_FIELDS,
} from './contract.ts'
import type { Walk } from '../cursor.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'

/**
 * `POST /v1/reports/referrals` (contract/api 5.10, 5.12 and 12.5). The time zone must be one that DuckDB knows.
 * Throws what `runReport` throws.
 */
export function reportReferrals(
  context: ReportContext,
  siteId: string,
  request: ReferralsRequest,
  walk?: Walk,
): ReportRun<ReferralsRow> {
  return runReport(context, {
    endpoint: REFERRALS.name,
    siteId,
    request,
    walk,
    datasets: ['visits', 'paths'],
    extraDays: ZONE_DAYS,
    // Numbers only grow, so today's greatest path number is an upper bound for any snapshot.
    toQuery: (state, page) => toQuery(state, request, page, context.catalog.sites.counter(siteId, 'path_no', 1)),
    toRow: () => (row) => toRow(row, request),
  })
}

/** The engines are in the rows themselves: there are few of them, and Parquet keeps them as numbers. */
const VISIT_DICTIONARY: Dictionary = { name: sql`visit_sources`, fields: VISIT_FILTER_FIELDS }

const FIELDS = { ...DIMENSIONS, ...METRICS }

function toQuery(state: SiteState, request: ReferralsRequest, page: PageBounds, pathNoMax: number): Sql {
  const { group_by } = request
  const time = toLogTime(request)
  const filter = splitFilter(request.filter, [VISIT_DICTIONARY, PATH_DICTIONARY])
  const grouped = toGroups(
    {
      request,
      keys: { referral_source: sql`referral_source` },
      sums: request.metrics.map((metric) => toSum(metric, request, pathNoMax)),
      pathNoMax,
      isLarge: false,
    },
    page,
  )
  const visits = state.filesOf('visits')
  const [ofSources] = filter.parts
  return sql`
WITH${toRequested(state.filesOf('paths'), filter.parts[1])}
  visit_sources AS (
    SELECT ${join([sql`*`, ...(ofSources?.truths ?? [])], sql`, `)}
    FROM (SELECT DISTINCT source AS referral_source FROM ${visits})
    WHERE ${join([sql`true`, ...(ofSources?.restrictions ?? [])], sql` AND `)}
  ),
  rows AS (
    SELECT
      ${join(
        [
          ...toTimeKeys(group_by, time),
          sql`referral_source, path_no, page_type_no, visits, ${SLOT}::BIGINT * 900 + last_second AS last_time`,
        ],
        sql`, `,
      )}
    FROM ${visits} AS observed
    JOIN visit_sources ON referral_source = source
    JOIN requested USING (path_no)
    WHERE ${join(
      [
        time.inRange,
        // The site's rules may have changed since it was imported (contract/api 5.12).
        sql`page_type_no <> ${integer(pageTypeNo('technical_infra'))}`,
        ...filter.rows,
      ],
      sql` AND `,
    )}
  ),${grouped.ctes}
SELECT ${toShown(request, FIELDS)}, ${grouped.total}::DOUBLE AS total_results
FROM grouped ${group_by.includes('path') ? PATH_NAMES : sql``}
ORDER BY ${toLogOrder(request, FIELDS)}
LIMIT ${integer(page.limit)} OFFSET ${grouped.offset}`
}

function toSum(metric: ReferralsRequest['metrics'][number], request: ReferralsRequest, pathNoMax: number): Sql {
  if (metric !== 'landing_pages') return METRICS[metric].sum
  const pages = request.group_by.includes('path') ? sql`1` : countPaths(request, pathNoMax)
  return sql`${pages}::DOUBLE AS landing_pages`
}

function toRow(row: Row, { group_by, metrics }: ReferralsRequest): ReferralsRow {
  return toTyped(REFERRALS, Object.fromEntries([...group_by, ...metrics].map((name) => [name, row[name]] as const)))
}
