import { VERIFICATIONS } from '../../derive/bot-verification.ts'
import type { Row } from '../../lake/cells.ts'
import { day, empty, integer, integers, join, type Sql, sql, texts } from '../../lake/sql.ts'
import { listBots } from '../../reference/bots.ts'
import { type BotSource, chooseBotSource, hasPaths, listBotDatasets, needsFile } from './source.ts'
import { mentionsField } from '../filter.ts'
import { type Dictionary, type LogFilter, splitFilter } from '../log-filter.ts'
import { toLogOrder, toShown } from '../log-fields.ts'
import { COUNT_WORDS, countPaths, type GroupedRows, type PathWords, toGroups } from '../log-groups.ts'
import { PATH_DICTIONARY, PATH_NAMES, toRequested } from '../log-paths.ts'
import { type LogTime, SLOT, toLogTime, toTimeKeys, ZONE_DAYS } from '../log-time.ts'
import { toTyped } from '../contract.ts'
import { BOT_FILTER_FIELDS, BOTS, type BotsRequest, type BotsRow, DIMENSIONS, METRICS } from './contract.ts'
import type { Walk } from '../cursor.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'

/**
 * `POST /v1/reports/bots` (contract/api 5.9, 5.10 and 12.5). The time zone must be one that DuckDB knows. Throws
 * what `runReport` throws.
 */
export function reportBots(
  context: ReportContext,
  siteId: string,
  request: BotsRequest,
  walk?: Walk,
): ReportRun<BotsRow> {
  const source = chooseBotSource(request)
  return runReport(context, {
    endpoint: BOTS.name,
    siteId,
    request,
    walk,
    datasets: [...listBotDatasets(source), ...(hasPaths(source) ? (['paths'] as const) : [])],
    needs: (file) => needsFile(source, file),
    extraDays: ZONE_DAYS,
    toQuery: (state, page) => {
      // Numbers only grow, so today's is an upper bound for any snapshot.
      const pathNoMax = context.catalog.sites.counter(siteId, 'path_no', 1)
      return toQuery(state, { request, source, pathNoMax }, page)
    },
    toRow: () => (row) => toRow(row, request),
  })
}

interface BotQuestion {
  readonly request: BotsRequest
  readonly source: BotSource
  /** No path of the site has a higher number. */
  readonly pathNoMax: number
}

const BOT_DICTIONARY: Dictionary = { name: sql`bots`, fields: BOT_FILTER_FIELDS }

const FIELDS = { ...DIMENSIONS, ...METRICS }

const VERIFIED = integer(VERIFICATIONS.indexOf('verified'))
const SPOOFED = integer(VERIFICATIONS.indexOf('spoofed'))

function toQuery(state: SiteState, question: BotQuestion, page: PageBounds): Sql {
  const { request, source } = question
  const { group_by } = request
  const time = toLogTime(request)
  const filter = splitFilter(request.filter, [BOT_DICTIONARY, PATH_DICTIONARY])
  const grouped = toGroups(toGroupedRows(question), page)
  const names = [
    ...(group_by.includes('bot_name')
      ? [sql`JOIN (SELECT DISTINCT bot_no, bot_name FROM bots) AS bot_names USING (bot_no)`]
      : []),
    ...(group_by.includes('path') ? [PATH_NAMES] : []),
  ]
  return sql`
WITH${toBots(filter)}${toRequested(hasPaths(source) ? state.filesOf('paths') : undefined, filter.parts[1])}
  observed AS NOT MATERIALIZED (${toObserved(state, source, time)}
  ),
  rows AS NOT MATERIALIZED (
    SELECT ${join(toColumns(request, time), sql`, `)}
    FROM observed
    ${join(toJoins(request, source, filter), sql` `)}
    WHERE ${join(toRowPredicates(request, filter), sql` AND `)}
  ),${grouped.ctes}
SELECT ${toShown(request, FIELDS)}, ${grouped.total}::DOUBLE AS total_results
FROM grouped ${join(names, sql` `)}
ORDER BY ${toLogOrder(request, FIELDS)}
LIMIT ${integer(page.limit)} OFFSET ${grouped.offset}`
}

/** The catalogue's bots, once for each state of verification. */
function toBots({ parts: [part] }: LogFilter): Sql {
  const { restrictions = [], truths = [] } = part ?? {}
  const bots = listBots().flatMap((bot) => (bot.type === null ? [] : [{ ...bot, type: bot.type }]))
  return sql`
  bots AS (
    SELECT ${join([sql`*`, ...truths], sql`, `)}
    FROM (
      SELECT *, verification_no = ${VERIFIED} AS verified
      FROM (
        SELECT
          unnest(${integers(bots.map(({ botNo }) => botNo))})::SMALLINT AS bot_no,
          unnest(${texts(bots.map(({ name }) => name))}) AS bot_name,
          unnest(${texts(bots.map(({ provider }) => provider))}) AS bot_provider,
          unnest(${texts(bots.map(({ type }) => type))}) AS bot_type
      )
      CROSS JOIN (SELECT unnest(${integers(VERIFICATIONS.map((_, index) => index))})::SMALLINT AS verification_no)
    )
    ${restrictions.length > 0 ? sql`WHERE ${join(restrictions, sql` AND `)}` : empty}
  ),`
}

