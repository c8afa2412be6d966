import { toRegistrableDomain } from '../derive/citations.ts'
import { OWNERS } from '../domain/enums.ts'
import { day, empty, integer, integers, join, type Sql, sql, texts } from '../lake/sql.ts'
import type { Row } from '../lake/cells.ts'
import { ANSWER_FILTER_FIELDS, PUBLIC_COLUMNS, TIE_COLUMNS, toAnswerSlices } from './answer-slices.ts'
import { checkPatterns, type FilterFields, namesOnly, toPredicate } from './filter.ts'
import type { CitationsRequest, Filter, ReportPage } from './request.ts'
import { type PageBounds, type ReportContext, runReport, type SiteState } from './run.ts'
import { listHostingKinds } from '../reference/source-kinds.ts'
import { listSiteSourceKinds } from './site-source-kinds.ts'

/** A row of the citations report: one per domain or page and group, with the group fields and metrics asked for. */
export interface CitationRow {
  date?: string
  platform?: string
  prompt?: { id: string; text: string }
  domain?: string
  page?: string
  owner: string
  source_kind: string
  rank: number
  answers?: number
  citations?: number
  citation_share?: number
}

/** `POST /v1/reports/citations` (spec.md 4.5, decisions.md 5.5 and 5.6). Throws what `runReport` throws. */
export async function reportCitations(
  context: ReportContext,
  siteId: string,
  request: CitationsRequest,
): Promise<ReportPage<CitationRow>> {
  await checkPatterns(request.filter, context.lake)
  return runReport(context, {
    endpoint: 'citations',
    siteId,
    request,
    datasets: ['citations', 'hosts', 'pages'],
    toQuery: (state, page) => toQuery(state, request, page),
    toRow: (row) => toRow(row, request),
  })
}

/** A filter in its two parts (decisions.md 4): what selects answers, and what selects citations of those. */
function splitFilter(filter: Filter | undefined): { ofAnswers: Filter | undefined; ofCitations: Filter | undefined } {
  if (!filter) return { ofAnswers: undefined, ofCitations: undefined }
  const members = 'and' in filter ? filter.and : [filter]
  const isOfAnswers = (member: Filter): boolean => namesOnly(member, ANSWER_FILTER_FIELDS)
  const together = (some: readonly Filter[]): Filter | undefined => (some.length === 0 ? undefined : { and: some })
  return {
    ofAnswers: together(members.filter(isOfAnswers)),
    ofCitations: together(members.filter((member) => !isOfAnswers(member))),
  }
}

const FIELDS: FilterFields = {
  platform: { column: sql`platform` },
  prompt: { column: sql`prompt_text`, id: sql`prompt_id` },
  category: { column: sql`category` },
  domain: { column: sql`domain` },
  owner: { column: sql`owner` },
  source_kind: { column: sql`source_kind` },
}

/**
 * `counted` has a row per group and domain or page: the true counts, which rank and share are made of, and the counts of
 * the citations that pass the filter. Names are joined only for the rows that tie their way into the page: a name is
 * needed to order rows of one rank and one number of citations, and for nothing before that.
 */
