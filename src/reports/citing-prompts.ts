import { integer, integers, type Sql, sql, texts } from '../lake/sql.ts'
import type { RangeRequest } from './request.ts'
import { type ReportContext, type ReportRun, runReport, type SiteState } from './run.ts'

/** The answers to one prompt that cite a page or a domain. */
export interface CitingPromptRow {
  /** The page's URL, or the domain. */
  readonly source: string
  readonly prompt_id: string
  readonly answers: number
}

export interface CitingPromptsRequest extends RangeRequest {
  readonly entity: 'page' | 'domain'
  /** Pages or domains as the citations report names them; others are left out. */
  readonly sources: readonly string[]
}

/**
 * The citations report's `answers` of some pages or domains by prompt, for the cards; those that cite it most first. Throws
 * what `runReport` throws.
 */
export function reportCitingPrompts(
  context: ReportContext,
  siteId: string,
  request: CitingPromptsRequest,
): ReportRun<CitingPromptRow> {
  return runReport(context, {
    endpoint: 'citing_prompts',
    siteId,
    request,
    datasets: ['citations', ENTITIES[request.entity].dataset],
    toQuery(state, page) {
      return sql`
WITH
  prompts AS (
    SELECT
      unnest(${integers(state.prompts.map(({ promptNo }) => promptNo))}) AS prompt_no,
      unnest(${texts(state.prompts.map(({ id }) => id))}) AS prompt_id
  ),
  counted AS (
    ${toCounted(state, request)}
  )
SELECT source, prompt_id, answers::DOUBLE AS answers, count(*) OVER ()::DOUBLE AS total_results
FROM counted JOIN prompts USING (prompt_no)
WHERE answers > 0
ORDER BY answers DESC, source, prompt_no
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
    },
    toRow: () => (row) => ({
      source: String(row['source']),
      prompt_id: String(row['prompt_id']),
      answers: Number(row['answers']),
    }),
  })
}

/** How citations name what is cited, and which of them is the first of its answer. */
const ENTITIES = {
  page: { dataset: 'pages', number: sql`page_no`, name: sql`page`, first: sql`first_of_page` },
  domain: { dataset: 'hosts', number: sql`host_no`, name: sql`domain`, first: sql`first_of_domain` },
} as const

function toCounted(state: SiteState, { entity, sources }: CitingPromptsRequest): Sql {
  const { dataset, number, name, first } = ENTITIES[entity]
  return sql`SELECT source, prompt_no, count_if(${first}) AS answers
    FROM ${state.filesOf('citations')}
    JOIN (
      SELECT ${number}, ${name} AS source FROM ${state.filesOf(dataset)} WHERE list_contains(${texts(sources)}, ${name})
    ) USING (${number})
    WHERE ${state.inRange('citations')}
    GROUP BY ALL`
}
