import { CATEGORIES, type Category, type SourceKind } from '../domain/enums.ts'
import { integer, integers, sql } from '../lake/sql.ts'
import type { RangeRequest } from './request.ts'
import { type ReportContext, type ReportRun, runReport } from './run.ts'
import { listBrandDomains, toSiteHosts } from './site-hosts.ts'
import { createSourceKinds } from './site-source-kinds.ts'

/** A domain (`page` null) or a page that no brand owns, and the answers to prompts of one category that cite it. */
export interface CitedSourceRow {
  readonly category: Category
  readonly domain: string
  readonly page: string | null
  readonly kind: SourceKind
  readonly answers: number
}

export interface CitedSourcesRequest extends RangeRequest {
  /**
   * Domains in fewer answers of the category are left out, and pages in fewer or of other domains; none of a category
   * without an entry is given.
   */
  readonly answersMin: Partial<Readonly<Record<Category, { readonly domain: number; readonly page: number }>>>
}

/**
 * Third-party domains and pages by category, most cited first, for the cards: the citations report's `answers` for both
 * entities and all categories from one grouping of the citations. A domain with a host of a brand's is left out whole.
 * Throws what `runReport` throws.
 */
export function reportCitedSources(
  context: ReportContext,
  siteId: string,
  request: CitedSourcesRequest,
): ReportRun<CitedSourceRow> {
  const wanted = CATEGORIES.flatMap((category, index) => {
    const least = request.answersMin[category]
    return least === undefined ? [] : [{ no: index + 1, ...least }]
  })
  return runReport(context, {
    endpoint: 'cited_sources',
    siteId,
    request,
    datasets: ['citations', 'hosts', 'pages'],
    toQuery(state, page) {
      return sql`
WITH
  categories AS (
    SELECT
      unnest(${integers(state.prompts.map(({ promptNo }) => promptNo))}) AS prompt_no,
      unnest(${integers(state.prompts.map(({ category }) => CATEGORIES.indexOf(category) + 1))}) AS category_no
  ),${toSiteHosts(state, { by: 'all' })},
  third_party AS (
    SELECT host_no, domain
    FROM site_hosts ANTI JOIN (SELECT domain FROM site_hosts WHERE owner_no < 3) AS owned USING (domain)
  ),
  counted AS MATERIALIZED (
    SELECT
      category_no, host_no, page_no, count_if(first_of_page) AS page_answers, count_if(first_of_domain) AS domain_answers
    FROM ${state.filesOf('citations')} JOIN categories USING (prompt_no)
    WHERE ${state.inRange('citations')}
    GROUP BY ALL
  ),
  bounds AS (
    SELECT
      unnest(${integers(wanted.map(({ no }) => no))}) AS category_no,
      unnest(${integers(wanted.map(({ domain }) => domain))}) AS domain_least,
      unnest(${integers(wanted.map(({ page }) => page))}) AS page_least
  ),
  cited_domains AS (
    SELECT category_no, domain, sum(domain_answers)::DOUBLE AS answers
    FROM counted JOIN third_party USING (host_no)
    GROUP BY category_no, domain
  ),
  often_cited AS (
    SELECT category_no, domain, answers
    FROM cited_domains JOIN bounds USING (category_no)
    WHERE answers >= domain_least
  ),
  pages_of_those AS (
    SELECT category_no, domain, page_no, page_answers::DOUBLE AS answers
    FROM counted
    JOIN (SELECT host_no, domain FROM third_party SEMI JOIN often_cited USING (domain)) USING (host_no)
    JOIN bounds USING (category_no)
    WHERE page_no IS NOT NULL AND page_answers >= page_least
  ),
  cited AS (
    SELECT category_no, domain, NULL AS page_no, answers FROM often_cited
    UNION ALL
    SELECT * FROM pages_of_those
  )
SELECT category_no, domain, page, answers, count(*) OVER ()::DOUBLE AS total_results
FROM cited LEFT JOIN (SELECT page_no, page FROM ${state.filesOf('pages')}) USING (page_no)
ORDER BY answers DESC, category_no, domain, page
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
    },
    toRow(state) {
      const kindOf = createSourceKinds(state.site, listBrandDomains(state))
      return ({ category_no, domain, page, answers }) => ({
        category: CATEGORIES[Number(category_no) - 1] ?? 'Discovery',
        domain: String(domain),
        page: page === null || page === undefined ? null : String(page),
        kind: kindOf(String(domain)),
        answers: Number(answers),
      })
    },
  })
}