function toQuery(state: SiteState, request: CitationsRequest, page: PageBounds): Sql {
  const { entity, group_by, filter } = request
  const { ofAnswers, ofCitations } = splitFilter(filter)
  const slices = toAnswerSlices(state.prompts, group_by, ofAnswers)
  const inGroup = slices.groupList ? sql`PARTITION BY ${slices.groupList}` : empty
  const date = group_by.includes('date') ? sql`day, ` : empty
  const sameDate = group_by.includes('date') ? sql`AND ranked.day = chosen.day` : empty
  const name = entity === 'domain' ? sql`domain` : sql`page`
  const names =
    entity === 'domain' ? empty : sql`JOIN (SELECT page_no, page FROM ${state.filesOf('pages')}) USING (page_no)`

  return sql`
WITH${slices.ctes},${toSiteHosts(state)},
  cited AS (
    SELECT day, platform_no, prompt_no, answer_no, host_no, page_no, first_of_domain, first_of_page
    FROM ${state.filesOf('citations')} ${slices.restriction}
    WHERE day BETWEEN ${day(request.start_date)} AND ${day(request.end_date)}
  ),${toCounted(entity, slices.groups, ofCitations)},
  levels AS (
    SELECT ${slices.groups}true_answers, count(*) AS entities
    FROM counted
    GROUP BY ${slices.groups}true_answers
  ),
  ranks AS (
    SELECT
      ${slices.groups}true_answers,
      1 + coalesce(sum(entities) OVER (
        ${inGroup} ORDER BY true_answers DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0) AS rank
    FROM levels
  ),
  totals AS (
    SELECT ${slices.groups}sum(true_citations) AS all_citations
    FROM counted
    ${slices.groupList ? sql`GROUP BY ${slices.groupList}` : empty}
  ),
  ranked AS (
    SELECT counted.*, rank
    FROM counted JOIN ranks
      ON counted.true_answers = ranks.true_answers AND ${slices.sameGroup(sql`counted`, sql`ranks`)}
    WHERE citations > 0
  ),
  ties AS (
    SELECT ${date}rank, citations, count(*) AS tied
    FROM ranked
    GROUP BY ${date}rank, citations
  ),
  placed AS (
    SELECT
      *,
      sum(tied) OVER (ORDER BY ${date}rank, citations DESC ROWS UNBOUNDED PRECEDING) AS through,
      sum(tied) OVER () AS total_results
    FROM ties
  ),
  chosen AS (
    SELECT *, min(through - tied) OVER () AS skipped
    FROM placed
    WHERE through > ${integer(page.offset)} AND through - tied < ${integer(page.offset + page.limit)}
  ),
  shown AS (
    SELECT ranked.*, true_citations / all_citations AS citation_share, total_results
    FROM ranked JOIN chosen ON ranked.rank = chosen.rank AND ranked.citations = chosen.citations ${sameDate}
    JOIN totals ON ${slices.sameGroup(sql`ranked`, sql`totals`)}
  )
SELECT
  ${join([...group_by.map((dimension) => PUBLIC_COLUMNS[dimension]), name], sql`, `)},
  ${texts(OWNERS)}[owner_no] AS owner,
  source_kind,
  rank::DOUBLE AS rank,
  answers::DOUBLE AS answers,
  citations::DOUBLE AS citations,
  citation_share,
  total_results::DOUBLE AS total_results
FROM shown ${names} ${slices.names}
ORDER BY ${join([sql`${date}rank`, sql`citations DESC`, name, ...group_by.map((dimension) => TIE_COLUMNS[dimension])], sql`, `)}
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)} - (SELECT any_value(skipped)::BIGINT FROM chosen)`
}

/** `site_hosts`: every cited host with its registrable domain, owner and source kind as decided today. */
function toSiteHosts(state: SiteState): Sql {
  const confirmed = state.competitors.filter((competitor) => competitor.confirmed)
  const owned = [
    { domain: state.site.domain, ownerNo: 1 },
    ...confirmed.flatMap(({ domains }) => domains.map((domain) => ({ domain, ownerNo: 2 }))),
  ]
  const brandDomains = owned.map(({ domain }) => toRegistrableDomain(domain))
  const kinds = [...listSiteSourceKinds(state.site, brandDomains)]
  return sql`
  owned AS (
    SELECT
      unnest(${texts(brandDomains)}) AS domain,
      unnest(${texts(owned.map((entry) => entry.domain))}) AS owned_domain,
      unnest(${integers(owned.map((entry) => entry.ownerNo))}) AS owner_no
  ),
  kinds AS (
    SELECT
      unnest(${texts(kinds.map(([domain]) => domain))}) AS domain,
      unnest(${texts(kinds.map(([, kind]) => kind))}) AS source_kind
  ),
  hosting AS (
    SELECT
      unnest(${texts([...listHostingKinds().keys()])}) AS suffix,
      unnest(${texts([...listHostingKinds().values()])}) AS hosted_kind
  ),
  host_owners AS (
    SELECT host_no, min(owner_no) AS owner_no
    FROM ${state.filesOf('hosts')} JOIN owned USING (domain)
    WHERE host = owned_domain OR suffix(host, '.' || owned_domain)
    GROUP BY host_no
  ),
  site_hosts AS (
    SELECT
      host_no,
      domain,
      min(host_no) OVER (PARTITION BY domain) AS domain_no,
      coalesce(owner_no, 3) AS owner_no,
      coalesce(source_kind, hosted_kind, 'unknown') AS source_kind
    FROM ${state.filesOf('hosts')}
    LEFT JOIN host_owners USING (host_no)
    LEFT JOIN kinds USING (domain)
    LEFT JOIN hosting ON suffix = substr(domain, strpos(domain, '.') + 1)
  )`
}

