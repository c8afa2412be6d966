import { toCitation } from '../../derive/citations.ts'
import type { CitationRecord } from '../../domain/answer.ts'
import { ENGINE_IDS, SENTIMENTS } from '../../domain/enums.ts'
import { day, empty, integer, integers, type Sql, sql } from '../../lake/sql.ts'
import type { Row } from '../../lake/cells.ts'
import { engineNo } from '../../reference/engines.ts'
import { readContents } from './contents.ts'
import { toTyped } from '../contract.ts'
import { type AnswerField, type AnswerRow, ANSWERS, type AnswersRequest } from './contract.ts'
import type { Walk } from '../cursor.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'

/** `POST /v1/answers` (contract/api 5.8 and 12.5). Throws what `runReport` throws. */
export function reportAnswers(
  context: ReportContext,
  siteId: string,
  request: AnswersRequest,
  walk?: Walk,
): ReportRun<AnswerRow> {
  return runReport(context, {
    endpoint: ANSWERS.name,
    siteId,
    request,
    walk,
    datasets: ['answers', 'mentions', 'citations', 'hosts'],
    toQuery: (state, page) => toQuery(state, request, page),
    complete: (state, rows) => readContents(context.lake, state, request.include, rows),
    toRow: (state) => toReader(state, request),
  })
}

/** The page's answers by their short columns alone, which is what finding and sorting them needs. Names follow from the numbers. */
function toQuery(state: SiteState, request: AnswersRequest, page: PageBounds): Sql {
  return sql`
WITH
  matching AS NOT MATERIALIZED (
    SELECT answer_no, id, day, asked_at_ms, platform_no, prompt_no, sentiment_no
    FROM ${state.filesOf('answers')}
    WHERE day BETWEEN ${day(request.start_date)} AND ${day(request.end_date)}${ofPlatforms(request)}${ofPrompts(state, request)}
  ),
  page AS (
    SELECT *
    FROM matching
    ORDER BY day DESC, asked_at_ms DESC NULLS LAST, id
    LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}
  )
SELECT
  answer_no,
  id,
  strftime(day, '%Y-%m-%d') AS date,
  platform_no,
  prompt_no,
  sentiment_no,
  (SELECT count(*) FROM matching)::DOUBLE AS total_results
FROM page
ORDER BY day DESC, asked_at_ms DESC NULLS LAST, id`
}

function ofPlatforms({ platforms }: AnswersRequest): Sql {
  if (!platforms) return empty
  return sql` AND platform_no = ANY(${integers(platforms.map(engineNo))})`
}

/** Unknown ids match nothing (contract/api 5.1). */
function ofPrompts({ prompts }: SiteState, { prompt_ids }: AnswersRequest): Sql {
  if (!prompt_ids) return empty
  const wanted = new Set(prompt_ids)
  const numbers = prompts.filter((prompt) => wanted.has(prompt.id)).map((prompt) => prompt.promptNo)
  return sql` AND prompt_no = ANY(${integers(numbers)})`
}

const toList = (value: unknown): unknown => JSON.parse(typeof value === 'string' ? value : '[]')

const readPrompts = ({ prompts }: SiteState): ReadonlyMap<number, object> =>
  new Map(prompts.map(({ promptNo, id, text }) => [promptNo, { id, text }]))

function toReader(state: SiteState, { include }: AnswersRequest): (row: Row) => AnswerRow {
  const prompts = readPrompts(state)
  const fields: Record<AnswerField, (row: Row) => unknown> = {
    prompt: (row) => prompts.get(Number(row['prompt_no'])),
    platform: (row) => ENGINE_IDS[Number(row['platform_no']) - 1],
    date: (row) => row['date'],
    text: (row) => row['text'],
    brand_mentioned: (row) => typeof row['brand_position'] === 'number',
    brand_position: (row) => row['brand_position'],
    sentiment: (row) => SENTIMENTS[Number(row['sentiment_no']) - 1] ?? null,
    mentions: (row) => toList(row['mentions']),
    citations: (row) => toList(row['citations']),
    model: (row) => row['model'],
    provider: (row) => row['provider'],
    market: (row) => row['market'],
    asked_at: (row) => row['asked_at'],
    search_queries: (row) => (row['search_queries'] === null ? null : toList(row['search_queries'])),
    consulted: (row) =>
      row['consulted'] === null ? null : (toList(row['consulted']) as CitationRecord[]).map(toSource),
  }
  return (row) => {
    const out: Record<string, unknown> = { id: row['id'] }
    for (const field of include) out[field] = fields[field](row)
    return toTyped(ANSWERS, out)
  }
}

/** The domain is that of a citation of the same link; null where it could be none. */
function toSource(source: CitationRecord): object {
  return { url: source.url, domain: toCitation(source)?.domain ?? null, title: source.title ?? '' }
}
