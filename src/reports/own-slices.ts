import { OWN_BRAND } from '../domain/brand.ts'
import type { Row } from '../lake/cells.ts'
import { integer, type Sql, sql } from '../lake/sql.ts'
import { toAnswerSlices } from './answer-slices.ts'
import type { RangeRequest } from './request.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from './run.ts'
import { toSiteHosts } from './site-hosts.ts'

/** The answers of one prompt and engine, and how many of them name the own brand and cite the own site. */
export interface OwnAnswersRow {
  readonly prompt_id: string
  readonly platform: string
  readonly answers: number
  readonly named: number
  readonly cited: number
}

/** A page of the own site, and the answers of one prompt and engine that cite it. */
export interface OwnPageRow {
  readonly page: string
  readonly prompt_id: string
  readonly platform: string
  readonly answers: number
}

/**
 * What the visibility report says of the own brand by prompt and engine, as counts, for the cards: ranks and shares, which
 * need every other brand, are left out. Throws what `runReport` throws.
 */
export function reportOwnAnswers(
  context: ReportContext,
  siteId: string,
  request: RangeRequest,
): ReportRun<OwnAnswersRow> {
  return runReport(context, {
    endpoint: 'own_answers',
    siteId,
    request,
    datasets: ['answers', 'mentions', 'citations', 'hosts'],
    toQuery(state, page) {
      const slices = toSlices(state, request)
      return sql`
WITH${slices.ctes}${toSiteHosts(state, { by: 'all' })},
  asked AS (
    SELECT ${slices.groups}count(*) AS answers
    FROM ${state.filesOf('answers')}
    WHERE ${state.inRange('answers')}
    GROUP BY ALL
  ),
  naming AS (
    SELECT ${slices.groups}count(*) AS named
    FROM ${state.filesOf('mentions')}
    WHERE ${state.inRange('mentions')} AND brand_no = ${integer(OWN_BRAND)}
    GROUP BY ALL
  ),
  citing AS (
    SELECT ${slices.groups}count(DISTINCT answer_no) AS cited
    FROM ${ownCitations(state)}
    GROUP BY ALL
  )
SELECT
  prompt_id, platform, answers::DOUBLE AS answers, coalesce(named, 0)::DOUBLE AS named, coalesce(cited, 0)::DOUBLE AS cited,
  count(*) OVER ()::DOUBLE AS total_results
FROM asked LEFT JOIN naming USING (prompt_no, platform_no) LEFT JOIN citing USING (prompt_no, platform_no) ${slices.names}
ORDER BY prompt_no, platform_no
${toLimit(page)}`
    },
    toRow: () => (row) => ({ ...toSlice(row), named: Number(row['named']), cited: Number(row['cited']) }),
  })
}

/**
 * The own site's cited pages by prompt and engine, for the cards: the citations report's `answers` for `owner` `own`
 * without rank and share, which need every other page. Throws what `runReport` throws.
 */
export function reportOwnPages(context: ReportContext, siteId: string, request: RangeRequest): ReportRun<OwnPageRow> {
  return runReport(context, {
    endpoint: 'own_pages',
    siteId,
    request,
    datasets: ['citations', 'hosts', 'pages'],
    toQuery(state, page) {
      const slices = toSlices(state, request)
      return sql`
WITH${slices.ctes}${toSiteHosts(state, { by: 'all' })},
  counted AS (
    SELECT ${slices.groups}page_no, count_if(first_of_page) AS answers
    FROM ${ownCitations(state)}
    WHERE page_no IS NOT NULL
    GROUP BY ALL
  )
SELECT page, prompt_id, platform, answers::DOUBLE AS answers, count(*) OVER ()::DOUBLE AS total_results
FROM counted LEFT JOIN (SELECT page_no, page FROM ${state.filesOf('pages')}) USING (page_no) ${slices.names}
ORDER BY page, prompt_no, platform_no
${toLimit(page)}`
    },
    toRow: () => (row) => ({ ...toSlice(row), page: String(row['page']) }),
  })
}

const toSlices = (state: SiteState, range: RangeRequest) =>
  toAnswerSlices(state, { ...range, group_by: ['prompt', 'platform'], filter: undefined })

/** Citations of the range on hosts of the own site. */
const ownCitations = (state: SiteState): Sql => sql`(
      SELECT prompt_no, platform_no, answer_no, page_no, first_of_page
      FROM ${state.filesOf('citations')}
      SEMI JOIN (SELECT host_no FROM site_hosts WHERE owner_no = 1) AS own USING (host_no)
      WHERE ${state.inRange('citations')}
    )`

const toLimit = ({ limit, offset }: PageBounds): Sql => sql`LIMIT ${integer(limit)} OFFSET ${integer(offset)}`

function toSlice(row: Row): { prompt_id: string; platform: string; answers: number } {
  return { prompt_id: String(row['prompt_id']), platform: String(row['platform']), answers: Number(row['answers']) }
}