/** Fields that all citations of one domain, or of one page, have in common: a filter on them keeps or drops it whole. */
const COMMON_FIELDS = { domain: ['domain', 'source_kind'], page: ['domain', 'source_kind', 'owner'] } as const

function toCounted(entity: 'domain' | 'page', groups: Sql, filter: Filter | undefined): Sql {
  if (filter && !namesOnly(filter, COMMON_FIELDS[entity])) return toJudged(entity, groups, filter)
  const passes = filter ? toPredicate(filter, FIELDS) : sql`true`
  const grouped =
    entity === 'domain'
      ? sql`
    SELECT
      ${groups}domain_no,
      any_value(domain) AS domain,
      any_value(source_kind) AS source_kind,
      min(owner_no) AS owner_no,
      sum(true_answers) AS true_answers,
      sum(true_citations) AS true_citations
    FROM by_number JOIN site_hosts USING (host_no)
    GROUP BY ${groups}domain_no`
      : sql`
    SELECT ${groups}page_no, domain, source_kind, owner_no, true_answers, true_citations
    FROM by_number JOIN site_hosts USING (host_no)`
  const numbers = entity === 'domain' ? sql`host_no` : sql`page_no, host_no`
  const first = entity === 'domain' ? sql`first_of_domain` : sql`first_of_page`
  return sql`
  by_number AS (
    SELECT ${groups}${numbers}, count_if(${first}) AS true_answers, count(*) AS true_citations
    FROM cited
    GROUP BY ${groups}${numbers}
  ),
  grouped AS (${grouped}
  ),
  counted AS (
    SELECT
      *,
      CASE WHEN ${passes} THEN true_answers ELSE 0 END AS answers,
      CASE WHEN ${passes} THEN true_citations ELSE 0 END AS citations
    FROM (SELECT *, ${texts(OWNERS)}[owner_no] AS owner FROM grouped)
  )`
}

/** The filter tells citations of one domain or page apart: each is judged by itself, distinct answers are counted. */
function toJudged(entity: 'domain' | 'page', groups: Sql, filter: Filter): Sql {
  const entityNo = entity === 'domain' ? sql`domain_no` : sql`page_no`
  const first = entity === 'domain' ? sql`first_of_domain` : sql`first_of_page`
  return sql`
  judged AS (
    SELECT *, ${toPredicate(filter, FIELDS)} AS passes
    FROM (
      SELECT cited.*, site_hosts.* EXCLUDE (host_no), ${texts(OWNERS)}[owner_no] AS owner, platform, prompt_id, prompt_text, category
      FROM cited
      JOIN site_hosts USING (host_no)
      JOIN platforms USING (platform_no)
      JOIN prompts USING (prompt_no)
    )
  ),
  counted AS (
    SELECT
      ${groups}${entityNo},
      any_value(domain) AS domain,
      any_value(source_kind) AS source_kind,
      min(owner_no) FILTER (passes) AS owner_no,
      count_if(${first}) AS true_answers,
      count(*) AS true_citations,
      count(DISTINCT answer_no) FILTER (passes) AS answers,
      count_if(passes) AS citations
    FROM judged
    GROUP BY ${groups}${entityNo}
  )`
}

function toRow(row: Row, { entity, group_by, metrics }: CitationsRequest): CitationRow {
  const out: Record<string, unknown> = {}
  for (const dimension of group_by) {
    out[dimension] = dimension === 'prompt' ? { id: row['prompt_id'], text: row['prompt_text'] } : row[dimension]
  }
  out[entity] = row[entity]
  for (const field of ['owner', 'source_kind', 'rank'] as const) out[field] = row[field]
  for (const metric of metrics) out[metric] = row[metric]
  return out as unknown as CitationRow
}