/** Rows of the source in the range, with `last_time` in seconds since 1970. */
function toObserved(state: SiteState, source: BotSource, { inRange }: LogTime): Sql {
  const lastTime = sql`${SLOT}::BIGINT * 900 + last_second AS last_time`
  if (source.dataset !== 'bot_months') {
    return sql`
    SELECT *, ${lastTime}
    FROM ${state.filesOf(source.dataset)}
    WHERE ${inRange}`
  }
  const isWhole = sql`day BETWEEN ${day(source.months.first)} AND ${day(source.months.last)}`
  const columns = sql`path_no, bot_no, verification_no, hits, error_hits`
  return sql`
    SELECT ${columns}, last_epoch::BIGINT AS last_time
    FROM ${state.filesOf('bot_months')}
    WHERE ${isWhole}
    UNION ALL
    SELECT ${columns}, ${lastTime}
    FROM ${state.filesOf('bot_hits')}
    WHERE ${inRange} AND NOT ${isWhole}`
}

/** What groups and metrics need of a row. */
function toColumns({ group_by, metrics }: BotsRequest, time: LogTime): Sql[] {
  const needed: readonly [boolean, Sql][] = [
    [group_by.includes('bot_name'), sql`bot_no`],
    [group_by.includes('bot_provider'), sql`bot_provider`],
    [group_by.includes('bot_type'), sql`bot_type`],
    [group_by.includes('path') || metrics.includes('pages'), sql`path_no`],
    [group_by.includes('page_type'), sql`page_type_no`],
    [true, sql`hits`],
    [metrics.includes('error_hits'), sql`error_hits`],
    [
      metrics.includes('verified_share'),
      sql`CASE WHEN verification_no = ${VERIFIED} THEN hits ELSE 0 END AS verified_hits`,
    ],
    [metrics.includes('last_visit'), sql`last_time`],
  ]
  return [...toTimeKeys(group_by, time), ...needed.flatMap(([isNeeded, column]) => (isNeeded ? [column] : []))]
}

function toJoins({ group_by }: BotsRequest, source: BotSource, { parts, rows }: LogFilter): Sql[] {
  const [ofBots, ofPaths] = parts.map(({ restrictions }) => restrictions.length > 0 || rows.length > 0)
  const needsBots = ofBots || group_by.includes('bot_provider') || group_by.includes('bot_type')
  const needsPaths = ofPaths || (group_by.includes('page_type') && hasPaths(source))
  return [
    ...(needsBots ? [sql`JOIN bots USING (bot_no, verification_no)`] : []),
    ...(needsPaths ? [sql`JOIN requested USING (${hasPaths(source) ? sql`path_no` : sql`page_type_no`})`] : []),
  ]
}

/** Spoofed hits are left out unless the filter mentions `verified` (contract/api 5.9). */
function toRowPredicates({ filter }: BotsRequest, { rows }: LogFilter): Sql[] {
  return [mentionsField(filter, 'verified') ? sql`true` : sql`verification_no <> ${SPOOFED}`, ...rows]
}

function toGroupedRows({ request, source, pathNoMax }: BotQuestion): GroupedRows {
  const { group_by, metrics } = request
  const keys = { bot_name: sql`bot_no`, bot_provider: sql`bot_provider`, bot_type: sql`bot_type` }
  const isLarge = source.dataset === 'bot_hits'
  const hasPages = metrics.includes('pages') && !group_by.includes('path')
  return {
    request,
    keys,
    sums: toSums(metrics, group_by.includes('path') ? sql`1` : countPaths(request, pathNoMax)),
    inWords: isLarge && hasPages ? toWords(metrics) : undefined,
    pathNoMax,
    isLarge,
  }
}

type Metrics = BotsRequest['metrics']

function toSums(metrics: Metrics, pages: Sql): Sql[] {
  return metrics.map((metric) => (metric === 'pages' ? sql`${pages}::DOUBLE AS pages` : METRICS[metric].sum))
}

function toWords(metrics: Metrics): PathWords {
  const carried: readonly [boolean, Sql][] = [
    [true, sql`sum(hits) AS hits`],
    [metrics.includes('error_hits'), sql`sum(error_hits) AS error_hits`],
    [metrics.includes('verified_share'), sql`sum(verified_hits) AS verified_hits`],
    [metrics.includes('last_visit'), sql`max(last_time) AS last_time`],
  ]
  return {
    carried: carried.flatMap(([isNeeded, column]) => (isNeeded ? [column] : [])),
    sums: toSums(metrics, COUNT_WORDS),
  }
}

function toRow(row: Row, { group_by, metrics }: BotsRequest): BotsRow {
  return toTyped(BOTS, Object.fromEntries([...group_by, ...metrics].map((name) => [name, row[name]] as const)))
}
