import { OWN_BRAND } from '../domain/brand.ts'
import { ENGINE_IDS, type Sentiment, SENTIMENTS } from '../domain/enums.ts'
import { day, empty, integer, integers, type Sql, sql, text, texts } from '../lake/sql.ts'
import type { Row } from '../lake/cells.ts'
import type { AnswerField, AnswersRequest, ReportPage } from './request.ts'
import { type PageBounds, type ReportContext, runReport, type SiteState } from './run.ts'

/** A stored answer (spec.md 2.7) with the fields asked for; `id` always. */
export interface AnswerRow {
  id: string
  prompt?: { id: string; text: string }
  platform?: string
  date?: string
  text?: string
  brand_mentioned?: boolean
  brand_position?: number | null
  sentiment?: Sentiment | null
  mentions?: string[]
  citations?: { url: string; domain: string; title: string; position: number; own_site: boolean }[]
}

/** `POST /v1/answers` (spec.md 4.5, decisions.md 5.8). Throws what `runReport` throws. */
export async function reportAnswers(
  context: ReportContext,
  siteId: string,
  request: AnswersRequest,
): Promise<ReportPage<AnswerRow>> {
  return runReport(context, {
    endpoint: 'answers',
    siteId,
    request,
    datasets: ['answers', 'mentions', 'citations', 'hosts'],
    toQuery: (state, page) => toQuery(state, request, page),
    toRow: () => (row) => toRow(row, request),
  })
}

/**
 * The page is found on the short columns alone; texts, mentions and citations are read for its answers only. Lists leave
 * as JSON text.
 */
function toQuery(state: SiteState, request: AnswersRequest, page: PageBounds): Sql {
  const has = (field: AnswerField): boolean => request.include.includes(field)
  const inRange = sql`day BETWEEN ${day(request.start_date)} AND ${day(request.end_date)}`
  const needsBrand = has('brand_mentioned') || has('brand_position') || has('mentions')
  return sql`
WITH
  prompts AS (
    SELECT
      unnest(${integers(state.prompts.map((prompt) => prompt.promptNo))}) AS prompt_no,
      unnest(${texts(state.prompts.map((prompt) => prompt.id))}) AS prompt_id,
      unnest(${texts(state.prompts.map((prompt) => prompt.text))}) AS prompt_text
  ),
  matching AS NOT MATERIALIZED (
    SELECT answer_no, id, day, asked_at_ms, platform_no, prompt_no, sentiment_no
    FROM ${state.filesOf('answers')}
    WHERE ${inRange}${ofPlatforms(request)}${ofPrompts(state, request)}
  ),
  page AS (
    SELECT *
    FROM matching
    ORDER BY day DESC, asked_at_ms DESC NULLS LAST, id
    LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}
  )${has('text') ? toTexts(state, inRange) : empty}${needsBrand ? toMentions(state, inRange) : empty}${has('citations') ? toCitations(state, inRange) : empty}
SELECT
  id,
  strftime(day, '%Y-%m-%d') AS date,
  ${texts(ENGINE_IDS)}[platform_no] AS platform,
  prompt_id,
  prompt_text,
  sentiment_no::INTEGER AS sentiment_no,
  (SELECT count(*) FROM matching)::DOUBLE AS total_results
  ${has('text') ? sql`, text` : empty}
  ${needsBrand ? sql`, brand_position, mentions` : empty}
  ${has('citations') ? sql`, citations` : empty}
FROM page
JOIN prompts USING (prompt_no)
${has('text') ? sql`JOIN page_texts USING (answer_no)` : empty}
${needsBrand ? sql`LEFT JOIN page_mentions USING (answer_no)` : empty}
${has('citations') ? sql`LEFT JOIN page_citations USING (answer_no)` : empty}
ORDER BY day DESC, asked_at_ms DESC NULLS LAST, id`
}

function ofPlatforms({ platforms }: AnswersRequest): Sql {
  if (!platforms) return empty
  return sql` AND platform_no = ANY(${integers(platforms.map((id) => ENGINE_IDS.indexOf(id) + 1))})`
}

/** Unknown ids match nothing (decisions.md 5.1). */
function ofPrompts({ prompts }: SiteState, { prompt_ids }: AnswersRequest): Sql {
  if (!prompt_ids) return empty
  const wanted = new Set(prompt_ids)
  const numbers = prompts.filter((prompt) => wanted.has(prompt.id)).map((prompt) => prompt.promptNo)
  return sql` AND prompt_no = ANY(${integers(numbers)})`
}

const toTexts = (state: SiteState, inRange: Sql): Sql => sql`,
  page_texts AS (
    SELECT answer_no, text
    FROM ${state.filesOf('answers')} SEMI JOIN page USING (answer_no)
    WHERE ${inRange}
  )`

function toMentions(state: SiteState, inRange: Sql): Sql {
  const brands = [{ brandNo: OWN_BRAND, name: state.site.name }, ...state.competitors]
  return sql`,
  brands AS (
    SELECT
      unnest(${integers(brands.map((brand) => brand.brandNo))}) AS brand_no,
      unnest(${texts(brands.map((brand) => brand.name))}) AS brand_name
  ),
  page_mentions AS (
    SELECT
      answer_no,
      to_json(list(brand_name ORDER BY position))::VARCHAR AS mentions,
      min(position) FILTER (brand_no = ${integer(OWN_BRAND)}) AS brand_position
    FROM ${state.filesOf('mentions')} JOIN brands USING (brand_no) SEMI JOIN page USING (answer_no)
    WHERE ${inRange}
    GROUP BY answer_no
  )`
}

function toCitations(state: SiteState, inRange: Sql): Sql {
  const own = text(state.site.domain)
  return sql`,
  page_citations AS (
    SELECT
      answer_no,
      to_json(list({
        'url': url,
        'domain': domain,
        'title': title,
        'position': position,
        'own_site': host = ${own} OR suffix(host, '.' || ${own})
      } ORDER BY position))::VARCHAR AS citations
    FROM ${state.filesOf('citations')} JOIN ${state.filesOf('hosts')} USING (host_no) SEMI JOIN page USING (answer_no)
    WHERE ${inRange}
    GROUP BY answer_no
  )`
}

function toRow(row: Row, { include }: AnswersRequest): AnswerRow {
  const list = (value: unknown): unknown[] => JSON.parse(typeof value === 'string' ? value : '[]') as unknown[]
  const fields: Record<AnswerField, () => unknown> = {
    prompt: () => ({ id: row['prompt_id'], text: row['prompt_text'] }),
    platform: () => row['platform'],
    date: () => row['date'],
    text: () => row['text'],
    brand_mentioned: () => typeof row['brand_position'] === 'number',
    brand_position: () => row['brand_position'],
    sentiment: () => SENTIMENTS[Number(row['sentiment_no']) - 1] ?? null,
    mentions: () => list(row['mentions']),
    citations: () => list(row['citations']),
  }
  return {
    id: row['id'],
    ...Object.fromEntries(include.map((field) => [field, fields[field]()])),
  } as unknown as AnswerRow
}
